import {
  amountFields,
  amountOf,
  call,
  decimal,
  defineConnector,
  field,
  getOrFind,
  notFound,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  providerApi,
  redirect,
  type References,
  refusedBy,
  secret,
  statusTable,
  timestampedHmac,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { sampleAbsent, sampleNotification, samplePayment, sampleRefund } from './example-pay.samples.ts';
import { exampleMethod } from './methods.ts';

/** Where the samples come from: the page of the provider's documentation. */
const SOURCE = 'README.md, The provider’s API';

/** The configuration of each account at the provider. Credentials are marked `secret`: they are sealed and never shown. */
const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  webhook_secret: secret(z.string().min(16), 'Secret of the notification signature'),
});

/** The provider's words. A word that does not stand here is `unknown`: the payment is looked up, never guessed. */
const statuses = statusTable({
  OPEN: 'pending',
  PAID: 'settled',
  FAILED: { declined: 'soft', code: 'not_completed' },
  // Words that the simulation never says are explained after the documentation.
  EXPIRED: { meaning: { declined: 'soft', code: 'expired' }, says: 'the time to pay is over' },
  BLOCKED: {
    meaning: { declined: 'hard', code: 'account_restricted', reason: 'The account may not pay.' },
    says: 'the account of the payer may not pay',
  },
});

// Replies.

/** Name what the flows use and nothing else: the rest of a reply is dropped before anything is written down. */
const result = { id: z.string().min(1), reference: z.string().optional(), status: z.string(), ...amountFields };
const payment = withAmount(z.object({ ...result, payer_url: z.url({ protocol: /^https?$/ }).optional() }));
const refund = withAmount(z.object(result));
const problem = z.object({ code: z.string(), message: z.string().optional() });

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
  keyHeader: 'idempotency-key',
  visible: ['id', 'reference', 'status', 'amount', 'currency', 'code'],
});

interface PaymentRequest {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  readonly account_name: string;
  readonly statement_text?: string | undefined;
  readonly return_url: string;
  readonly notify_url: string;
}

/** The provider keeps one payment for each `Idempotency-Key`, so a request without a reply is sent again with the same key. */
const createPayment = api.endpoint('create-payment', 'POST /v1/payments', {
  repeat: 'keyed',
  request: (input: PaymentRequest) => ({ json: { ...input } }),
  replies: { created: { status: 201, body: payment }, refused: { status: [400, 402, 422], body: problem } },
  examples: [
    { is: 'created', status: 201, body: samplePayment },
    { is: 'refused', status: 422, body: { code: 'account_closed', message: 'The account is closed.' } },
  ],
});

const samples = { found: { ...samplePayment, status: 'PAID' }, absent: sampleAbsent };
const payments = { found: payment, absent: problem, samples };
const getPayment = api.lookup('get-payment', '/v1/payments/{id}', payments);
const findPayment = api.lookup('find-payment', '/v1/payments/by-reference/{reference}', payments);

const createRefund = api.endpoint('create-refund', 'POST /v1/payments/{id}/refunds', {
  repeat: 'keyed',
  // `id`: the provider's, of the payment. `reference`: ours for the refund.
  request: ({ id, ...json }: Readonly<Record<'id' | 'reference' | 'amount', string>>) => ({ params: { id }, json }),
  replies: { created: { status: 201, body: refund }, refused: { status: [400, 404, 409, 422], body: problem } },
  examples: [
    { is: 'created', status: 201, body: sampleRefund },
    { is: 'refused', status: 409, body: { code: 'not_refundable' } },
  ],
});

const findRefund = api.lookup('find-refund', '/v1/refunds/by-reference/{reference}', {
  found: refund,
  absent: problem,
  samples: { found: sampleRefund, absent: sampleAbsent },
});

// Meaning of replies.

const factsOf = ({ id, status, ...amount }: Omit<z.output<typeof refund>, 'reference'>) => ({
  word: status,
  providerReference: id,
  amount: amountOf(amount),
});

/** The outcome of a payment or a refund. A reply that refers to another one says nothing about this one. */
function outcomeOf(result: z.output<typeof refund>, asked: References, payerUrl?: string): Outcome {
  const show = payerUrl === undefined ? undefined : redirect({ url: payerUrl });
  return ofThisPayment(statuses.read({ ...factsOf(result), show }), asked, result.reference);
}

const paymentOutcome = (body: z.output<typeof payment>, asked: References): Outcome =>
  outcomeOf(body, asked, body.payer_url);

/** The provider's own reports. The signature is checked on the bytes as they came, before they are read. */
const notifications = notificationsFor(settings)({
  verify: timestampedHmac(({ webhook_secret }) => webhook_secret),
  // Give a notification that the provider's documentation or library signed, with its secret: [{ body, headers, settings, at, source }].
  vectors: { none: 'The provider of this template is made up, and no library signs for it.' },
  codec: 'json',
  body: z.object({
    event_id: z.string().min(1),
    payment: withAmount(z.object({ ...result, reference: z.string() })),
  }),
  events: ({ event_id, payment }) => statuses.events(event_id, payment.reference, factsOf(payment)),
  acknowledge: { status: 204 },
  examples: [{ body: sampleNotification, source: SOURCE }],
});

// The connector.

/** Everything that a deployment needs of Example Pay, as one value. */
export const examplePayConnector = defineConnector({
  id: 'example-pay',
  contract: 1,
  version: manifest.version,
  title: 'Example Pay',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(exampleMethod, {
      /** The payer is sent to the provider's page; a notification or a lookup reports the outcome. */
      *purchase({ payment, urls }) {
        const { merchantReference: reference, amount, order, parameters } = payment;
        const answer = yield* call(createPayment, {
          reference,
          amount: decimal(amount),
          currency: order.currency,
          description: order.description,
          ...parameters,
          return_url: urls.return,
          notify_url: urls.notify,
        });
        return answer.reply === 'created' ? paymentOutcome(answer.body, payment) : refusedBy(answer.body);
      },

      /** By the provider's id, or by our reference where its reply was lost. */
      *status({ payment }) {
        const answer = yield* getOrFind(payment, { get: getPayment, find: findPayment });
        return answer.reply === 'absent' ? notFound(answer.body) : paymentOutcome(answer.body, payment);
      },

      /** Gives back the whole amount or a part of it. */
      refund: {
        partial: true,
        *flow({ payment, id: reference, amount }) {
          const answer = yield* call(createRefund, {
            id: payment.providerReference,
            reference,
            amount: decimal(amount),
          });
          return answer.reply === 'created'
            ? outcomeOf(answer.body, { merchantReference: reference })
            : refusedBy(answer.body);
        },
      },

      /** A refund whose reply was lost. */
      *modificationStatus({ modification: { id } }) {
        const answer = yield* call(findRefund, id);
        return answer.reply === 'absent' ? notFound(answer.body) : outcomeOf(answer.body, { merchantReference: id });
      },
    }),
  ],
});
