import { sql } from 'kysely';
import {
  NONE_PLANNED,
  claimPolls,
  pollModificationsSoon,
  pollNamedSoon,
  scheduleLateLookup,
  type NamedPayment,
  type PlannedLookups,
} from './modifications.ts';
import type { PaymentEventsTable, PaymentReferencesTable, PaymentsTable, Selectable } from './tables.ts';
import { applyAndInsert, applyTogether, applyTransition, goesWithOthers } from './apply-transition.ts';
import type { NewCallback, Transition, TransitionResult } from './transition.ts';
import { reportStored } from './retention.ts';
import {
  insertPayment,
  insertTogether,
  insertWithToken,
  type NewPayment,
  type PaidByWallet,
  type StartedPayment,
  type TokenUsed,
} from './insert-payment.ts';
import { isTaken, isUndoneForAnother } from './database/failure.ts';
import { milliseconds, type Db, type SqlClock } from './database/sql.ts';
import { paymentOf, type Payment } from './payment.ts';
import type { MerchantScope } from './sessions.ts';
import { paymentsLeft, type LeftPayment } from './upkeep.ts';
import { withOthers } from './database/shared-statements.ts';

export type PaymentEvent = Selectable<PaymentEventsTable>;
export type PaymentReference = Selectable<PaymentReferencesTable>;

/**
 * PostgreSQL holds every character but NUL and half of a surrogate pair, and refuses to look for them; anybody can send them in an unsigned
 * notification.
 */
export const canBeStored = (text: string): boolean => !text.includes('\0') && !/\p{Surrogate}/u.test(text);

/** Of several tries the newest counts. A try that has money or may bring it counts before failed tries, because it may be paid late. */
const failed = sql<boolean>`p.state IN ('declined', 'expired')`;

/** The payment that completed its session comes first, then payments with money, then open ones, then failed ones; see `liveOf`. */
const rank = sql`CASE WHEN p.id = s.paid_payment_id THEN 0 WHEN p.state IN ('declined', 'expired') THEN 3
  WHEN p.state IN ('created', 'pending') THEN 2 ELSE 1 END`;

/** Its money came when another payment of its session had completed it: it goes back. */
const hasComeTwice = sql<boolean>`(payments.state IN ('settled', 'authorized')
  AND EXISTS (SELECT FROM sessions s WHERE s.id = payments.session_id AND s.paid_payment_id <> payments.id))`;

const OPEN = ['created', 'pending', 'partially_approved'] as const;

