/** Models the style of providers that pay out to bank accounts, and no provider: its whole API is invented (README). */
import {
  amountFields,
  amountOf,
  type ContextOf,
  decimal,
  declined,
  defineConnector,
  field,
  type FollowUpFlows,
  foundBy,
  getOrFind,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  providerApi,
  type References,
  reply,
  secret,
  statusTable,
  type Steps,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { bankWithdrawal } from './methods/bank-withdrawal.ts';
import { COUNTRY_OF, disbursement } from './methods/disbursement.ts';
import * as samples from './payout.samples.ts';

const SOURCE = 'packages/connector-bank-transfer/README.md, Payouts to accounts';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  signing_secret: secret(z.string().min(16), 'Secret that signs notifications'),
});
type Settings = z.output<typeof settings>;

const statuses = statusTable({
  ACCEPTED: 'pending',
  SENT: 'pending',
  PAID: 'settled',
  REJECTED: { declined: 'hard', code: 'declined_by_bank' },
  RETURNED: { declined: 'hard', code: 'payee_not_valid', reason: 'The bank of the payee sent the money back.' },
  CANCELLED: { declined: 'hard', code: 'cancelled' },
});

// Replies.

const payout = withAmount(
  z.object({ payout_id: z.string().min(1), reference: z.string().optional(), state: z.string(), ...amountFields }),
);
const problem = z.object({ code: z.string(), message: z.string().optional() });
type Payout = z.output<typeof payout>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
  visible: ['payout_id', 'reference', 'state', 'amount', 'currency', 'country', 'way', 'code'],
  reasons: new Map([
    ['ACCOUNT_NOT_VALID', { kind: 'hard', code: 'payee_not_valid' }],
    ['BALANCE_TOO_LOW', { kind: 'soft', code: 'insufficient_funds' }],
  ]),
  takenBefore: new Set(['REFERENCE_USED']),
});

const known = {
  found: reply(200, payout, { ...samples.samplePayout, state: 'PAID' }),
  absent: reply(404, problem, samples.sampleAbsent),
};
const getPayout = api.lookup('get-payout', '/payouts/{payout_id}', known);
const findPayout = api.lookup('find-payout', '/payouts/by-reference/{reference}', known);

interface PayoutRequest {
  /** The key of the method. */
  readonly way: string;
  readonly country?: string;
  /** Ours, taken once. */
  readonly reference: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  /** The fields of the protocol under its own names. */
  readonly account: Readonly<Record<string, string | undefined>>;
  readonly report_to: string;
}

/** Money that is sent twice does not come back by itself, so a request without a reply is looked up first. */
const createPayout = api.endpoint('create-payout', 'POST /payouts', {
  repeat: 'by-reference',
  request: (input: PayoutRequest) => ({ json: { ...input } }),
  find: foundBy(findPayout, ({ reference }: PayoutRequest) => reference),
  replies: {
    created: reply([200, 201], payout, samples.samplePayout),
    refused: reply([400, 402, 409, 422], problem, samples.sampleRefusal),
  },
});

// Meaning of replies.

const factsOf = (body: Payout) => ({
  word: body.state,
  providerReference: body.payout_id,
  amount: amountOf(body),
});

const outcomeOf = (body: Payout, asked: References): Outcome =>
  ofThisPayment(statuses.read(factsOf(body)), asked, body.reference);

const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-payout-signature',
    key: ({ signing_secret }: Settings) => signing_secret,
  },
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  body: z.object({ event_id: z.string().min(1), payout }),
  events: ({ event_id, payout: body }) => statuses.events(event_id, body.reference, factsOf(body)),
  examples: [{ body: samples.sampleNotification, source: SOURCE }],
});

// The connector.

type Context = ContextOf<Settings, typeof disbursement | typeof bankWithdrawal, 'credit'>;

const payOut = (
  { payment, urls }: Pick<Context, 'payment' | 'urls'>,
  to: Pick<PayoutRequest, 'way' | 'country' | 'account'>,
): Steps<Outcome> => {
  const { merchantReference, amount, order } = payment;
  const { currency, description } = order;
  const request = {
    ...to,
    reference: merchantReference,
    amount: decimal(amount),
    currency,
    description,
    report_to: urls.notify,
  };
  return api.outcome(createPayout, request, ({ body }) => outcomeOf(body, { merchantReference }));
};

function* disburse(context: ContextOf<Settings, typeof disbursement, 'credit'>): Steps<Outcome> {
  const { variant, parameters, payee_billing_address: place } = context.payment;
  const country = COUNTRY_OF[variant];
  // A rule of a method knows the currency and not the country (docs/decisions/methods-by-family.md).
  if (place?.country !== undefined && place.country !== country)
    return declined('hard', 'not_supported', { reason: `A payout in ${variant} goes to ${country}.` });
  const { method_length: _, ...account } = { method_length: 0, ...parameters };
  return yield* payOut(context, { way: 'disbursement', country, account });
}

function* withdraw(context: ContextOf<Settings, typeof bankWithdrawal, 'credit'>): Steps<Outcome> {
  const { required_fields: _, ...account } = context.payment.parameters;
  return yield* payOut(context, { way: 'bank-withdrawal', account });
}

const followUps = {
  *status({ payment }) {
    const answer = yield* getOrFind(payment, { get: getPayout, find: findPayout });
    return answer.reply === 'absent' ? api.notFound(answer.body) : outcomeOf(answer.body, payment);
  },
} satisfies FollowUpFlows<Settings>;

/** Payouts to bank accounts: in BR, CO, ID, IN, MX, PE and TH by the fields of each country, and withdrawals to an account that is described. */
export const bankPayoutConnector = defineConnector({
  id: 'bank-payout',
  contract: 1,
  version: manifest.version,
  title: 'Payouts to bank accounts',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(disbursement, { credit: disburse, ...followUps }),
    serve(bankWithdrawal, { credit: withdraw, ...followUps }),
  ],
});
