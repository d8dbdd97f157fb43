import { sql } from 'kysely';
import type { Db } from './database/sql.ts';
import type {
  CallbackAttemptsTable,
  JournalTable,
  NotificationState,
  PaymentState,
  ProviderEventsTable,
  ProviderNotificationsTable,
  Selectable,
  SessionState,
} from './tables.ts';

/** A session and one of its payments. */
export interface FoundBySearch {
  /** A UUID. */
  readonly session: string;
  readonly sessionState: SessionState;
  readonly merchantKey: string;
  readonly test: boolean;
  readonly orderNumber: string;
  readonly createdAt: Date;
  /** Null where no payment has begun: the payer has not used a method yet. */
  readonly payment: {
    readonly id: string;
    readonly attempt: number;
    readonly state: PaymentState;
    readonly unknown: boolean;
    readonly method: string;
    readonly midId: string;
    /** As the merchant sent it; null where the payer chooses. */
    readonly amountText: string | null;
    readonly currency: string;
    /** Ours, which the provider was given. */
    readonly merchantReference: string;
    readonly providerReference: string | null;
  } | null;
}

export type StoredStep = Pick<
  Selectable<JournalTable>,
  'runId' | 'step' | 'kind' | 'state' | 'sends' | 'begunAt' | 'doneAt' | 'replyText'
>;

/** An event that a provider reported, and the notification that it came in, while that is kept. */
export type ReportedEvent = Pick<
  Selectable<ProviderEventsTable>,
  'eventId' | 'kind' | 'providerReference' | 'amountText' | 'currency' | 'state' | 'reason' | 'at' | 'notificationId'
> & { readonly receivedAt: Date | null; readonly notificationState: NotificationState | null };

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Which payments. A filter that is left out restricts nothing. */
export interface PaymentFilter {
  readonly merchantKey?: string;
  /** As the merchant names it. */
  readonly method?: string;
  readonly midId?: string;
  /** `unknown`: pending, and its outcome is not known. */
  readonly state?: PaymentState | 'unknown';
  readonly amount?: { readonly minor: bigint; readonly currency: string };
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
  /** The last four digits of the card that paid or was paid out to. */
  readonly lastFour?: string;
  /** Only payments that may have used or stored a card: the sealed request says how. */
  readonly mayUseStoredCard?: boolean;
  /** The id of a payment: older payments follow. */
  readonly after?: string;
}

/** The facts that decide how a payment used a stored card. */
export interface StoredCardFacts {
  readonly requestText: string;
  readonly mandateId: string | null;
  readonly digitalWallet: string | null;
  readonly factsText: string;
  /** Null: no card. */
  readonly fromToken: boolean | null;
}

export type ListedPayment = FoundBySearch & {
  readonly paymentId: string;
  /** Null unless asked for. */
  readonly cardFacts: StoredCardFacts | null;
};

export interface FoundPayments<P extends FoundBySearch = FoundBySearch> {
  readonly found: readonly P[];
  /** Where the search goes on: a payment's id. Undefined: every payment was looked at. */
  readonly next: string | undefined;
}

/** So many payments are looked at for one page: with rare matches a page may be empty, and the next page goes on. */
const LOOKED_AT = 10_000;

const PAYMENT = sql`json_build_object('id', p.id, 'attempt', p.attempt, 'state', p.state, 'unknown', p.unknown,
  'method', p.method, 'midId', p.mid_id, 'amountText', p.amount_text, 'currency', p.currency,
  'merchantReference', p.merchant_reference, 'providerReference', p.provider_reference)`;

