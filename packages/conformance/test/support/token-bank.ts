import {
  call,
  credential,
  decimal,
  defineConnector,
  defineMethod,
  providerApi,
  field,
  fromDecimal,
  type Money,
  secret,
  statusTable,
  unknown,
} from '@railyard/core';
import type { Simulation } from '@railyard/core/simulation';
import { z } from 'zod';
import type { ConformanceOptions } from '../../src/index.ts';

const settings = z.object({
  base_url: field(z.url(), { label: 'Address' }),
  client_secret: secret(z.string().min(1), 'Client secret'),
});
const source = 'the manual of the bank of these tests, chapter 2';
const { endpoint } = providerApi(settings, { source });
const charge = z.object({
  id: z.string(),
  reference: z.string().optional(),
  status: z.string(),
  amount: z.string(),
  currency: z.string(),
});
type Charge = z.output<typeof charge>;

const authenticate = endpoint({
  name: 'authenticate',
  method: 'POST',
  path: '/token',
  repeat: 'safe',
  request: (_: void, { settings: { client_secret } }) => ({ form: { client_secret } }),
  reply: z.object({ access_token: z.string() }),
  lifetimeSeconds: () => 3600,
  examples: [{ body: { access_token: 'token-of-the-manual' }, source }],
});

const createCharge = endpoint({
  name: 'create-charge',
  method: 'POST',
  path: '/charges',
  repeat: 'keyed',
  request: (input: { token: string; reference: string; amount: Money }, { key }) => ({
    headers: { authorization: `Bearer ${input.token}`, 'idempotency-key': key },
    json: { reference: input.reference, amount: decimal(input.amount), currency: input.amount.currency },
  }),
  reply: charge,
  examples: [
    { body: { id: 'ch-1', status: 'PAID', amount: '25.00', currency: 'USD' }, source },
    { body: { id: 'ch-1', status: 'FAILED', amount: '25.00', currency: 'USD' }, source },
  ],
});

const findCharge = endpoint({
  name: 'find-charge',
  path: '/charges/{reference}',
  repeat: 'safe',
  request: (input: { token: string; reference: string }) => ({
    params: { reference: input.reference },
    headers: { authorization: `Bearer ${input.token}` },
  }),
  replies: { found: { status: 200, body: charge }, absent: { status: 404, body: z.object({ error: z.string() }) } },
  examples: [{ is: 'found', body: { id: 'ch-1', status: 'PAID', amount: '25.00', currency: 'USD' }, source }],
});

const statuses = statusTable({
  PAID: 'settled',
  OPEN: 'pending',
  FAILED: { declined: 'hard', code: 'declined_by_provider', reason: 'Refused.' },
});

const read = ({ id, reference, status, amount, currency }: Charge, ours: string) =>
  reference !== undefined && reference !== ours
    ? unknown('The bank answered about another payment.')
    : statuses.read({ word: status, providerReference: id, amount: fromDecimal(amount, currency) });

/** A connector whose provider wants a token. */
export const tokenBank = defineConnector({
  id: 'token-bank',
  contract: 1,
  version: '1.0.0',
  title: 'A bank with tokens',
  settings,
  baseUrl: ({ base_url }) => base_url,
  endpoints: [authenticate, createCharge, findCharge],
  statuses,
  serves: (serve) => [
    serve(
      defineMethod({
        key: 'token-transfer',
        title: 'Transfer',
        operations: { purchase: { parameters: z.strictObject({}), completion: [] } },
      }),
      {
        *purchase({ payment: { merchantReference: reference, amount } }) {
          const { access_token: token } = yield* credential(authenticate);
          return read(yield* call(createCharge, { token, reference, amount }), reference);
        },
        *status({ payment: { merchantReference: reference } }) {
          const { access_token: token } = yield* credential(authenticate);
          const answer = yield* call(findCharge, { token, reference });
          return answer.reply === 'absent' ? unknown('The bank does not know it.') : read(answer.body, reference);
        },
      },
    ),
  ],
});

const reportedFields = {
  reply: { id: 'id', merchantReference: 'reference', status: 'status', amount: 'amount', currency: 'currency' },
};
const simulation: Simulation = {
  words: { settled: 'PAID', pending: 'OPEN', declined: 'FAILED' },
  endpoints: {
    authenticate: { effect: 'credential', request: {}, reply: {} },
    'create-charge': {
      effect: 'charge',
      request: {
        merchantReference: 'body.reference',
        amount: 'body.amount',
        currency: 'body.currency',
        key: 'headers.idempotency-key',
      },
      ...reportedFields,
    },
    'find-charge': {
      effect: 'read',
      request: { merchantReference: 'params.reference' },
      ...reportedFields,
      absent: { status: 404, body: { error: 'unknown' } },
    },
  },
};

export const tokenOptions: ConformanceOptions = {
  simulation,
  settings: { base_url: 'https://bank.example', client_secret: 'the-client-secret' },
  goldens: [
    {
      endpoint: 'authenticate',
      source,
      when: 'a token is asked for',
      request: { method: 'POST', path: '/token', body: { client_secret: '{settings.client_secret}' } },
      reply: { status: 200, body: { access_token: 'token-of-the-manual' } },
    },
    {
      endpoint: 'create-charge',
      source,
      when: 'a charge is made',
      request: {
        method: 'POST',
        path: '/charges',
        headers: { authorization: 'Bearer token-of-the-manual', 'idempotency-key': '{key}' },
        body: { reference: '{reference}', amount: '25.00', currency: 'USD' },
      },
      reply: { status: 201, body: { id: 'ch-1', status: 'PAID', amount: '25.00', currency: 'USD' } },
      outcome: { status: 'settled' },
    },
    {
      endpoint: 'find-charge',
      source,
      when: 'the charge is known',
      request: {
        method: 'GET',
        path: '/charges/{reference}',
        headers: { authorization: 'Bearer token-of-the-manual' },
      },
      reply: { status: 200, body: { id: 'ch-1', status: 'OPEN', amount: '25.00', currency: 'USD' } },
      outcome: { status: 'pending' },
    },
  ],
};
