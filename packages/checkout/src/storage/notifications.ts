import { sql, type Expression } from 'kysely';
import type {
  NotificationState,
  PaymentsTable,
  ProviderEventsTable,
  ProviderNotificationsTable,
  Selectable,
} from './tables.ts';
import { milliseconds, toJsonText, type Db, type SqlClock } from './database/sql.ts';
import { canBeStored } from './payments.ts';
import { withOthers } from './database/shared-statements.ts';
import { paymentOf, type Payment } from './payment.ts';
import type { Session } from './sessions.ts';

export interface NewNotification {
  /** A UUID. */
  readonly id: string;
  readonly connectorId: string;
  readonly midId: string;
  /** Method, address and headers, sealed. */
  readonly request: string;
  /** The bytes as they arrived. */
  readonly body: Uint8Array;
  /** How long the receiver holds it before a sweep may take it. */
  readonly holdMs: number;
  /** Why an operator has to look at it, where that is known already. */
  readonly detail?: string;
}

/** A payment and its session, as one statement found them. */
export interface FoundPayment {
  readonly payment: Payment;
  readonly session: Session;
}

/** A notification to keep, and the provider's reference of the payment that it is about. */
export interface Referring {
  readonly notification: NewNotification;
  /** Default: none is looked for. */
  readonly reference?: string;
}

/**
 * Keeps notifications and finds the payments of these references in one statement. A notification is kept whatever is found.
 *
 * @returns by the id of the notification; each is there
 */
export async function keepAndFind(
  db: Db,
  clock: SqlClock,
  all: readonly Referring[],
): Promise<ReadonlyMap<string, { readonly found?: FoundPayment }>> {
  const found = await notificationsKept(all, clock()).execute(db);
  const byId = new Map(found.rows.map((row) => [row.ofNotification, { found: foundOf(row) }]));
  return new Map(all.map(({ notification: { id } }) => [id, byId.get(id) ?? {}]));
}

/** Keeps notifications, each a row of `t`. */
const notificationsKept = (all: readonly Referring[], now: Expression<Date>) => sql<FoundRow>`
WITH t AS (
  SELECT * FROM json_to_recordset(${toJsonText(all.map(rowOf))}::text::json) AS t (
    id uuid, connector_id text, mid_id text, request_text text, body text, detail text, hold_ms float8, reference text)
  -- Of a function a server assumes a hundred rows, and reads whole tables for them; of those within two bounds one in two hundred.
  WHERE octet_length(t.id::text) BETWEEN 1 AND 1000

), kept AS (
  INSERT INTO provider_notifications (id, connector_id, mid_id, request_text, body, detail, tries, next_try_at, received_at)
  SELECT t.id, t.connector_id, t.mid_id, t.request_text, decode(t.body, 'base64'), t.detail, 1, ${now} + make_interval(secs => t.hold_ms / 1000), ${now}
  FROM t
)
SELECT t.id AS of_notification, p.*, s.id AS of_id, s.state AS of_state, s.test AS of_test, s.attempts AS of_attempts,
  s.created_at AS of_created_at, s.live_payment_id AS of_live, s.paid_payment_id AS of_paid, s.hash_dialect AS of_hash_dialect, s.hash_digest AS of_hash_digest,
  s.erased_at AS of_erased_at, s.token_hash, s.request_text, s.payer_presence, s.expires_at, s.closed_at
FROM t
  JOIN payment_references r ON r.connector_id = t.connector_id AND r.mid_id = t.mid_id AND r.provider_reference = t.reference
  JOIN payments p ON p.id = r.payment_id
  JOIN sessions s ON s.id = p.session_id`;

/** A notification as a row of `t`. JSON leaves out what is undefined. */
const rowOf = ({ notification, reference }: Referring) => ({
  id: notification.id,
  connector_id: notification.connectorId,
  mid_id: notification.midId,
  request_text: notification.request,
  body: Buffer.from(notification.body).toString('base64'),
  // It may quote a name of the notification, with what PostgreSQL does not hold (see `canBeStored`).
  detail: notification.detail?.replaceAll('\0', '\ufffd').replaceAll(/\p{Surrogate}/gu, '\ufffd'),
  hold_ms: notification.holdMs,
  reference,
});

/** The columns of a payment, and the columns that only its session has. */
type FoundRow = Selectable<PaymentsTable> &
  Pick<Session, 'tokenHash' | 'requestText' | 'payerPresence' | 'expiresAt' | 'closedAt'> & {
    readonly ofNotification: string;
    readonly ofId: Session['id'];
    readonly ofState: Session['state'];
    readonly ofTest: Session['test'];
    readonly ofAttempts: Session['attempts'];
    readonly ofCreatedAt: Session['createdAt'];
    readonly ofLive: Session['livePaymentId'];
    readonly ofPaid: Session['paidPaymentId'];
    readonly ofHashDialect: Session['hashDialect'];
    readonly ofHashDigest: Session['hashDigest'];
    readonly ofErasedAt: Session['erasedAt'];
  };

function foundOf(row: FoundRow): FoundPayment {
  return {
    payment: paymentOf(row),
    session: {
      id: row.ofId,
      merchantKey: row.merchantKey,
      operation: row.operation,
      orderNumber: row.orderNumber,
      tokenHash: row.tokenHash,
      requestText: row.requestText,
      state: row.ofState,
      hashDialect: row.ofHashDialect,
      hashDigest: row.ofHashDigest,
      test: row.ofTest,
      payerPresence: row.payerPresence,
      livePaymentId: row.ofLive,
      paidPaymentId: row.ofPaid,
      // A payment has begun: what was entered for the next one is no matter of its provider's.
      entryId: null,
      entryText: null,
      attempts: row.ofAttempts,
      createdAt: row.ofCreatedAt,
      expiresAt: row.expiresAt,
      closedAt: row.closedAt,
      erasedAt: row.ofErasedAt,
    },
  };
}

