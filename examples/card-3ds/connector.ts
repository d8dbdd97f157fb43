import {
  call,
  decimal,
  declined,
  defineConnector,
  providerApi,
  fromDecimal,
  type DeclineCode,
  type Money,
  notificationsFor,
  type PaymentCard,
  type ProviderEvent,
  secret,
  settled,
  statusTable,
  unknown,
  visit,
} from '@railyard/core';
import { z } from 'zod';
import { card } from './methods.ts';

const settings = z.object({ base_url: z.url(), api_key: secret(z.string(), 'API key') });

const statuses = statusTable({
  CAPTURED: 'settled',
  CHALLENGE: 'pending',
  REFUSED: { declined: 'soft', code: 'declined_by_bank', reason: 'The bank refused the payment.' },
});

/** The acquirer's codes that a payer can do something about. */
const CODES: ReadonlyMap<string, DeclineCode> = new Map([
  ['14', 'card_not_valid'],
  ['51', 'insufficient_funds'],
]);

// Replies.

const challenge = z.object({ id: z.string(), acs_url: z.url(), creq: z.string() });
const refusal = z.object({ code: z.string(), message: z.string() });
const found = z.object({
  id: z.string(),
  status: z.string(),
  amount: z.string(),
  currency: z.string(),
  cres: z.string().optional(),
  challenge: challenge.optional(),
});

// Endpoints.

const api = providerApi(settings, {
  source: 'the provider of this example',
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
});

const findPayments = api.endpoint('find-payments', 'GET /payments', {
  repeat: 'safe',
  request: (reference: string) => ({ query: { reference } }),
  reply: z.object({ payments: z.array(found) }),
  examples: [{ body: { payments: [{ id: 'c-1', status: 'CAPTURED', amount: '25.00', currency: 'USD' }] } }],
  visible: ['payments.id', 'payments.status'],
});

interface AuthoriseInput {
  readonly reference: string;
  readonly amount: Money;
  readonly card: PaymentCard;
  readonly returnUrl: string;
}

const authorise = api.endpoint('authorise', 'POST /payments', {
  repeat: 'by-reference',
  request: ({ reference, amount, card, returnUrl }: AuthoriseInput) => ({
    json: {
      reference,
      amount: decimal(amount),
      currency: amount.currency,
      card: { number: card.number, cvv: card.cvv, expiry: `${card.expiryMonth}/${card.expiryYear}` },
      return_url: returnUrl,
    },
  }),
  find: {
    endpoint: findPayments,
    input: ({ reference }) => reference,
    read: ({ payments: [payment] }) => {
      if (payment === undefined) return 'absent';
      return payment.challenge === undefined ? 'unclear' : { found: { reply: 'challenge', body: payment.challenge } };
    },
  },
  replies: { challenge: { status: 202, body: challenge }, refused: { status: 402, body: refusal } },
  examples: [{ is: 'challenge', body: { id: 'c-1', acs_url: 'https://acs.example/', creq: 'e30' } }],
});

const complete = api.endpoint('complete', 'POST /payments/{id}/complete', {
  repeat: 'keyed',
  request: ({ id, cres }: { id: string; cres: string }, { key }) => ({
    params: { id },
    headers: { 'idempotency-key': key },
    json: { cres },
  }),
  replies: {
    captured: { status: 200, body: z.object({ amount: z.string(), currency: z.string() }) },
    refused: { status: 402, body: refusal },
  },
  examples: [{ is: 'captured', body: { amount: '25.00', currency: 'USD' } }],
});

// Meaning of replies.

/** The event in a payment of the provider: the same from a lookup and from a notification. */
function eventOf({ id, status, amount, currency, cres }: z.output<typeof found>): ProviderEvent {
  const event = { id: `${id}/${status}`, providerReference: id };
  const said = fromDecimal(amount, currency);
  // The payer is back at the provider, whether or not the browser found its way back to us.
  if (status === 'AUTHENTICATED' && cres !== undefined) return { ...event, kind: 'returned', values: { cres } };
  const outcome = statuses.read({ word: status, providerReference: id, amount: said });
  return { ...event, kind: 'payment', outcome };
}

/** The merchant reads the acquirer's own words, the payer the page's text of the code. */
const decline = (id: string | undefined, { code, message }: z.output<typeof refusal>) =>
  declined('soft', CODES.get(code) ?? 'card_declined', {
    reason: message,
    provider: { code, message },
    ...(id !== undefined && { providerReference: id }),
  });

const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    header: 'x-signature',
    encoding: 'base64',
    key: (settings) => settings.api_key,
    over: ({ body }, { time }) => `${time}.${body}`,
    timestamp: { header: 'x-signed-at', toleranceSeconds: 300 },
  },
  vectors: { none: 'The provider is made up for this example, and no library signs for it.' },
  codec: 'json',
  body: found,
  events: (payment) => [eventOf(payment)],
});

// The connector.

export const cardConnector = defineConnector({
  id: 'card-3ds',
  contract: 1,
  version: '1.0.0',
  title: 'Cards with 3-D Secure',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(card, {
      *purchase({ payment, urls }) {
        const { merchantReference: reference, amount } = payment;
        const asked = yield* call(authorise, { reference, amount, card: payment.card, returnUrl: urls.return });
        if (asked.reply === 'refused') return decline(undefined, asked.body);
        const { id, acs_url, creq } = asked.body;
        const { cres } = yield* visit({
          purpose: 'authenticate',
          url: acs_url,
          method: 'POST',
          fields: { creq },
          reference: id,
          until: z.object({ cres: z.string() }),
          // The payment is completed below, so a payer who turns back has paid nothing.
          mayTurnBack: true,
        });
        const done = yield* call(complete, { id, cres });
        if (done.reply === 'refused') return decline(id, done.body);
        return settled(id, fromDecimal(done.body.amount, done.body.currency));
      },

      *status({ payment }) {
        const { payments } = yield* call(findPayments, payment.merchantReference);
        const [first] = payments;
        return first === undefined ? unknown('The provider does not know the payment.') : { events: [eventOf(first)] };
      },
    }),
  ],
});