/** Payments. They are changed by `begin` and `applyTransition` and by nothing else. */
export class PaymentsStore {
  readonly #db: Db;
  readonly #clock: SqlClock;
  readonly #insert: (payment: NewPayment) => Promise<StartedPayment | undefined>;
  readonly #apply: (transition: Transition) => Promise<TransitionResult>;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
    this.#insert = withOthers<NewPayment, StartedPayment | undefined>({
      key: ({ sessionId }) => sessionId,
      together: (payments) => insertTogether(db, clock, payments),
      alone: (payment) => insertPayment(db, clock, payment),
    });
    this.#apply = withOthers({
      key: ({ paymentId }) => paymentId,
      together: (transitions) => applyTogether(db, clock, transitions),
      alone: (transition) => applyTransition(db, clock, transition),
    });
  }

  /** see `insertPayment`. */
  async insert(payment: NewPayment): Promise<StartedPayment | undefined> {
    return this.#insert(payment);
  }

  /** see `insertWithToken`. */
  async insertWithToken(
    payment: NewPayment & { readonly wallet: PaidByWallet },
  ): Promise<StartedPayment | TokenUsed | undefined> {
    return insertWithToken(this.#db, this.#clock, payment);
  }

  /** see `reportStored`. */
  async reportStored(paymentId: string, callbacks: readonly NewCallback[]): Promise<void> {
    return reportStored(this.#db, this.#clock, paymentId, callbacks);
  }

  /** See `applyTransition`, and `applyAndInsert` where another payment begins with it. */
  async applyTransition(transition: Transition): Promise<TransitionResult> {
    const { failover } = transition;
    try {
      if (failover !== undefined) return await applyAndInsert(this.#db, this.#clock, transition, failover);
      if (goesWithOthers(transition)) return await this.#apply(transition);
      return await applyTransition(this.#db, this.#clock, transition);
    } catch (error) {
      if (isUndoneForAnother(error)) return { result: 'undone' };
      if (isTaken(error, 'payment_references_pkey')) return { result: 'foreign-reference' };
      throw error;
    }
  }

  async find(id: string): Promise<Payment | undefined> {
    const row = await this.#db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst();
    return row && paymentOf(row);
  }

  async findAll(ids: readonly string[]): Promise<Payment[]> {
    if (ids.length === 0) return [];
    return (await this.#db.selectFrom('payments').selectAll().where('id', 'in', ids).execute()).map(paymentOf);
  }

  /** The payment if it belongs to this merchant, as the try of it that counts: for whatever a merchant asks. */
  async findOfMerchant({ merchantKey, test }: MerchantScope, id: string): Promise<Payment | undefined> {
    const row = await this.#db
      .selectFrom('payments as p')
      .innerJoin('sessions as s', 's.id', 'p.sessionId')
      .selectAll('p')
      .where('p.merchantKey', '=', merchantKey)
      .where('s.test', '=', test)
      .where((is) => is.or([is.and([is('p.id', '=', id), is('p.retryOf', 'is', null)]), is('p.retryOf', '=', id)]))
      .orderBy(failed)
      .orderBy('p.attempt', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && paymentOf(row);
  }

  /** The payments of an order. The newest session's payment that has brought money or may bring it comes first. Of a retried charge only the try that counts. */
  async ofOrder({ merchantKey, test }: MerchantScope, orderNumber: string, limit: number): Promise<Payment[]> {
    const rows = await this.#db
      .selectFrom('payments as p')
      .innerJoin('sessions as s', 's.id', 'p.sessionId')
      .selectAll('p')
      .where('p.merchantKey', '=', merchantKey)
      .where('s.test', '=', test)
      .where('p.orderNumber', '=', orderNumber)
      .where(
        sql<boolean>`NOT EXISTS (SELECT FROM payments r WHERE (r.retry_of = coalesce(p.retry_of, p.id) OR r.id = p.retry_of)
          AND (r.state NOT IN ('declined', 'expired'), r.attempt) > (NOT ${failed}, p.attempt))`,
      )
      .orderBy('s.createdAt', 'desc')
      .orderBy(rank)
      .orderBy('p.attempt', 'desc')
      .limit(limit)
      .execute();
    return rows.map(paymentOf);
  }

  /** The payments of one try of the payer, newest first. */
  async ofTry({ sessionId, payerTry }: Pick<Payment, 'sessionId' | 'payerTry'>): Promise<Payment[]> {
    if (sessionId === null) return [];
    return (await this.ofSession(sessionId)).filter((each) => each.payerTry === payerTry);
  }

  /** The attempts of a session, newest first. */
  async ofSession(sessionId: string): Promise<Payment[]> {
    const rows = await this.#db
      .selectFrom('payments')
      .selectAll()
      .where('sessionId', '=', sessionId)
      .orderBy('attempt', 'desc')
      .execute();
    return rows.map(paymentOf);
  }

  /** The merchant's payment with this reference of ours, which merchants know as a transaction's id. */
  async findByTransaction({ merchantKey, test }: MerchantScope, reference: string): Promise<Payment | undefined> {
    const row = await this.#db
      .selectFrom('payments as p')
      .innerJoin('sessions as s', 's.id', 'p.sessionId')
      .selectAll('p')
      .where('p.merchantKey', '=', merchantKey)
      .where('s.test', '=', test)
      .where('p.merchantReference', '=', reference)
      .executeTakeFirst();
    return row && paymentOf(row);
  }

  /** The payment that a provider's reference belongs to. */
  async findByProviderReference(connectorId: string, midId: string, reference: string): Promise<Payment | undefined> {
    if (!canBeStored(reference)) return undefined;
    const row = await this.#db
      .selectFrom('paymentReferences as r')
      .innerJoin('payments as p', 'p.id', 'r.paymentId')
      .selectAll('p')
      .where('r.connectorId', '=', connectorId)
      .where('r.midId', '=', midId)
      .where('r.providerReference', '=', reference)
      .executeTakeFirst();
    return row && paymentOf(row);
  }

  /** The payment whose own reference a provider repeats, if it belongs to this MID: for a creating call that was never answered. */
  async findByMerchantReference(midId: string, reference: string): Promise<Payment | undefined> {
    if (!canBeStored(reference)) return undefined;
    const row = await this.#db
      .selectFrom('payments')
      .selectAll()
      .where('merchantReference', '=', reference)
      .where('midId', '=', midId)
      .executeTakeFirst();
    return row && paymentOf(row);
  }

  /** The provider's references of a payment, oldest first. */
  async referencesOf(paymentId: string): Promise<PaymentReference[]> {
    return this.#db
      .selectFrom('paymentReferences')
      .selectAll()
      .where('paymentId', '=', paymentId)
      .orderBy('createdAt')
      .orderBy('providerReference')
      .execute();
  }

  /** From now on this reference leads to the payment too; a change of the payment brings its own references along. */
  async watch(paymentId: string, reference: string): Promise<void> {
    await sql`
      INSERT INTO payment_references (connector_id, mid_id, provider_reference, payment_id, watched, created_at)
      SELECT connector_id, mid_id, ${reference}, id, true, ${this.#clock()} FROM payments WHERE id = ${paymentId}::uuid
      ON CONFLICT (connector_id, mid_id, provider_reference, payment_id) DO NOTHING`.execute(this.#db);
  }

  /** The history of a payment, by version. */
  async eventsOf(paymentId: string): Promise<PaymentEvent[]> {
    return this.#db
      .selectFrom('paymentEvents')
      .selectAll()
      .where('paymentId', '=', paymentId)
      .orderBy('version')
      .execute();
  }

  /**
   * Takes payments whose provider is to be asked now, see `claimPolls`. While a payment's operation is being executed, or will be executed on, it
   * is not asked about: the provider may truly say that it knows nothing, and be sent the request a moment later.
   */
  async claimDuePolls(limit: number, holdMs: number, exceptMids: readonly string[] = []): Promise<Payment[]> {
    const isRunning = sql`EXISTS (SELECT FROM flow_runs r WHERE r.payment_id = t.id AND r.purpose = t.operation AND r.state = 'running')`;
    const polls = { table: 'payments', isRunning, limit, holdMs, exceptMids } as const;
    return (await claimPolls<Selectable<PaymentsTable>>(this.#db, this.#clock, polls)).map(paymentOf);
  }

  /** See `paymentsLeft`. */
  async left(limit: number): Promise<LeftPayment[]> {
    return paymentsLeft(this.#db, limit);
  }

  /** When the provider is asked next; `null`: not by itself any more. */
  async schedulePoll(paymentId: string, inMs: number | null): Promise<void> {
    const planned = this.#db.updateTable('payments').where('id', '=', paymentId);
    if (inMs === null) return void (await planned.set({ pollAt: null }).execute());
    // Where nothing is open any more, nothing is asked by itself.
    await planned
      .set({ pollAt: sql<Date>`${this.#clock()} + ${milliseconds(inMs)}` })
      .where(sql<boolean>`(state IN (${sql.join(OPEN)}) OR ${hasComeTwice})`)
      .execute();
  }

  /**
   * Ends the lookups of a payment, unless a hint has planned another one since.
   *
   * @param pollAt of the row as it was claimed; null: none was planned, so there is none to end
   */
  async endPolls(paymentId: string, pollAt: Date | null): Promise<void> {
    if (pollAt === null) return;
    // A row that was read has no more than milliseconds.
    await this.#db
      .updateTable('payments')
      .where('id', '=', paymentId)
      .where(sql<boolean>`date_trunc('milliseconds', poll_at) = ${pollAt}`)
      .set({ pollAt: null })
      .execute();
  }

  /**
   * Plans another lookup of an ended payment about which the provider did not tell all, unless a hint has planned an earlier one since.
   *
   * @param pollAt of the row as it was claimed; the change that ended the payment has taken it away
   */
  async pollAgain(paymentId: string, pollAt: Date | null, inMs: number): Promise<void> {
    await this.#db
      .updateTable('payments')
      .where('id', '=', paymentId)
      .where(sql<boolean>`(poll_at IS NULL OR date_trunc('milliseconds', poll_at) = ${pollAt}::timestamptz)`)
      .set({ pollAt: sql<Date>`${this.#clock()} + ${milliseconds(inMs)}` })
      .execute();
  }

  /**
   * Has the provider asked soon, because of a hint that the payment has changed: a second from now at the latest, so that any
   * number of hints leads to one lookup a second. For an ended payment see `scheduleLateLookup`.
   */
  async pollSoon(paymentId: string): Promise<void> {
    await pollModificationsSoon(this.#db, this.#clock, paymentId);
    const soon = sql<Date>`${this.#clock()} + ${milliseconds(1000)}`;
    const planned = await this.#db
      .updateTable('payments')
      .set({ pollAt: sql<Date>`least(coalesce(poll_at, ${soon}), ${soon})` })
      .where('id', '=', paymentId)
      .where('state', 'in', [...OPEN])
      .executeTakeFirst();
    if (planned.numUpdatedRows === 0n) await scheduleLateLookup(this.#db, this.#clock, paymentId);
  }

  /** The same for the open payment of a provider's reference. */
  async pollNamedSoon(named: NamedPayment): Promise<PlannedLookups> {
    return canBeStored(named.providerReference) ? pollNamedSoon(this.#db, this.#clock, named) : NONE_PLANNED;
  }

  /** Until when a code of the payment can be paid, as the provider says now. */
  async setPayableUntil(paymentId: string, reference: string, payableUntil: Date): Promise<void> {
    await this.#db
      .updateTable('paymentReferences')
      .set({ payableUntil })
      .where('paymentId', '=', paymentId)
      .where('providerReference', '=', reference)
      .where(sql<boolean>`payable_until IS DISTINCT FROM ${payableUntil}`)
      .execute();
  }
}

export const paymentsStore = (db: Db, clock: SqlClock): PaymentsStore => new PaymentsStore(db, clock);