/** Of a payment `p`. Each card is read by itself: joined, a server would read all cards for digits that few have. */
function matches({ merchantKey, method, midId, state, amount, lastFour, mayUseStoredCard = false }: PaymentFilter) {
  const all = [
    merchantKey !== undefined && sql`p.merchant_key = ${merchantKey}`,
    method !== undefined && sql`${method} IN (p.method_alias, p.method)`,
    midId !== undefined && sql`p.mid_id = ${midId}`,
    state !== undefined && (state === 'unknown' ? sql`p.unknown` : sql`p.state = ${state}`),
    amount !== undefined && sql`p.amount_minor = ${String(amount.minor)}::numeric AND p.currency = ${amount.currency}`,
    lastFour !== undefined &&
      sql`${lastFour} IN ((SELECT last_four FROM cards WHERE id = p.card_id), (SELECT last_four FROM cards WHERE id = p.payee_card_id))`,
    mayUseStoredCard &&
      sql`(p.card_id IS NOT NULL OR p.digital_wallet IS NOT NULL OR p.mandate_id IS NOT NULL OR p.facts_text <> '{}')`,
  ].filter((each) => typeof each === 'object');
  return all.length === 0 ? sql`true` : sql.join(all, sql` AND `);
}

/** Reads payments for operators. Nothing is changed here. */
export class StoriesStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Sessions with their payments, newest session first, by any id that a person may have: of a payment, a session, a refund or the request that made
   * one, the order number, our reference or the provider's. Each is found by steps in an index, also beside millions of payments: the merchants and the accounts, whose names the
   * indexes begin with, are few.
   */
  async search(text: string, limit: number): Promise<FoundBySearch[]> {
    const uuid = UUID.test(text) ? text : null;
    const found = await sql<FoundBySearch>`
      WITH RECURSIVE merchants AS (
        (SELECT merchant_key FROM sessions ORDER BY merchant_key LIMIT 1)
        UNION ALL
        SELECT next.merchant_key FROM merchants m CROSS JOIN LATERAL (
          SELECT merchant_key FROM sessions WHERE merchant_key > m.merchant_key ORDER BY merchant_key LIMIT 1
        ) AS next
      ), accounts AS (
        (SELECT connector_id, mid_id FROM payment_references ORDER BY connector_id, mid_id LIMIT 1)
        UNION ALL
        SELECT next.connector_id, next.mid_id FROM accounts a CROSS JOIN LATERAL (
          SELECT connector_id, mid_id FROM payment_references
          WHERE (connector_id, mid_id) > (a.connector_id, a.mid_id) ORDER BY connector_id, mid_id LIMIT 1
        ) AS next
      ), matched AS (
        SELECT s.id FROM merchants m CROSS JOIN LATERAL (
          SELECT id FROM sessions WHERE merchant_key = m.merchant_key AND order_number = ${text} ORDER BY created_at DESC LIMIT ${limit}::integer
        ) AS s
        UNION SELECT id FROM sessions WHERE id = ${uuid}::uuid
        UNION SELECT session_id FROM payments WHERE id = ${uuid}::uuid
        UNION SELECT p.session_id FROM modifications a JOIN payments p ON p.id = a.payment_id WHERE a.id = ${uuid}::uuid
        UNION SELECT session_id FROM payments WHERE merchant_reference = ${text}
        UNION SELECT p.session_id FROM accounts a
          JOIN payment_references r ON r.connector_id = a.connector_id AND r.mid_id = a.mid_id AND r.provider_reference = ${text}
          JOIN payments p ON p.id = r.payment_id
      )
      SELECT s.id AS session, s.state AS session_state, s.merchant_key, s.test, s.order_number, s.created_at,
        CASE WHEN p.id IS NOT NULL THEN ${PAYMENT} END AS payment
      FROM matched JOIN sessions s ON s.id = matched.id LEFT JOIN payments p ON p.session_id = s.id
      ORDER BY s.created_at DESC, s.id, p.attempt LIMIT ${limit}::integer`.execute(this.#db);
    return found.rows;
  }

  /**
   * Payments by their properties, newest first. One index gives them in the order of their creation, and a page looks at so many of them. An index
   * for each filter would be written with each change of each payment.
   */
  async list(filter: PaymentFilter, limit: number, lookedAt = LOOKED_AT): Promise<FoundPayments<ListedPayment>> {
    const { from, to, after, mayUseStoredCard = false } = filter;
    const within = [
      from !== undefined && sql`created_at >= ${from}`,
      to !== undefined && sql`created_at < ${to}`,
      after !== undefined && sql`(created_at, id) < (SELECT created_at, id FROM payments WHERE id = ${after}::uuid)`,
    ].filter((each) => each !== false);
    const range = within.length === 0 ? sql`true` : sql.join(within, sql` AND `);
    const cardFacts = mayUseStoredCard
      ? sql`json_build_object('requestText', s.request_text, 'mandateId', p.mandate_id, 'digitalWallet', p.digital_wallet,
          'factsText', p.facts_text, 'fromToken', (SELECT from_token FROM cards WHERE id = p.card_id))`
      : sql`NULL::json`;
    const { rows: found } = await sql<ListedPayment>`
      SELECT s.id AS session, s.state AS session_state, p.merchant_key, s.test, p.order_number, p.created_at, p.id AS payment_id, ${PAYMENT} AS payment,
        ${cardFacts} AS card_facts
      FROM (
        SELECT p.* FROM (SELECT * FROM payments WHERE ${range} ORDER BY created_at DESC, id DESC LIMIT ${lookedAt}::integer) p
        WHERE ${matches(filter)} ORDER BY p.created_at DESC, p.id DESC LIMIT ${limit}::integer
      ) p JOIN sessions s ON s.id = p.session_id ORDER BY p.created_at DESC, p.id DESC`.execute(this.#db);
    if (found.length === limit) return { found, next: found.at(-1)?.paymentId };
    const { rows: last } = await sql<{ readonly id: string }>`
      SELECT id FROM payments WHERE ${range} ORDER BY created_at DESC, id DESC OFFSET ${lookedAt - 1}::integer LIMIT 1`.execute(
      this.#db,
    );
    return { found, next: last[0]?.id };
  }

  /** The steps of a payment's flows, those of its modifications included, in the order in which they began. */
  async stepsOf(paymentId: string): Promise<StoredStep[]> {
    return this.#db
      .selectFrom('journal as j')
      .innerJoin('flowRuns as r', 'r.runId', 'j.runId')
      .select(['j.runId', 'j.step', 'j.kind', 'j.state', 'j.sends', 'j.begunAt', 'j.doneAt', 'j.replyText'])
      .where('r.paymentId', '=', paymentId)
      .orderBy('j.begunAt')
      .orderBy('j.position')
      .execute();
  }

  /** The events about a payment that notifications and lookups reported, oldest first. */
  async reportedOf(paymentId: string): Promise<ReportedEvent[]> {
    return this.#db
      .selectFrom('providerEvents as e')
      .leftJoin('providerNotifications as n', 'n.id', 'e.notificationId')
      .select([
        'e.eventId',
        'e.kind',
        'e.providerReference',
        'e.amountText',
        'e.currency',
        'e.state',
        'e.reason',
        'e.at',
      ])
      .select(['e.notificationId', 'n.receivedAt', 'n.state as notificationState'])
      .where('e.paymentId', '=', paymentId)
      .orderBy('e.at')
      .orderBy('e.eventId')
      .execute();
  }

  /** The notifications that reported an event of a payment, oldest first, while they are kept. */
  async notificationsOf(paymentId: string): Promise<Selectable<ProviderNotificationsTable>[]> {
    return this.#db
      .selectFrom('providerNotifications')
      .selectAll()
      .where('id', 'in', (select) =>
        select.selectFrom('providerEvents').select('notificationId').where('paymentId', '=', paymentId).$narrowType<{
          notificationId: string;
        }>(),
      )
      .orderBy('receivedAt')
      .execute();
  }

  /** The tries of a payment's callbacks, in the order in which they were made. */
  async deliveriesOf(paymentId: string): Promise<(Selectable<CallbackAttemptsTable> & { readonly seq: number })[]> {
    return this.#db
      .selectFrom('callbackAttempts as a')
      .innerJoin('callbacks as c', 'c.id', 'a.callbackId')
      .selectAll('a')
      .select('c.seq')
      .where('c.paymentId', '=', paymentId)
      .orderBy('a.at')
      .orderBy('a.attempt')
      .execute();
  }
}

export const storiesStore = (db: Db): StoriesStore => new StoriesStore(db);
