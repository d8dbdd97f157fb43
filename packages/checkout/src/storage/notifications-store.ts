import { sql } from 'kysely';
import type { Selectable } from './schema/columns.ts';
import { toJsonText } from './json-text.ts';
import type { Db } from './db.ts';
import {
  type FoundPayment,
  keepAndFind,
  keepNotification,
  type NewNotification,
  type Referring,
} from './keep-notification.ts';
import { canBeStored } from './payments-store.ts';
import type { NotificationState } from './schema/index.ts';
import type { ProviderEventsTable, ProviderNotificationsTable } from './schema/notifications.ts';
import { milliseconds } from './sql-clock.ts';
import { withOthers } from './with-others.ts';
import type { SqlClock } from './sql-clock.ts';

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
    await keepNotification(this.#db, this.#clock, notification);
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
