import {
  call,
  credential,
  decimal,
  defineConnector,
  providerApi,
  fromDecimal,
  notificationsFor,
  pending,
  secret,
  statusTable,
  voucher,
} from '@railyard/core';
import { z } from 'zod';
import { cashVoucher } from './methods.ts';

const settings = z.object({
  base_url: z.url(),
  private_key: secret(z.string(), 'Private key'),
  webhook_secret: secret(z.string(), 'Secret of notifications'),
});

const statuses = statusTable({
  PAID: 'settled',
  OPEN: 'pending',
  EXPIRED: {
    meaning: { declined: 'soft', code: 'expired', reason: 'The voucher was not paid in time.' },
    says: 'the time to pay the voucher is over',
  },
});

// Replies.

const session = z.object({ token: z.string() });
const reference = z.object({ reference: z.string() });
const references = z.object({ references: z.array(reference) });
const ticket = z.object({ id: z.string(), url: z.string(), expires: z.iso.datetime() });

// Endpoints.

const api = providerApi(settings, { source: 'the provider of this example' });

const authenticate = api.endpoint('authenticate', 'GET /v1/authre', {
  repeat: 'safe',
  request: (_: void, { settings }) => ({ query: { key: settings.private_key } }),
  reply: session,
  // The provider's tokens live an hour; it may take one back earlier.
  lifetimeSeconds: () => 3600,
  examples: [{ body: { token: 'token-1' } }],
});

const searchReference = api.endpoint('search-reference', 'GET /v1/searchreference', {
  repeat: 'safe',
  request: (input: { token: string; value: string }) => ({
    headers: { authorization: input.token },
    query: { Value: input.value },
  }),
  reply: references,
  examples: [{ body: { references: [{ reference: '8001' }] } }],
});

const createReference = api.endpoint({
  name: 'create-reference',
  path: '/v1/reference',
  // The provider takes a Value once, and can be asked which reference it made for it.
  repeat: 'by-reference',
  request: (input: { token: string; value: string; amount: string; single: boolean }) => ({
    headers: { authorization: input.token },
    json: { Amount: input.amount, Value: input.value, Type: String(input.single) },
  }),
  find: {
    endpoint: searchReference,
    input: ({ token, value }) => ({ token, value }),
    read: ({ references: [first] }) => (first === undefined ? 'absent' : { found: first }),
  },
  reply: reference,
  examples: [{ body: { reference: '8001' } }],
});

const createPayment = api.endpoint('create-payment', 'POST /v1/payment', {
  repeat: 'keyed',
  request: (input: { token: string; reference: string; notifyUrl: string }, { key }) => ({
    headers: { authorization: input.token, 'idempotency-key': key },
    json: { Reference: input.reference, Callback: input.notifyUrl },
  }),
  reply: ticket,
  examples: [
    {
      body: { id: 'p-1', url: 'https://voucher.example/p-1', expires: '2026-11-24T10:00:00Z' },
    },
  ],
});

// Meaning of replies.

const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    header: 'x-signature',
    encoding: 'hex',
    key: (settings) => settings.webhook_secret,
  },
  vectors: { none: 'The provider is made up for this example, and no library signs for it.' },
  codec: 'json',
  body: z.object({
    event: z.string(),
    id: z.string(),
    status: z.string(),
    paid: z.string(),
    currency: z.string(),
  }),
  events: ({ event, id, status, paid, currency }) => [
    {
      kind: 'payment',
      id: event,
      providerReference: id,
      outcome: statuses.read({ word: status, providerReference: id, amount: fromDecimal(paid, currency) }),
    },
  ],
});

// The connector.

export const voucherConnector = defineConnector({
  id: 'voucher-three-steps',
  contract: 1,
  version: '1.0.0',
  title: 'Cash vouchers in three steps',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(cashVoucher, {
      *purchase({ payment, urls }) {
        const { token } = yield* credential(authenticate);
        const { reference } = yield* call(createReference, {
          token,
          value: payment.merchantReference,
          amount: decimal(payment.amount),
          single: payment.parameters.single,
        });
        const ticket = yield* call(createPayment, { token, reference, notifyUrl: urls.notify });
        return pending(ticket.id, voucher({ reference, document: ticket.url, validUntil: ticket.expires }));
      },
    }),
  ],
});
