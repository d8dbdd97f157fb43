import { sql } from './piece.ts';
import { executePlain } from './plain-statement.ts';
import type { Db } from './db.ts';
import { type Payment, paymentOf } from './payment.ts';
import type { Session } from './sessions-store.ts';
import { givenRows, rowColumns } from './row-values.ts';
import type { Selectable } from './schema/columns.ts';
import type { PaymentsTable } from './schema/payments.ts';
import { milliseconds } from './sql-clock.ts';
import type { SqlClock } from './sql-clock.ts';

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

const rowOf = (clock: SqlClock, { id, connectorId, midId, request, body, holdMs, detail }: NewNotification) => ({
  id,
  connectorId,
  midId,
  requestText: request,
  body,
  detail: detail ?? null,
  tries: 1,
  nextTryAt: sql<Date>`${clock()} + ${milliseconds(holdMs)}`,
  receivedAt: clock(),
});

export async function keepNotification(db: Db, clock: SqlClock, notification: NewNotification): Promise<void> {
  await db.insertInto('providerNotifications').values(rowOf(clock, notification)).execute();
}

/** A notification to keep, and the provider's reference of the payment that it is about. */
export interface Referring {
  readonly notification: NewNotification;
  readonly reference: string;
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
  const now = clock();
  const given = all.map(({ notification: { id, connectorId, midId, request, body, holdMs }, reference }) => {
    const row = rowColumns(id);
    return {
      row,
      connectorId: row.of('text', connectorId),
      midId: row.of('text', midId),
      reference: row.of('text', reference),
      request: row.of('text', request),
      body: row.of('text', Buffer.from(body).toString('base64')),
      holdMs: row.of('double precision', holdMs),
    };
  });
  const [g] = given;
  if (g === undefined) return new Map();
  const rows = givenRows(
    'uuid',
    given.map(({ row }) => row),
  );
  const found = await executePlain(
    db,
    sql<FoundRow>`
    WITH given AS (${rows}), kept AS (
      INSERT INTO provider_notifications (id, connector_id, mid_id, request_text, body, tries, next_try_at, received_at)
      SELECT g.key, ${g.connectorId}, ${g.midId}, ${g.request}, decode(${g.body}, 'base64'), 1,
        ${now} + make_interval(secs => ${g.holdMs} / 1000), ${now}
      FROM given g
    )
    SELECT g.key AS of_notification, p.*, s.id AS of_id, s.state AS of_state, s.test AS of_test, s.attempts AS of_attempts,
      s.created_at AS of_created_at, s.live_payment_id AS of_live, s.paid_payment_id AS of_paid, s.hash_dialect AS of_hash_dialect, s.hash_digest AS of_hash_digest,
      s.erased_at AS of_erased_at, s.token_hash, s.request_text, s.payer_presence, s.expires_at, s.closed_at
    FROM given g
      JOIN payment_references r
        ON r.connector_id = ${g.connectorId} AND r.mid_id = ${g.midId} AND r.provider_reference = ${g.reference}
      JOIN payments p ON p.id = r.payment_id
      JOIN sessions s ON s.id = p.session_id`,
  );
  const byId = new Map(found.rows.map((row) => [row.ofNotification, { found: foundOf(row) }]));
  return new Map(all.map(({ notification: { id } }) => [id, byId.get(id) ?? {}]));
}

/** The columns of a payment, and of its session those that the payment has not. */
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
      attempts: row.ofAttempts,
      createdAt: row.ofCreatedAt,
      expiresAt: row.expiresAt,
      closedAt: row.closedAt,
      erasedAt: row.ofErasedAt,
    },
  };
}