export type StoredNotification = Selectable<ProviderNotificationsTable>;
export type StoredProviderEvent = Selectable<ProviderEventsTable>;

/** An event that changes no payment. (One that does is written by `paymentsStore.applyTransition`.) */
export interface UnappliedEvent {
  readonly connectorId: string;
  readonly midId: string;
  readonly eventId: string;
  readonly paymentId?: string;
  readonly notificationId?: string;
  readonly kind: string;
  readonly providerReference: string;
  readonly amountText?: string;
  readonly currency?: string;
  /** JSON. */
  readonly data: unknown;
  readonly state: 'ignored' | 'quarantined' | 'unmatched';
  readonly reason: string;
}

/** A genuine notification that was not understood, or could not be applied. */
export type LeftNotification = Pick<
  StoredNotification,
  'id' | 'midId' | 'connectorId' | 'state' | 'detail' | 'receivedAt'
>;

/** The notifications of providers, and their results. */
export class NotificationsStore {
  readonly #db: Db;
  readonly #clock: SqlClock;
  readonly #keepAndFind: (referring: Referring) => Promise<{ readonly found?: FoundPayment }>;

  constructor(db: Db, clock: SqlClock) {
    this.#db = db;
    this.#clock = clock;
    const keep = (all: readonly Referring[]) => keepAndFind(db, clock, all);
    this.#keepAndFind = withOthers({
      key: ({ notification }) => notification.id,
      together: keep,
      alone: async (referring) => (await keep([referring])).get(referring.notification.id) ?? {},
    });
  }

  /** Keeps a notification. Durable when it returns: only then is it acknowledged. */
  async keep(notification: NewNotification): Promise<void> {
    await keepAndFind(this.#db, this.#clock, [{ notification }]);
  }

  /** See `keepAndFind`: durable like `keep`. */
  async keepAndFind(notification: NewNotification, reference: string): Promise<FoundPayment | undefined> {
    if (!canBeStored(reference)) return void (await this.keep(notification));
    return (await this.#keepAndFind({ notification, reference })).found;
  }

  /** Claims notifications that no process is at work on, oldest first, for `holdMs`. Two callers never get the same one. */
  async claimDue(limit: number, holdMs: number): Promise<StoredNotification[]> {
    const now = this.#clock();
    const due = await sql<StoredNotification>`
        WITH due AS (
          SELECT id FROM provider_notifications WHERE state = 'received' AND next_try_at <= ${now}
          ORDER BY next_try_at LIMIT ${limit}::integer FOR UPDATE SKIP LOCKED
        )
        UPDATE provider_notifications n SET tries = tries + 1, next_try_at = ${now} + ${milliseconds(holdMs)}
        FROM due WHERE n.id = due.id
        RETURNING n.*`.execute(this.#db);
    return due.rows;
  }

  /** Leaves a notification that is not handled alone for a while. */
  async postpone(id: string, waitMs: number): Promise<void> {
    await this.#db
      .updateTable('providerNotifications')
      .set({ nextTryAt: sql<Date>`${this.#clock()} + ${milliseconds(waitMs)}` })
      .where('id', '=', id)
      .where('state', '=', 'received')
      .execute();
  }

  /** Writes what became of a notification; the first ending stands. */
  async end(id: string, state: Exclude<NotificationState, 'received'>, detail?: string): Promise<void> {
    await this.#db
      .updateTable('providerNotifications')
      .set({ state, detail: detail ?? null, handledAt: this.#clock() })
      .where('id', '=', id)
      .where('state', '=', 'received')
      .execute();
  }

  /** Those of which a part was not applied, newest first. */
  async left(limit: number): Promise<LeftNotification[]> {
    return this.#db
      .selectFrom('providerNotifications')
      .select(['id', 'midId', 'connectorId', 'state', 'detail', 'receivedAt'])
      .where('state', 'in', ['refused', 'failed'])
      .orderBy('receivedAt', 'desc')
      .limit(limit)
      .execute();
  }

  async find(id: string): Promise<StoredNotification | undefined> {
    return this.#db.selectFrom('providerNotifications').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /**
   * Writes down an event that changes nothing. One that matched no payment before may be decided now, because a notification can overtake the
   * reply that has its reference.
   *
   * @returns false if the event was known already
   */
  async recordUnapplied(event: UnappliedEvent): Promise<boolean> {
    const { data, paymentId, notificationId, amountText, currency, ...rest } = event;
    const inserted = await this.#db
      .insertInto('providerEvents')
      .values({
        ...rest,
        dataText: toJsonText(data),
        paymentId: paymentId ?? null,
        notificationId: notificationId ?? null,
        amountText: amountText ?? null,
        currency: currency ?? null,
        at: this.#clock(),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['connectorId', 'midId', 'eventId'])
          .doUpdateSet((row) => ({
            state: event.state,
            reason: event.reason,
            paymentId: row.ref('excluded.paymentId'),
          }))
          .where('providerEvents.state', '=', 'unmatched')
          .where((row) => row.val(event.state), '!=', 'unmatched'),
      )
      .executeTakeFirst();
    return (inserted.numInsertedOrUpdatedRows ?? 0n) === 1n;
  }

  async findEvent(connectorId: string, midId: string, eventId: string): Promise<StoredProviderEvent | undefined> {
    return this.#db
      .selectFrom('providerEvents')
      .selectAll()
      .where('connectorId', '=', connectorId)
      .where('midId', '=', midId)
      .where('eventId', '=', eventId)
      .executeTakeFirst();
  }
}

export const notificationsStore = (db: Db, clock: SqlClock): NotificationsStore => new NotificationsStore(db, clock);
