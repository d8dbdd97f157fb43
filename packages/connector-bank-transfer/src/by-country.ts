/** Models the style of a provider of transfers in several countries, and no provider: its whole API is invented (README). */
import {
  amountFields,
  amountOf,
  call,
  collect,
  type ContextOf,
  decimal,
  declined,
  defineConnector,
  field,
  getOrFind,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  providerApi,
  redirect,
  type References,
  reply,
  secret,
  statusTable,
  type Steps,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { accountShown } from './account-shown.ts';
import * as samples from './by-country.samples.ts';
import { bankRedirect } from './methods/by-country.ts';

const SOURCE = 'packages/connector-bank-transfer/README.md, Provider of transfers by country';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  signing_secret: secret(z.string().min(16), 'Secret that signs notifications'),
});
type Settings = z.output<typeof settings>;

const statuses = statusTable({
  waiting: 'pending',
  received: 'pending',
  paid: 'settled',
  denied: { declined: 'soft', code: 'declined_by_bank' },
  lapsed: { declined: 'soft', code: 'expired', reason: 'The transfer did not arrive in time.' },
});

// Replies.

const reported = () => ({ order: z.string().min(1), ours: z.string().optional(), state: z.string(), ...amountFields });
const order = withAmount(
  z.object({
    ...reported(),
    page: z.url({ protocol: /^https?$/ }).optional(),
    /** Where the country has no page to go to. */
    pay_to: z
      .object({ bank: z.string(), holder: z.string(), number: z.string(), reference: z.string().optional() })
      .optional(),
  }),
);
const problem = z.object({ code: z.string(), message: z.string().optional() });
type Order = z.output<typeof order>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
  keyHeader: 'idempotency-key',
  visible: ['order', 'ours', 'state', 'amount', 'currency', 'country', 'bank', 'code'],
  reasons: new Map([['document_refused', { kind: 'soft', code: 'document_not_accepted' }]]),
});

const known = {
  found: reply(200, order, { ...samples.sampleOrder, state: 'paid' }),
  absent: reply(404, problem, samples.sampleAbsent),
};
const getOrder = api.lookup('get-order', '/orders/{order}', known);
const findOrder = api.lookup('find-order', '/orders/ours/{ours}', known);

const listBanks = api.endpoint('list-banks', 'GET /banks/{country}', {
  repeat: 'safe',
  request: (country: string) => ({ params: { country } }),
  reply: z.object({ banks: z.array(z.object({ code: z.string().min(1).max(255), name: z.string().min(1) })) }),
  examples: [{ body: samples.sampleBanks }],
});

type Purchase = ContextOf<Settings, typeof bankRedirect, 'purchase'>;
interface OrderRequest {
  readonly payment: Purchase['payment'];
  readonly urls: Purchase['urls'];
  /** The country of Mexico has none. */
  readonly bank: string | undefined;
}

const openOrder = api.endpoint('open-order', 'POST /orders', {
  repeat: 'keyed',
  request: ({ payment, urls, bank }: OrderRequest) => ({
    json: {
      ours: payment.merchantReference,
      country: payment.variant,
      amount: decimal(payment.amount),
      currency: payment.order.currency,
      description: payment.order.description,
      payer: { ...payment.parameters, bank },
      back_to: urls.return,
      report_to: urls.notify,
    },
  }),
  replies: {
    opened: reply(201, order, samples.sampleOrder, samples.sampleDetails),
    refused: reply([400, 422], problem, samples.sampleRefusal),
  },
});

// Meaning of replies.

const factsOf = (body: Pick<Order, 'state' | 'order' | 'amount' | 'currency'>) => ({
  word: body.state,
  providerReference: body.order,
  amount: amountOf(body),
});

/** The way to pay is shown once: by the reply that opened the order, or by the first lookup where that was lost. */
function outcomeOf(body: Order, asked: References): Outcome {
  const { page: url, pay_to: account } = body;
  const way = url === undefined ? account && accountShown(account) : redirect({ url });
  const show = asked.providerReference === undefined ? way : undefined;
  return ofThisPayment(statuses.read({ ...factsOf(body), show }), asked, body.ours);
}

const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-order-signature',
    key: ({ signing_secret }: Settings) => signing_secret,
  },
  codec: 'json',
  body: withAmount(z.object({ event: z.string().min(1), ...reported() })),
  events: ({ event, ...body }) => statuses.events(event, body.ours, factsOf(body)),
  examples: [{ body: samples.sampleNotification, source: SOURCE }],
});

// The connector.

const choice = z.strictObject({
  bank: field(z.string(), { label: { en: 'Your bank', pt: 'Seu banco' }, input: 'select' }),
});

/** The bank that the payer chooses from the provider’s list, or nothing where it lists none. */
function* chosenBank(country: string): Steps<string | undefined> {
  const { banks } = yield* call(listBanks, country);
  if (banks.length === 0) return undefined;
  const options = { bank: banks.map(({ code: value, name: label }) => ({ value, label })) };
  return (yield* collect({ step: 'bank', fields: choice, options, mayTurnBack: true })).bank;
}

/** Transfers at the bank of the payer's country, or to an account that is shown, in CL, CO, MX and PE. */
export const bankByCountryConnector = defineConnector({
  id: 'bank-by-country',
  contract: 1,
  version: manifest.version,
  title: 'Bank transfers by country',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(bankRedirect, {
      *purchase({ payment, urls }) {
        const { merchantReference } = payment;
        const needsBank = payment.variant !== 'MX';
        const bank = needsBank ? (payment.parameters.bank ?? (yield* chosenBank(payment.variant))) : undefined;
        if (needsBank && bank === undefined)
          return declined('soft', 'provider_unavailable', { reason: 'No bank of the country takes payments now.' });
        return yield* api.outcome(openOrder, { payment, urls, bank }, ({ body }) =>
          outcomeOf(body, { merchantReference }),
        );
      },

      *status({ payment }) {
        const answer = yield* getOrFind(payment, { get: getOrder, find: findOrder });
        return answer.reply === 'absent' ? api.notFound(answer.body) : outcomeOf(answer.body, payment);
      },
    }),
  ],
});
