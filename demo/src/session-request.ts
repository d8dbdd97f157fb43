import { randomUUID } from 'node:crypto';
import { signSession } from '@railyard/core/protocol';
import { requestSignature } from '@railyard/core/merchant';
import { merchant } from './merchant.ts';
import type { Order } from './orders.ts';
import type { Product } from './shop-pages.ts';

/** The payer's address, by the currency that they pay in. */
const PAYER_AT: Readonly<Record<string, object>> = {
  MXN: { country: 'MX', phone: '+525522997233' },
  KES: { country: 'KE' },
  GHS: { country: 'GH' },
  EUR: { country: 'PT' },
  GBP: { country: 'GB' },
};

/** What of a product goes into the request of its order. */
type Sold = Pick<Product, 'operation' | 'methods' | 'parameters'>;

/** The key and the secrets of an order: subscriptions are tests, whose clock can be moved. */
export const signerOf = ({ schedule }: Pick<Order, 'schedule'>) =>
  schedule === undefined
    ? {
        key: merchant.key,
        password: merchant.password,
        callbackSecret: merchant.callbackSecret,
        requestKeys: merchant.requestKeys,
      }
    : { key: merchant.testKey, ...merchant.test };

/** The session request of an order, signed. */
export function sessionRequest(order: Order, { operation, methods, parameters }: Sold, shopUrl: string) {
  const { number, amount, currency, description, schedule } = order;
  const { key, password } = signerOf(order);
  const page = (name: string) => `${shopUrl}/orders/${encodeURIComponent(number)}?back=${name}`;
  return {
    merchant_key: key,
    operation,
    methods,
    order: { number, amount, currency, description },
    success_url: page('success'),
    cancel_url: page('cancel'),
    expiry_url: page('expiry'),
    error_url: page('error'),
    ...(operation === 'credit' && { payee: { name: 'Maria Silva' } }),
    ...(schedule !== undefined && {
      recurring_init: true,
      recurring_consent_required: true,
      schedule_id: schedule,
      payment_schedule_amount: amount,
    }),
    ...(parameters && { parameters }),
    customer: { name: 'Maria Silva', email: 'maria@example.com' },
    billing_address: PAYER_AT[currency] ?? { country: 'BR' },
    custom_data: { shop: 'demo' },
    hash: signSession({ number, amount, currency, description }, password),
  };
}

/** The headers that sign a request: nothing in it, nor where it is sent, can be changed, and it is accepted once. */
function signedHeaders(order: Order, path: string, body: string): Record<string, string> {
  const [key] = signerOf(order).requestKeys;
  const signed = { id: randomUUID(), timestamp: String(Math.floor(Date.now() / 1000)), method: 'POST', path };
  return {
    'request-key': key.id,
    'request-id': signed.id,
    'request-timestamp': signed.timestamp,
    'request-signature': requestSignature(key.secret, { ...signed, body: new TextEncoder().encode(body) }),
  };
}

/** Sends the request of an order to the checkout. @returns the page to send the payer to, or the checkout's error */
export async function createSession(
  checkoutUrl: string,
  order: Order,
  request: object,
): Promise<{ redirectUrl: string } | { error: string }> {
  const text = await signedPost(checkoutUrl, '/api/v1/session', order, request);
  const answer: unknown = JSON.parse(text);
  if (typeof answer === 'object' && answer !== null && 'redirect_url' in answer)
    return { redirectUrl: String(answer.redirect_url) };
  return { error: text };
}

/** Asks the checkout for a token of payment fields. @returns its answer, JSON as text */
export const createToken = (checkoutUrl: string, order: Order, request: object): Promise<string> =>
  signedPost(checkoutUrl, '/api/v1/session/token', order, request);

async function signedPost(checkoutUrl: string, path: string, order: Order, request: object): Promise<string> {
  const body = JSON.stringify(request);
  const headers = { 'content-type': 'application/json', ...signedHeaders(order, path, body) };
  return (await fetch(`${checkoutUrl}${path}`, { method: 'POST', headers, body })).text();
}
