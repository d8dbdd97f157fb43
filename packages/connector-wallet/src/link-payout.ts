/** Models the style of payouts by a link with a security question, and no provider: its whole API is invented (README). */
import {
  amountFields,
  amountOf,
  type ContextOf,
  defineConnector,
  field,
  type FlowContext,
  foundBy,
  getOrFind,
  jsonNumber,
  type LookedUpPayment,
  type Money,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  providerApi,
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
import * as samples from './link-payout.samples.ts';
import { linkPayout } from './methods/link-payout.ts';

const SOURCE = 'packages/connector-wallet/README.md, Payouts by a link';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  webhook_secret: secret(z.string().min(16), 'Secret of the notification signature'),
  account_uuid: field(z.uuid(), { label: 'Account from which payouts are made' }),
  fee_calculation: field(z.enum(['account_level', 'transaction_level']).default('account_level'), {
    label: 'How fees are calculated',
  }),
});
type Settings = z.output<typeof settings>;

const statuses = statusTable({
  sent: 'pending',
  taken: 'settled',
  rejected: { declined: 'hard', code: 'declined_by_provider' },
  locked: {
    declined: 'hard',
    code: 'authentication_failed',
    reason: 'The receiver gave wrong answers to the question.',
  },
  not_taken: { declined: 'soft', code: 'expired', reason: 'The receiver did not take the money in time.' },
  cancelled: { declined: 'hard', code: 'cancelled' },
});

// Replies.

const reported = () => ({ payout_id: z.string().min(1), reference: z.string(), status: z.string(), ...amountFields });
const payout = withAmount(z.object(reported()));
const problem = z.object({ code: z.string(), message: z.string().optional() });

type Payout = z.output<typeof payout>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ authorization: `Bearer ${api_key}` }),
  visible: ['payout_id', 'reference', 'status', 'amount', 'currency', 'fee_calculation', 'code'],
  reasons: new Map([['balance_too_low', { kind: 'soft', code: 'insufficient_funds' }]]),
  takenBefore: new Set([samples.sampleUsed.code]),
});

const known = {
  found: reply(200, payout, { ...samples.samplePayout, status: 'taken' }),
  absent: reply(404, problem, samples.sampleAbsent),
};
const getPayout = api.lookup('get-payout', '/payouts/{payout_id}', known);
const findPayout = api.lookup('find-payout', '/payouts/by-reference/{reference}', known);

interface PayoutRequest {
  /** Ours, taken once. */
  readonly reference: string;
  readonly amount: Money;
  readonly description: string;
  readonly payer: { readonly name: string; readonly email: string };
  readonly security: { readonly question: string; readonly answer: string };
  readonly notify_url: string;
}

/** Money that is sent twice may be taken twice, so a request without a reply is looked up first. */
const sendPayout = api.endpoint('send-payout', 'POST /payouts', {
  repeat: 'by-reference',
  request: ({ amount, ...input }: PayoutRequest, { settings: { account_uuid, fee_calculation } }) => ({
    json: { account_uuid, fee_calculation, ...input, amount: jsonNumber(amount), currency: amount.currency },
  }),
  find: foundBy(findPayout, ({ reference }: PayoutRequest) => reference),
  replies: {
    created: reply([200, 201], payout, samples.samplePayout),
    refused: reply([400, 402, 409, 422], problem, samples.sampleRefusal, samples.sampleUsed),
  },
});

// Meaning of replies.

const factsOf = ({ payout_id, status: word, ...said }: Payout) => ({
  word,
  providerReference: payout_id,
  amount: amountOf(said),
});

const outcomeOf = (said: Payout, asked: References): Outcome =>
  ofThisPayment(statuses.read(factsOf(said)), asked, said.reference);

const notifications = notificationsFor(settings)({
  verify: timestampedHmac((account: Settings) => account.webhook_secret),
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  body: withAmount(z.object({ event_id: z.string().min(1), ...reported() })),
  events: ({ event_id, ...said }) => statuses.events(event_id, said.reference, factsOf(said)),
  examples: [{ body: samples.sampleNotification, source: SOURCE }],
});

// The connector.

const credit = ({ payment, urls }: ContextOf<Settings, typeof linkPayout, 'credit'>): Steps<Outcome> => {
  const { merchantReference: reference, amount, needed, parameters } = payment;
  const request = {
    reference,
    amount,
    description: needed['order.description'],
    payer: { name: needed['customer.name'], email: needed['customer.email'] },
    security: { question: parameters.SecurityQuestion, answer: parameters.SecurityQuestionAnswer },
    notify_url: urls.notify,
  };
  return api.outcome(sendPayout, request, ({ body }) => outcomeOf(body, { merchantReference: reference }));
};

function* status({ payment }: FlowContext<Settings> & { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const answer = yield* getOrFind(payment, { get: getPayout, find: findPayout });
  return answer.reply === 'absent' ? api.notFound(answer.body) : outcomeOf(answer.body, payment);
}

/** Payouts that their receiver takes by a link, once they answer a question. */
export const linkPayoutConnector = defineConnector({
  id: 'link-payout',
  contract: 1,
  version: manifest.version,
  title: 'Payouts by a link',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [serve(linkPayout, { credit, status })],
});
