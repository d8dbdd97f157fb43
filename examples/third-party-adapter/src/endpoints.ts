import { providerApi, field, secret, statusTable } from '@railyard/core';
import { z } from 'zod';

/** Where what stands here comes from. */
export const source = 'the provider’s manual, chapter 2';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  webhook_secret: secret(z.string().min(16), 'Secret of the notification signature'),
});

export const statuses = statusTable({
  waiting: 'pending',
  paid: 'settled',
  returned: 'settled',
  expired: { declined: 'soft', code: 'expired', reason: 'The code expired before it was paid.' },
});

/** A Pix code, or money that went back. */
export const told = z.object({
  id: z.string(),
  our_id: z.string(),
  state: z.string(),
  total: z.string(),
  code: z.string().optional(),
});
export type Told = z.output<typeof told>;

const problem = z.object({ error: z.string() });
const absent = { status: 404, body: problem } as const;
const refused = { status: 422, body: problem } as const;
const sample = { id: 'c-1', our_id: 'a-1', state: 'waiting', total: '10.00', code: '00020101021226PIX' };
const missing = { is: 'absent', status: 404, body: { error: 'unknown' }, source } as const;
const visible = ['id', 'our_id', 'state', 'total', 'error'];
const { endpoint } = providerApi(settings, { source });

export const createCode = endpoint({
  name: 'create-code',
  method: 'POST',
  path: '/codes',
  repeat: 'keyed',
  request: (
    json: { our_id: string; total: string; currency: string; payer_document?: string; hook: string },
    { settings, key },
  ) => ({
    headers: { authorization: `Bearer ${settings.api_key}`, 'idempotency-key': key },
    json,
  }),
  replies: { created: { status: 201, body: told }, refused },
  examples: [
    { is: 'created', status: 201, body: sample, source },
    { is: 'refused', status: 422, body: { error: 'document' }, source },
  ],
  visible,
});

export const findCode = endpoint({
  name: 'find-code',
  path: '/codes/{our_id}',
  repeat: 'safe',
  request: (our_id: string, { settings }) => ({
    params: { our_id },
    headers: { authorization: `Bearer ${settings.api_key}` },
  }),
  replies: { found: { status: 200, body: told }, absent },
  examples: [{ is: 'found', status: 200, body: sample, source }, missing],
  visible,
});

export const createReturn = endpoint({
  name: 'create-return',
  method: 'POST',
  path: '/codes/{code}/returns',
  repeat: 'keyed',
  request: ({ code, ...json }: { code: string; our_id: string; total: string }, { settings, key }) => ({
    params: { code },
    headers: { authorization: `Bearer ${settings.api_key}`, 'idempotency-key': key },
    json,
  }),
  replies: { created: { status: 201, body: told }, refused },
  examples: [
    { is: 'created', status: 201, body: { id: 'r-1', our_id: 'b-1', state: 'returned', total: '4.00' }, source },
    { is: 'refused', status: 422, body: { error: 'too_much' }, source },
  ],
  visible,
});

export const findReturn = endpoint({
  name: 'find-return',
  path: '/returns/{our_id}',
  repeat: 'safe',
  request: (our_id: string, { settings }) => ({
    params: { our_id },
    headers: { authorization: `Bearer ${settings.api_key}` },
  }),
  replies: { found: { status: 200, body: told }, absent },
  examples: [
    { is: 'found', status: 200, body: { id: 'r-1', our_id: 'b-1', state: 'returned', total: '4.00' }, source },
    missing,
  ],
  visible,
});
