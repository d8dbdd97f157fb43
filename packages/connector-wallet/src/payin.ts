/** Models the style of a wallet that gives a challenge before it takes a payment, and no provider: its whole API is invented (README). */
import {
  amountFields,
  amountOf,
  call,
  type ContextOf,
  decimal,
  defineConnector,
  field,
  type FlowContext,
  getOrFind,
  type LookedUpPayment,
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
  timestampedHmac,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { nameParts } from './methods/person.ts';
import { walletPayin } from './methods/wallet-payin.ts';
import * as samples from './payin.samples.ts';

const SOURCE = 'packages/connector-wallet/README.md, Wallet with a challenge';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  terminal_key: secret(z.string().min(1), 'Key of the terminal'),
  webhook_secret: secret(z.string().min(16), 'Secret of the notification signature'),
});
type Settings = z.output<typeof settings>;

const statuses = statusTable({
  created: 'pending',
  accepted: 'settled',
  rejected: { declined: 'soft', code: 'declined_by_provider' },
  canceled: { declined: 'soft', code: 'cancelled_by_payer' },
  expired: { declined: 'soft', code: 'expired' },
});

// Replies.

const reported = () => ({
  transaction_id: z.string().min(1),
  merchant_reference: z.string(),
  state: z.string(),
  ...amountFields,
});
const page = () => ({ checkout_url: z.url({ protocol: /^https?$/ }).optional() });
const transaction = withAmount(z.object({ ...reported(), ...page() }));
const problem = z.object({ code: z.string(), message: z.string().optional() });

type Transaction = z.output<typeof transaction>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ terminal_key }) => ({ authorization: terminal_key }),
  keyHeader: 'request-key',
  visible: ['transaction_id', 'merchant_reference', 'state', 'amount', 'currency', 'code'],
  reasons: new Map([[samples.sampleSpent.code, { kind: 'soft', code: 'timed_out' }]]),
});

const known = {
  found: reply(200, transaction, { ...samples.sampleTransaction, state: 'accepted' }),
  absent: reply(404, problem, samples.sampleAbsent),
};
const getTransaction = api.lookup('get-transaction', '/transactions/{transaction_id}', known);
const findTransaction = api.lookup('find-transaction', '/transactions/by-reference/{reference}', known);

type Purchase = ContextOf<Settings, typeof walletPayin, 'purchase'>;

/** Another challenge changes nothing: one that no transaction is made with is worth nothing. */
const createChallenge = api.endpoint('create-challenge', 'POST /challenges', {
  repeat: 'safe',
  request: ({ merchantReference, amount }: Pick<Purchase['payment'], 'merchantReference' | 'amount'>) => ({
    json: { merchant_reference: merchantReference, amount: decimal(amount), currency: amount.currency },
  }),
  reply: z.object({ challenge_id: z.string().min(1) }),
  examples: [{ body: samples.sampleChallenge }],
});

interface TransactionRequest extends Pick<Purchase, 'payment' | 'urls'> {
  readonly challenge_id: string;
}

const createTransaction = api.endpoint('create-transaction', 'POST /transactions', {
  repeat: 'keyed',
  request: ({ challenge_id, payment, urls }: TransactionRequest) => {
    const { merchantReference, amount, needed, order } = payment;
    const { first, last } = nameParts(needed['customer.name']);
    return {
      json: {
        challenge_id,
        merchant_reference: merchantReference,
        amount: decimal(amount),
        currency: amount.currency,
        description: order.description,
        customer: { first_name: first, last_name: last, email: needed['customer.email'] },
        billing: {
          phone: needed['billing_address.phone'],
          country: needed['billing_address.country'],
          address: needed['billing_address.address'],
          city: needed['billing_address.city'],
          zip: needed['billing_address.zip'],
        },
        return_url: urls.return,
        notify_url: urls.notify,
      },
    };
  },
  replies: {
    created: reply([200, 201], transaction, samples.sampleTransaction),
    refused: reply([400, 402, 422], problem, samples.sampleRefusal, samples.sampleSpent),
  },
});

// Meaning of replies.

const factsOf = ({ transaction_id, state: word, ...said }: Omit<Transaction, 'checkout_url'>) => ({
  word,
  providerReference: transaction_id,
  amount: amountOf(said),
});

/** The payer is sent to the page once: by the reply that made the transaction, or by the first lookup where that was lost. */
function outcomeOf({ checkout_url: url, ...said }: Transaction, asked: References): Outcome {
  const show = url === undefined || asked.providerReference !== undefined ? undefined : redirect({ url });
  return ofThisPayment(statuses.read({ ...factsOf(said), show }), asked, said.merchant_reference);
}

const notifications = notificationsFor(settings)({
  verify: timestampedHmac((account: Settings) => account.webhook_secret),
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  body: withAmount(z.object({ event_id: z.string().min(1), ...reported() })),
  events: ({ event_id, ...said }) => statuses.events(event_id, said.merchant_reference, factsOf(said)),
  examples: [{ body: samples.sampleNotification, source: SOURCE }],
});

// The connector.

function* purchase({ payment, urls }: Purchase): Steps<Outcome> {
  const { challenge_id } = yield* call(createChallenge, payment);
  return yield* api.outcome(createTransaction, { challenge_id, payment, urls }, ({ body }) =>
    outcomeOf(body, { merchantReference: payment.merchantReference }),
  );
}

function* status({ payment }: FlowContext<Settings> & { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const answer = yield* getOrFind(payment, { get: getTransaction, find: findTransaction });
  return answer.reply === 'absent' ? api.notFound(answer.body) : outcomeOf(answer.body, payment);
}

/** Payments from a wallet that wants to know its payer, each begun with a challenge. */
export const walletPayinConnector = defineConnector({
  id: 'wallet-payin',
  contract: 1,
  version: manifest.version,
  title: 'Wallet with a challenge',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [serve(walletPayin, { purchase, status })],
});
