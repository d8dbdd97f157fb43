import { isZero, money, moneyOfMinor, parseMoney, TEXTS } from '@railyard/core';
import { amountText, type Issue, issue, type SessionRequest } from '@railyard/core/protocol';
import type { Payment } from '../storage/index.ts';
import type { OpenSession } from './open-session.ts';
import { readTypedAmount } from './typed-amount.ts';

/** The page's input for the amount, and the path of what is wrong with it. */
export const AMOUNT_FIELD = 'order.amount';

/** In an address of the page: the payer wants to say another amount than that of an earlier try. */
export const CHANGE_AMOUNT = 'change-amount';

/** In an address of the page: the amount beside it is as the page wrote it. */
export const REVIEWED = 'reviewed';

/**
 * Whether the payer says on the page how much: of a transfer. The request's amount is there to begin with and may be changed; with `-1`
 * there is none (protocol: Amount format, 2; reference: Amounts).
 */
export const payerSaysAmount = ({ operation }: Pick<SessionRequest, 'operation'>): boolean => operation === 'transfer';

/** Why an amount is shown to the payer before anything is paid. Where it can be read the page shows it as it was understood, and not this. */
export const REVIEW = 'Please check the amount.';

/** The language of amounts in the protocol's format, in which a point never parts thousands. */
export const WRITTEN_IN = 'en';

/** Why a mark in an amount is not taken for either. */
export const AMBIGUOUS = 'Please write the amount without thousands separators, for example 1250.00.';

/**
 * The amount that a payer typed, or what is wrong with it.
 *
 * @param locale a BCP 47 tag
 */
export function readAmount(
  { request }: Pick<OpenSession, 'request'>,
  typed: string,
  locale: string,
): { readonly text: string } | { readonly problem: string } {
  const { currency } = request.order;
  const read = readTypedAmount(typed, currency, locale);
  if (!read.ok)
    return { problem: read.reason === 'ambiguous' ? AMBIGUOUS : amountText(typed.trim(), currency, read.reason) };
  return isZero(read.money) ? { problem: TEXTS.greaterThanZero } : { text: read.money.text };
}

/**
 * The session with the amount that the payer has seen on the page, or what is wrong with it. The page sends it in the protocol's format; any
 * other text was typed and is shown first as it was understood.
 */
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
  if (!parsed.ok || moneyOfMinor(parsed.money.minor, currency).text !== entered) return refused(REVIEW);
  if (isZero(parsed.money)) return refused(TEXTS.greaterThanZero);
  return { session: withAmount(session, entered), issues: [] };
}

/** The session as an attempt of it is: with the amount that its payer said. */
export function asAttempted(
  session: OpenSession,
  payment: Pick<Payment, 'amountOpen' | 'amountText'> | undefined,
): OpenSession {
  if (payment === undefined || payment.amountOpen || payment.amountText === null) return session;
  return payerSaysAmount(session.request) ? withAmount(session, payment.amountText) : session;
}

/** The session with an amount that its payer said, in the protocol's format. */
export function withAmount(session: OpenSession, text: string): OpenSession {
  const { order } = session.request;
  const request = { ...session.request, order: { ...order, amount: text }, amount: money(text, order.currency) };
  return { ...session, request };
}
