import { sql } from 'kysely';
import type { Db } from './db.ts';
import { type Payment, paymentOf } from './payment.ts';
import type { Session } from './sessions-store.ts';
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
}

/** A payment and its session, as one statement found them. */
export interface FoundPayment {
  readonly payment: Payment;
  readonly session: Session;
}

const rowOf = (clock: SqlClock, { id, connectorId, midId, request, body, holdMs }: NewNotification) => ({
  id,
  connectorId,
  midId,
  requestText: request,
  body,
  tries: 1,
  nextTryAt: sql<Date>`${clock()} + ${milliseconds(holdMs)}`,
  receivedAt: clock(),
});

export async function keepNotification(db: Db, clock: SqlClock, notification: NewNotification): Promise<void> {
  await db.insertInto('providerNotifications').values(rowOf(clock, notification)).execute();
}

/** Keeps a notification and finds the payment of this provider's reference in one statement. It is kept whatever is found. */
export async function keepAndFind(
  db: Db,
  clock: SqlClock,
  notification: NewNotification,
  reference: string,
): Promise<FoundPayment | undefined> {
  const row = await db
    .with('kept', (query) => query.insertInto('providerNotifications').values(rowOf(clock, notification)))
    .selectFrom('paymentReferences as r')
    .innerJoin('payments as p', 'p.id', 'r.paymentId')
    .innerJoin('sessions as s', 's.id', 'p.sessionId')
    .where('r.connectorId', '=', notification.connectorId)
    .where('r.midId', '=', notification.midId)
    .where('r.providerReference', '=', reference)
    .selectAll('p')
    .select(SESSION_COLUMNS)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { ofId, ofState, ofTest, ofAttempts, ofCreatedAt, ofLive, ofHashDialect, ofHashDigest, ofErasedAt, ...rest } =
    row;
  const { tokenHash, requestText, payerPresence, expiresAt, closedAt, ...payment } = rest;
  return {
    payment: paymentOf(payment),
    session: {
      id: ofId,
      merchantKey: payment.merchantKey,
      operation: payment.operation,
      orderNumber: payment.orderNumber,
      tokenHash,
      requestText,
      state: ofState,
      hashDialect: ofHashDialect,
      hashDigest: ofHashDigest,
      test: ofTest,
      payerPresence,
      livePaymentId: ofLive,
      attempts: ofAttempts,
      createdAt: ofCreatedAt,
      expiresAt,
      closedAt,
      erasedAt: ofErasedAt,
    },
  };
}

/** The columns of a session beside those of its payment, which has the merchant, the operation and the order of the session. */
const SESSION_COLUMNS = [
  's.id as ofId',
  's.state as ofState',
  's.test as ofTest',
  's.attempts as ofAttempts',
  's.createdAt as ofCreatedAt',
  's.livePaymentId as ofLive',
  's.hashDialect as ofHashDialect',
  's.hashDigest as ofHashDigest',
  's.tokenHash',
  's.requestText',
  's.payerPresence',
  's.expiresAt',
  's.closedAt',
  's.erasedAt as ofErasedAt',
] as const;
