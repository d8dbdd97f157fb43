import { signRequest } from '@railyard/core/protocol';
import { trial } from './service.ts';

/** Moves the test clock of a merchant, as their server does. @param once the request's Idempotency-Key */
export async function moveClock(
  serviceUrl: string,
  advance: string,
  { key, password }: { readonly key: string; readonly password: string } = trial,
  once?: string,
): Promise<{ readonly status: number; readonly json: unknown }> {
  const reply = await fetch(`${serviceUrl}/api/v1/test/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(once !== undefined && { 'idempotency-key': once }) },
    body: JSON.stringify({ merchant_key: key, advance, hash: signRequest('test_clock', { advance }, password) }),
  });
  return { status: reply.status, json: await reply.json() };
}
