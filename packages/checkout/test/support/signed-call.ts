import { randomUUID } from 'node:crypto';
import { requestSignature } from '@railyard/core/merchant';

const secretOf = (text: string) => `whsec_${btoa(text.padEnd(32, '.'))}`;

/** Keys of the merchant, each with one permission, and of the test key. */
export const requestKeys = [
  { id: 'shop', secret: secretOf('shop'), permissions: ['create' as const] },
  { id: 'reports', secret: [secretOf('reports-new'), secretOf('reports-old')], permissions: ['read' as const] },
  { id: 'desk', secret: secretOf('desk'), permissions: ['refund' as const] },
  { id: 'payroll', secret: secretOf('payroll'), permissions: ['pay-out' as const] },
];

export const trialKeys = [
  {
    id: 'all',
    secret: secretOf('all-of-the-test-key'),
    permissions: ['create' as const, 'read' as const, 'refund' as const, 'pay-out' as const],
  },
];

/** What is signed, and what is changed after that. */
export interface SignedCall {
  readonly key: string;
  /** That of the key unless given. */
  readonly secret?: string;
  readonly id?: string;
  /** Milliseconds since 1970. */
  readonly at?: number;
  readonly method?: string;
  readonly signedPath?: string;
  readonly signedBody?: string;
  readonly idempotencyKey?: string;
  /** Added to the signature. */
  readonly more?: readonly string[];
}

/** The headers of a signed call. */
export function headersOf(path: string, body: string, call: SignedCall): Record<string, string> {
  const { key, id = randomUUID(), at = Date.now(), method = 'POST', more = [] } = call;
  const own = [...requestKeys, ...trialKeys].find((each) => each.id === key)?.secret ?? secretOf('nobody');
  const timestamp = String(Math.floor(at / 1000));
  const signed = { id, timestamp, method, path: call.signedPath ?? path };
  const bytes = new TextEncoder().encode(call.signedBody ?? body);
  const signature = requestSignature(call.secret ?? [own].flat()[0] ?? '', { ...signed, body: bytes });
  return {
    'request-key': key,
    'request-id': id,
    'request-timestamp': timestamp,
    'request-signature': [...more, signature].join(' '),
    ...(call.idempotencyKey !== undefined && { 'idempotency-key': call.idempotencyKey }),
  };
}

/** Sends a JSON body with its signature. */
export async function sendSigned(url: string, path: string, body: object, call: SignedCall) {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', ...headersOf(path, text, call) };
  const reply = await fetch(`${url}${path}`, { method: 'POST', headers, body: text });
  return { status: reply.status, json: await reply.json(), text, headers };
}

/** A session without a hash. */
export const bodyWithoutHash = ({ hash: _hash, ...body }: Readonly<Record<string, unknown>>) => body;
