import { providerApi } from '@railyard/core';
import * as z from 'zod';

export const settings = z.object({ base_url: z.url() });
const { endpoint } = providerApi(settings, { source: 'a test' });

/** A refund that a payment lists. */
const back = z.object({ id: z.string(), state: z.enum(['done', 'pending', 'refused']), amount: z.int() });

/**
 * What a reply says of a payment or an act. `held` and `amount` stand in what is looked up: a hold that was captured is none any more, and
 * less than what was asked for may have been approved. `amount` is in cents. `back`: what went back of it. `text` is the provider's own, whatever it holds.
 */
export const body = z.object({
  id: z.string(),
  state: z.enum(['done', 'pending', 'refused']),
  held: z.boolean().optional(),
  amount: z.int().optional(),
  back: z.array(back).optional(),
  text: z.string().optional(),
  validUntil: z.string().optional(),
});
export type Body = z.output<typeof body>;

const found = { found: { status: 200, body }, absent: { status: 404, body: z.unknown() } } as const;
/**
 * `used`: what a provider says that refuses a key or a reference that it has seen, or is still working on. An author who reads every error as
 * a refusal gives it the statuses of a failure, too.
 */
const taken = {
  taken: { status: 200, body },
  used: { status: [409, 500, 503], body: z.object({ error: z.string() }) },
} as const;

interface Pay {
  readonly reference: string;
  readonly amount: string;
  readonly held: boolean;
}

export interface ActRequest {
  readonly kind: string;
  readonly id: string;
  readonly payment: string;
  readonly amount: string | null;
}

export const findPay = endpoint({
  name: 'find-pay',
  method: 'GET',
  path: '/pay/{reference}',
  repeat: 'safe',
  request: (reference: string) => ({ params: { reference } }),
  replies: found,
});

export const payOnce = endpoint({
  name: 'pay-once',
  method: 'POST',
  path: '/pay',
  repeat: 'once',
  request: (input: Pay) => ({ json: { ...input } }),
  replies: taken,
});

export const payKeyed = endpoint({
  name: 'pay-keyed',
  method: 'POST',
  path: '/pay',
  repeat: 'keyed',
  request: (input: Pay, { key }) => ({ headers: { 'idempotency-key': key }, json: { ...input } }),
  replies: taken,
});

/** The provider keeps one payment under a reference. */
export const payFound = endpoint({
  name: 'pay-found',
  method: 'POST',
  path: '/pay/unique',
  repeat: 'by-reference',
  request: (input: Pay) => ({ json: { ...input } }),
  replies: taken,
  find: {
    endpoint: findPay,
    input: ({ reference }) => reference,
    read: (answer) => (answer.reply === 'found' ? { found: { reply: 'taken', body: answer.body } } : 'absent'),
  },
});

export const actKeyed = endpoint({
  name: 'act-keyed',
  method: 'POST',
  path: '/acts',
  repeat: 'keyed',
  request: (input: ActRequest, { key }) => ({ headers: { 'idempotency-key': key }, json: { ...input } }),
  replies: taken,
});

export const actOnce = endpoint({
  name: 'act-once',
  method: 'POST',
  path: '/acts',
  repeat: 'once',
  request: (input: ActRequest) => ({ json: { ...input } }),
  replies: taken,
});

export const findAct = endpoint({
  name: 'find-act',
  method: 'GET',
  path: '/acts/{id}',
  repeat: 'safe',
  request: (id: string) => ({ params: { id } }),
  replies: found,
});

export const endpoints = [payOnce, payKeyed, payFound, findPay, actKeyed, actOnce, findAct] as const;
