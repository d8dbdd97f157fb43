import { signRequest } from '@railyard/core/protocol';
import * as z from 'zod';
import { merchant, type sessionBody } from '../support/service.ts';
import type { Deployment } from './deployment.ts';
import { heardOf } from './heard.ts';

export type Body = ReturnType<typeof sessionBody>;

const sessionSchema = z.object({ redirect_url: z.string() });

/** Another request with the same Idempotency-Key is being handled. */
export const UNDER_WAY = 409;

export const postJson = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Asks for a session until there is one. @returns the path of its page */
export async function openPage(deployment: Deployment, body: Body): Promise<string> {
  const reply = await deployment.request('/api/v1/session', postJson(body));
  if (reply.status !== 200) throw new Error(`No session: ${reply.status} ${reply.text}`);
  return new URL(sessionSchema.parse(JSON.parse(reply.text)).redirect_url).pathname;
}

/** Submits a form of the page. */
export async function submit(
  deployment: Deployment,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const reply = await deployment.request(path, { method: 'POST', body: new URLSearchParams(fields) });
  if (reply.status !== 303) throw new Error(`${path}: ${reply.status} ${reply.text.slice(0, 500)}`);
}

/**
 * What the merchant's server asks for, until it has an answer. Whoever asks again may hear that it is done already: the answer says little.
 *
 * @param once an Idempotency-Key, where asking later once more would be asking for more
 */
export async function order(deployment: Deployment, what: string, body: object, once?: string): Promise<void> {
  const { headers, ...init } = postJson({ merchant_key: merchant.key, ...body });
  const request = { ...init, headers: { ...headers, ...(once !== undefined && { 'idempotency-key': once }) } };
  const isAnswered = async () => (await deployment.request(`/api/v1/payment/${what}`, request)).status !== UNDER_WAY;
  await deployment.until(isAnswered, `The answer to ${what}`);
}

/** The fields of the callbacks of an order so far. */
export const callbacksOf = (deployment: Deployment, number: string) =>
  deployment.outside.shop.received.map(({ fields }) => fields).filter((fields) => heardOf(fields).order === number);

/** Callbacks of what the payer has to do first succeed as that; the payment is not over. */
const STEPS: ReadonlySet<string | undefined> = new Set(['3ds', 'redirect', 'init']);

/** How often the merchant was told a status of an order. */
export const timesTold = (deployment: Deployment, number: string, status: string): number =>
  callbacksOf(deployment, number).filter((fields) => fields.status === status && !STEPS.has(fields.type)).length;

/** Waits until the merchant is told. */
export async function told(deployment: Deployment, number: string, status: string, type?: string) {
  const find = () =>
    callbacksOf(deployment, number).find(
      (fields) => fields.status === status && (type === undefined ? !STEPS.has(fields.type) : fields.type === type),
    );
  await deployment.until(
    () => find() !== undefined,
    `The callback "${type === undefined ? status : `${type} ${status}`}" of ${number}`,
  );
  return find() ?? {};
}

/** The merchant's own question must give the answer that he was told. */
export async function asked(deployment: Deployment, number: string, status = 'settled'): Promise<void> {
  const payment_id = callbacksOf(deployment, number).at(-1)?.id ?? '';
  const hash = signRequest('status_by_payment', { payment_id }, merchant.password);
  const reply = await deployment.request(
    '/api/v1/payment/status',
    postJson({ merchant_key: merchant.key, payment_id, hash }),
  );
  if (!reply.text.includes(`"${status}"`)) throw new Error(`The status of ${number}: ${reply.text}`);
}
