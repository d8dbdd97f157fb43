import {
  amountText,
  type Issue,
  issue,
  isZero,
  money,
  moneyOfMinor,
  parseMoney,
  type SessionRequest,
  TEXTS,
} from '@railyard/core';
import type { Payment } from '../storage/index.ts';
import type { OpenSession } from './open-session.ts';

/** The page's input for the amount, and the path of what is wrong with it. */
export const AMOUNT_FIELD = 'order.amount';

/**
 * Whether the payer says on the page how much: of a transfer. The request's amount is there to begin with and may be changed; with `-1`
 * there is none (protocol: Amount format, 2; reference: Amounts).
 */
export const payerSaysAmount = ({ operation }: Pick<SessionRequest, 'operation'>): boolean => operation === 'transfer';

/** The session with the amount that the payer entered, or what is wrong with it. */
export function withEnteredAmount(
  session: OpenSession,
  answers: Readonly<Record<string, string>>,
): { readonly session: OpenSession; readonly issues: readonly Issue[] } {
  const { request } = session;
  if (!payerSaysAmount(request)) return { session, issues: [] };
  const refused = (message: string) => ({ session, issues: [issue(AMOUNT_FIELD, message)] });
  const entered = answers[AMOUNT_FIELD];
  // A field that the payer emptied is no amount: neither the request's nor that of an earlier try is taken in its place.
  if (entered === undefined) return refused(TEXTS.blank);
  const { currency } = request.order;
  const parsed = parseMoney(entered, currency);
  if (!parsed.ok) return refused(amountText(entered, currency, parsed.reason));
  if (isZero(parsed.money)) return refused(TEXTS.greaterThanZero);
  return { session: withAmount(session, moneyOfMinor(parsed.money.minor, currency).text), issues: [] };
}

/** The session as an attempt of it is: with the amount that its payer said. */
export function asAttempted(
  session: OpenSession,
  payment: Pick<Payment, 'amountOpen' | 'amountText'> | undefined,
): OpenSession {
  if (payment === undefined || payment.amountOpen || payment.amountText === null) return session;
  return payerSaysAmount(session.request) ? withAmount(session, payment.amountText) : session;
}

function withAmount(session: OpenSession, text: string): OpenSession {
  const { order } = session.request;
  const request = { ...session.request, order: { ...order, amount: text }, amount: money(text, order.currency) };
  return { ...session, request };
}
