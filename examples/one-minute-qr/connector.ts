import {
  call,
  decimal,
  defineConnector,
  providerApi,
  fromDecimal,
  type Money,
  notificationsFor,
  type Outcome,
  pending,
  qr,
  secret,
  statusTable,
  type Steps,
  unknown,
} from '@railyard/core';
import { z } from 'zod';
import { quickCode } from './methods.ts';

const settings = z.object({ base_url: z.url(), api_key: secret(z.string(), 'API key') });

// An expired code may still be paid: a payer who scanned it in time has another few minutes to confirm.
const statuses = statusTable({
  PAID: 'settled',
  OPEN: 'pending',
  EXPIRED: { meaning: 'pending', says: 'scanned in time, it may still be paid' },
});

// Replies.

const made = z.object({ id: z.string(), content: z.string(), expires_at: z.iso.datetime() });
const codeState = z.object({ id: z.string(), status: z.string(), amount: z.string(), currency: z.string() });

// Endpoints.

const api = providerApi(settings, {
  source: 'the provider of this example',
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
});

const createCode = api.endpoint('create-code', 'POST /codes', {
  repeat: 'keyed',
  request: (amount: Money, { key }) => ({
    // The key is the order number, because every code needs one of its own; the provider answers it twice with the same code.
    json: { order: key, amount: decimal(amount), currency: amount.currency },
  }),
  reply: made,
  examples: [{ body: { id: 'q-1', content: 'QUICK.q-1', expires_at: '2026-11-21T10:01:00Z' } }],
});

const getCode = api.endpoint('get-code', 'GET /codes/{id}', {
  repeat: 'safe',
  request: (id: string) => ({ params: { id } }),
  reply: codeState,
  examples: [{ body: { id: 'q-1', status: 'PAID', amount: '25.00', currency: 'USD' } }],
});

// Meaning of replies.

const notifications = notificationsFor(settings)({
  verify: { scheme: 'unsigned', confirm: 'status' },
  codec: 'form',
  body: z.object({ code: z.string() }),
  // The outcome is only a hint; what counts is what `status` answers.
  events: ({ code }) => [{ kind: 'payment', id: `hint-${code}`, providerReference: code, outcome: pending(code) }],
});

// The connector.

/** A code for the same payment, at first and whenever the one before has run out. */
function* showCode(amount: Money): Steps<Outcome> {
  const { id, content, expires_at } = yield* call(createCode, amount);
  return pending(id, qr({ content, validUntil: expires_at }));
}

export const quickConnector = defineConnector({
  id: 'one-minute-qr',
  contract: 1,
  version: '1.0.0',
  title: 'Codes that live a minute',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(quickCode, {
      *purchase({ payment }) {
        return yield* showCode(payment.amount);
      },

      *renew({ payment }) {
        return payment.amount === 'payer' ? unknown('A code needs an amount.') : yield* showCode(payment.amount);
      },

      *status({ payment }) {
        if (payment.providerReference === undefined) return unknown('No code was made yet.');
        const { id, status, amount, currency } = yield* call(getCode, payment.providerReference);
        return statuses.read({ word: status, providerReference: id, amount: fromDecimal(amount, currency) });
      },
    }),
  ],
});
