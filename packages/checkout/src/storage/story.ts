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

/** Reads payments for operators. Nothing is changed here. */
export class StoriesStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Sessions with their payments, newest session first, by any id that a person may have: of a payment or session, the order number, our reference
   * or the provider's. Each is found by steps in an index, also beside millions of payments: the merchants and the accounts, whose names the
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
        UNION SELECT session_id FROM payments WHERE merchant_reference = ${text}
        UNION SELECT p.session_id FROM accounts a
          JOIN payment_references r ON r.connector_id = a.connector_id AND r.mid_id = a.mid_id AND r.provider_reference = ${text}
          JOIN payments p ON p.id = r.payment_id
      )
      SELECT s.id AS session, s.state AS session_state, s.merchant_key, s.test, s.order_number, s.created_at,
        CASE WHEN p.id IS NOT NULL THEN json_build_object('id', p.id, 'attempt', p.attempt, 'state', p.state, 'unknown', p.unknown,
          'method', p.method, 'midId', p.mid_id, 'amountText', p.amount_text, 'currency', p.currency,
          'merchantReference', p.merchant_reference, 'providerReference', p.provider_reference) END AS payment
      FROM matched JOIN sessions s ON s.id = matched.id LEFT JOIN payments p ON p.session_id = s.id
      ORDER BY s.created_at DESC, s.id, p.attempt LIMIT ${limit}::integer`.execute(this.#db);
    return found.rows;
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
