import {
  call,
  decimal,
  declined,
  defineConnector,
  providerApi,
  fromDecimal,
  type Money,
  type Outcome,
  type Reasons,
  secret,
  settled,
  statusTable,
  unknown,
} from '@railyard/core';
import { oneOrMany } from '@railyard/core/formats';
import { z } from 'zod';
import { storeAccount } from './methods.ts';

const settings = z.object({
  base_url: z.url(),
  shop: z.string(),
  sign_key: secret(z.string(), 'Signing key'),
});
type Settings = z.output<typeof settings>;

const statuses = statusTable({ APPROVED: 'settled' });

/** The provider's codes that say why; after any other one another attempt may succeed. */
const CODES: Reasons = new Map([
  ['14', { kind: 'hard', code: 'account_not_found' }],
  ['51', { kind: 'soft', code: 'insufficient_funds' }],
  ['54', { kind: 'hard', code: 'account_closed' }],
]);

// Replies.

const refund = z.object({ id: z.string(), reference: z.string(), amount: z.string() });
const problem = z.object({ error: z.object({ '@code': z.string(), '#text': z.string() }) });

// Endpoints.

const api = providerApi(settings, { source: 'the provider of this example', codec: 'xml' });

/** Every request is one XML document, signed as a whole. */
const document = (shop: Settings, name: string, content: Record<string, string>) => ({
  xml: { [name]: { '@shop': shop.shop, ...content } },
  sign: {
    scheme: 'hmac',
    algorithm: 'sha256',
    key: shop.sign_key,
    over: ({ body }: { body: string }) => body,
    encoding: 'hex',
    into: { header: 'x-signature' },
  } as const,
});

const query = api.endpoint('query', 'POST /query', {
  repeat: 'safe',
  request: (reference: string, { settings }) => document(settings, 'query', { reference }),
  replies: {
    found: {
      status: 200,
      body: z.object({
        payment: z.object({
          id: z.string(),
          status: z.string(),
          amount: z.string(),
          '@currency': z.string(),
          refund: oneOrMany(refund),
        }),
      }),
    },
    absent: { status: 404, body: z.unknown() },
  },
  examples: [
    {
      is: 'found',
      body: { payment: { id: 'x-1', status: 'APPROVED', amount: '25.00', '@currency': 'USD' } },
    },
  ],
});

const charge = api.endpoint({
  name: 'charge',
  path: '/charge',
  // The provider charges twice when it is asked twice.
  repeat: 'once',
  request: (input: { reference: string; account: string; amount: Money }, { settings }) =>
    document(settings, 'charge', {
      reference: input.reference,
      account: input.account,
      amount: decimal(input.amount),
      currency: input.amount.currency,
    }),
  replies: {
    approved: { status: 200, body: z.object({ payment: z.object({ id: z.string(), amount: z.string() }) }) },
    refused: { status: 402, body: problem },
  },
  examples: [{ is: 'approved', body: { payment: { id: 'x-1', amount: '25.00' } } }],
  visible: ['payment.id'],
});

const giveBack = api.endpoint('refund', 'POST /refund', {
  repeat: 'by-reference',
  // The key is the reference of this refund: a payment may have several.
  request: (input: { payment: string; reference: string; amount: Money }, { settings, key }) =>
    document(settings, 'refund', { payment: input.payment, reference: key, amount: decimal(input.amount) }),
  find: {
    endpoint: query,
    input: ({ reference }, { key }) => `${reference}/${key}`,
    read: (found) => {
      const made = found.reply === 'found' ? found.body.payment.refund[0] : undefined;
      return made === undefined ? 'absent' : { found: { reply: 'made', body: { refund: made } } };
    },
  },
  replies: {
    made: { status: 200, body: z.object({ refund }) },
    refused: { status: 402, body: problem },
  },
  examples: [{ is: 'made', body: { refund: { id: 'r-1', reference: 'k-1', amount: '10.00' } } }],
});

// Meaning of replies.

/** The merchant reads the provider's own words, the payer the page's text of the code. */
function decline({ error: { '@code': code, '#text': message } }: z.output<typeof problem>): Outcome {
  const { kind, code: why } = CODES.get(code) ?? { kind: 'soft', code: 'declined_by_provider' };
  return declined(kind, why, { reason: message, provider: { code, message } });
}

// The connector.

export const xmlConnector = defineConnector({
  id: 'xml-decline',
  contract: 1,
  version: '1.0.0',
  title: 'Store accounts over XML',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: api.endpoints,
  statuses,
  serves: (serve) => [
    serve(storeAccount, {
      *purchase({ payment }) {
        const { merchantReference: reference, amount } = payment;
        const made = yield* call(charge, { reference, amount, account: payment.parameters.account });
        if (made.reply === 'refused') return decline(made.body);
        const { id, amount: paid } = made.body.payment;
        return settled(id, fromDecimal(paid, amount.currency));
      },

      refund: {
        partial: true,
        *flow({ payment, amount }) {
          const { merchantReference: reference } = payment;
          const made = yield* call(giveBack, { payment: payment.providerReference, reference, amount });
          if (made.reply === 'refused')
            return declined('soft', 'declined_by_provider', { reason: made.body.error['#text'] });
          return settled(made.body.refund.id, fromDecimal(made.body.refund.amount, amount.currency));
        },
      },

      *status({ payment }) {
        const found = yield* call(query, payment.merchantReference);
        if (found.reply === 'absent') return unknown('The provider does not know the payment.');
        const { id, status, amount, '@currency': currency } = found.body.payment;
        return statuses.read({ word: status, providerReference: id, amount: fromDecimal(amount, currency) });
      },
    }),
  ],
});
