import { type CallbackWords, signRequest } from '@railyard/core';
import type { OpenSession } from '../sessions/open-session.ts';

/** What a callback tells beside its three words. */
export interface CallbackFacts {
  readonly paymentId: string;
  readonly session: OpenSession;
  readonly words: CallbackWords;
  /** Why it failed, in words. */
  readonly reason: string | undefined;
  /** What was really paid, where the payer chose the amount. */
  readonly receivedText: string | undefined;
  readonly payerIp: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * The form body of a callback (reference: Callback, Fields). Written once with URLSearchParams, so that a value can never
 * add a field; the bytes are kept and sent as they are.
 */
export function callbackBody(facts: CallbackFacts): string {
  const { session, words, paymentId } = facts;
  const { order, customer, billing_address, custom_data } = session.request;
  const form = new URLSearchParams();
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined) form.append(name, value);
  };
  add('id', paymentId);
  add('order_number', order.number);
  add('order_amount', order.amount ?? facts.receivedText ?? '');
  add('order_currency', order.currency);
  add('order_description', order.description);
  add('order_status', words.order_status);
  add('type', words.type);
  add('status', words.status);
  add('customer_ip', facts.payerIp ?? '');
  add('date', callbackDate(facts.at));
  if (words.status === 'fail') add('reason', facts.reason?.slice(0, 1024));
  add('customer_name', customer?.name);
  add('customer_email', customer?.email);
  add('customer_country', billing_address?.country);
  add('customer_state', billing_address?.state);
  add('customer_city', billing_address?.city);
  add('customer_address', billing_address?.address);
  if (custom_data !== undefined) addNested(form, 'custom_data', custom_data);
  add('hash', callbackHash(session, paymentId));
  return form.toString();
}

/** The legacy hash of callbacks and returns; both cover the same fields (reference: Signatures, row 11). */
export function callbackHash(session: OpenSession, paymentId: string): string {
  const { order } = session.request;
  const options = { digest: session.stored.hashDigest, dialect: session.stored.hashDialect };
  const { password } = session.merchant.config;
  const fields = {
    payment_id: paymentId,
    number: order.number,
    currency: order.currency,
    description: order.description,
  };
  return order.amount === undefined
    ? signRequest('callback_without_amount', fields, password, options)
    : signRequest('callback', { ...fields, amount: order.amount }, password, options);
}

/** Nested values with bracket names: `custom_data[a][b]`. */
function addNested(form: URLSearchParams, name: string, value: unknown): void {
  if (value === null || value === undefined) return;
  if (typeof value !== 'object') return form.append(name, String(value));
  for (const [key, each] of Object.entries(value)) addNested(form, `${name}[${key}]`, each);
}

/** `YYYY-MM-DD hh:mm:ss` in UTC. */
export function callbackDate(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
