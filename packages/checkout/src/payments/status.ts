import { isZero } from '@railyard/core';
import type { PayerBrowser } from '@railyard/core/driver';
import { approvedAmount, ORDER_STATUS_WORDS, statusWord, type PaymentState } from '@railyard/core/payment';
import * as z from 'zod';
import {
  cardFieldSchemas,
  date,
  mandateFields,
  orderSchema,
  reason,
  textField,
  scheduleEchoFields,
  switchedFieldSchemas,
  test,
  vatFieldSchemas,
  walletFields,
} from '../callbacks/field-schemas.ts';
import { callbackDate, statusFields, vatFields } from '../callbacks/fields.ts';
import type { OperationDeps } from './runs/deps.ts';
import { readStoredSession } from '../sessions/session.ts';
import { asAttempted } from '../sessions/payer-input.ts';
import type { Payment, Session, StoredCard } from '../storage/index.ts';
import { maskedCard } from '../cards/index.ts';
import { hasMandate, publicId, stateOf, type MandateTokens } from './payment.ts';
import { scheduleEcho } from './charge.ts';

/** The answer of a status lookup (reference: Status lookup). Statuses are lower case, `decline` and not `declined`. */
export const statusSchema = z.object({
  payment_id: textField('The payment. Before the first attempt to pay: the id that the first payment will have.'),
  date: date.describe('When the payment last changed, `YYYY-MM-DD hh:mm:ss` in UTC.'),
  status: z
    .enum(ORDER_STATUS_WORDS)
    .describe('How the payment stands. `pending` also covers an outcome that is not known yet.'),
  ...vatFieldSchemas,
  approved_amount: textField('The amount that the provider approved, where it is less than the payment’s.').optional(),
  reason,
  ...mandateFields,
  ...scheduleEchoFields,
  captured_amount: textField('The captured amount of a hold.').optional(),
  refunded_amount: textField('The sum of the refunds.').optional(),
  ...walletFields,
  ...cardFieldSchemas,
  order: orderSchema.describe('The order of the payment.'),
  customer: z
    .object({
      name: textField('Name of the payer.').optional(),
      email: textField('E-mail address of the payer.').optional(),
    })
    .describe('The payer, as the session named them.')
    .optional(),
  test: test.optional(),
  ...switchedFieldSchemas,
});

export type StatusBody = z.output<typeof statusSchema>;

/** Whether it brought no money. */
export const isFailed = ({ state }: Payment) => state === 'declined' || state === 'expired';

/** Whether it may still bring money by itself. */
export const isOpen = ({ state }: Payment): boolean => state === 'created' || state === 'pending';

/**
 * Of attempts, newest first, the attempt that the payer sees: the one that completed the session, then one with money, then one that may bring
 * it, then one that failed. A second payment that was given back does not hide the first.
 *
 * @param paidBy the payment that completed the session
 */
export const liveOf = (attempts: readonly Payment[], paidBy: string | null): Payment | undefined =>
  attempts.find(({ id }) => id === paidBy) ??
  attempts.find((each) => !isFailed(each) && !isOpen(each)) ??
  attempts.find(isOpen) ??
  attempts[0];

/** The facts of a payment that the status reports beside its row. */
export interface StatusFacts {
  readonly session: Session;
  /** The card it was paid with. */
  readonly card: StoredCard | undefined;
  readonly mandate: MandateTokens | undefined;
  readonly browser: PayerBrowser | undefined;
}

/** How a payment stands. */
export async function statusBody(
  context: OperationDeps,
  payment: Payment,
  { session, card, mandate, browser }: StatusFacts,
): Promise<StatusBody> {
  const opened = readStoredSession(context, session);
  const { request, merchant } = opened;
  const mandateTokens =
    mandate !== undefined && hasMandate(context, payment, request, stateOf(payment)) ? mandate : undefined;
  const approved = approvedAmount(stateOf(payment));
  return {
    payment_id: publicId(payment),
    date: callbackDate(payment.updatedAt.getTime()),
    status: statusWord(stateOf(payment)),
    ...(approved && { approved_amount: approved.text }),
    ...(isFailed(payment) && payment.reason !== null && { reason: payment.reason.slice(0, 1024) }),
    ...mandateTokens,
    ...(await scheduleEcho(context, payment, opened, mandateTokens)),
    ...movedAmounts(stateOf(payment)),
    ...(payment.digitalWallet !== null && { digital_wallet: payment.digitalWallet }),
    ...(payment.panType !== null && { pan_type: payment.panType }),
    ...ofRequest(context, session, payment),
    ...statusFields(payment, opened, { browser, card }),
    ...(merchant.config.statusData.includes('card') && card && maskedCard(card)),
  };
}

function movedAmounts({ held, received, refunded }: PaymentState) {
  return {
    ...(held !== undefined && received !== undefined && { captured_amount: received.text }),
    ...(refunded !== undefined && !isZero(refunded) && { refunded_amount: refunded.text }),
  };
}

/**
 * The status of an order whose payer has not begun to pay. Its `payment_id` is the session's, which the first payment
 * takes over, so that a client who asks right after creating the session can go on asking for the same payment.
 */
export function unpaidBody(context: OperationDeps, session: Session): StatusBody {
  return {
    payment_id: session.id,
    date: callbackDate((session.closedAt ?? session.createdAt).getTime()),
    ...(session.state === 'open' ? { status: 'prepare' } : { status: 'decline', reason: WHY_ENDED[session.state] }),
    ...ofRequest(context, session),
  };
}

const WHY_ENDED = {
  expired: 'The session expired before it was paid.',
  cancelled: 'The payer cancelled.',
  completed: 'The session ended before it was paid.',
} as const;

function ofRequest(context: OperationDeps, session: Session, payment?: Payment) {
  const attempted = asAttempted(readStoredSession(context, session), payment);
  const { order, customer } = attempted.request;
  return {
    ...vatFields(attempted, payment?.received?.text),
    order: {
      number: order.number,
      amount: order.amount ?? payment?.received?.text ?? '',
      currency: order.currency,
      description: order.description,
    },
    ...(session.test && { test: true as const }),
    ...(customer && { customer: { name: customer.name, email: customer.email } }),
  };
}
