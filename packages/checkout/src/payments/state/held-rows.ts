import type { NextAction } from '@railyard/runtime';
import type { OpenSession } from '../../sessions/open-session.ts';
import { payerSaysAmount } from '../../sessions/payer-amount.ts';
import type { Payment, StartedPayment, StoredCard } from '../../storage/index.ts';

/**
 * Rows that a caller has just read or written, so that they are not read again. They may be out of date: a change is written on the
 * version that it was decided on, and one that comes to nothing is decided again on fresh rows.
 */
export interface HeldRows {
  readonly payment: Payment;
  /** The session as it is stored; read again unless given. */
  readonly session?: OpenSession | undefined;
  /** Of a later charge: the first payment of its mandate and that one's card. */
  readonly first?: FirstRows | undefined;
}

/** The first payment of a mandate, as its later charges need it. */
export interface FirstRows {
  readonly payment: Payment;
  readonly session: OpenSession;
  /** The card with which it was paid; read again unless given. */
  readonly card?: StoredCard | undefined;
}

/** A payment and its session, both in hand. */
export interface PaymentRows extends HeldRows {
  readonly session: OpenSession;
}

/** A payment that its merchant is answered about. */
export interface AnsweredPayment {
  readonly payment: Payment;
  /** The payer's action that the payment waits for. Where it is absent, the payment's runs are read. */
  readonly waitsFor?: NextAction | 'nothing';
}

/** The rows of a payment that was started just now in this session. The amount that a payer says belongs to the attempt and is not stored with the session. */
export function startedRows(
  { payment }: Pick<StartedPayment, 'payment'>,
  session: OpenSession,
  first?: FirstRows,
): HeldRows {
  if (payerSaysAmount(session.request)) return { payment, first };
  const stored = { ...session.stored, attempts: payment.attempt, livePaymentId: payment.id };
  return { payment, session: { ...session, stored }, first };
}
