import {
  amountFields,
  call,
  field,
  type Money,
  providerApi,
  type Reasons,
  reply,
  secret,
  statusTable,
  withAmount,
} from '@railyard/core';
import { shortDecimal } from '@railyard/core/formats';
import * as z from 'zod';
import * as samples from './gsma.samples.ts';

export const SOURCE = 'https://github.com/gsmainclusivetechlab, Mobile Money API 1.2.0';

/** The names of the credentials are those of the provider's own clients (github.com/gsmainclusivetechlab/mmapi-nodejs-sdk). */
export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), {
    label: 'Address of the provider’s API, with its version and /mm',
  }),
  oauth_url: field(z.url({ protocol: /^https?$/ }), {
    label: 'Address of the provider’s OAuth server',
    help: 'Without /accesstoken at its end.',
  }),
  consumerKey: field(z.string().min(1), { label: 'Consumer key' }),
  consumerSecret: secret(z.string().min(1), 'Consumer secret'),
  apiKey: secret(z.string().min(1), 'API key (X-API-Key)'),
  party_key: field(z.string().min(1).max(256).default('accountid'), {
    label: 'Kind of the merchant’s account identifier (key of a party)',
  }),
  party_value: field(z.string().min(1).max(256), { label: 'The merchant’s account identifier (value of a party)' }),
});

export type Settings = z.output<typeof settings>;

type ReasonOf = Reasons extends ReadonlyMap<string, infer R> ? R : never;

const LIMITS = [
  'dailyVolumeLimitExceeded',
  'dailyValueLimitExceeded',
  'weeklyVolumeLimitExceeded',
  'weeklyValueLimitExceeded',
  'monthlyVolumeLimitExceeded',
  'monthlyValueLimitExceeded',
  'accountMaxTotalVolumeExceeded',
  'accountMaxTotalValueExceeded',
  'maxBalanceExceeded',
];

/** Of errorObject.errorCode those whose name says why; any other leaves the general reason. */
export const reasons: Reasons = new Map<string, ReasonOf>([
  ...LIMITS.map((code): [string, ReasonOf] => [code, { kind: 'soft', code: 'limit_exceeded' }]),
  ['insufficientFunds', { kind: 'soft', code: 'insufficient_funds' }],
  ['lessThanTransactionMinValue', { kind: 'hard', code: 'amount_not_accepted' }],
  ['greaterThanTransactionMaxValue', { kind: 'hard', code: 'amount_not_accepted' }],
  ['currencyNotSupported', { kind: 'hard', code: 'not_supported' }],
]);

/** The status of a request state. That of a transaction is free text: other words than these leave the payment unknown. */
export const statuses = statusTable(
  { pending: 'pending', completed: 'settled', failed: { declined: 'soft', code: 'not_completed' } },
  reasons,
);

// Replies.

const problem = z.object({ errorCode: z.string(), errordescription: z.string().optional() });
export const wordsOf = ({ errorCode: code, errordescription: message }: z.output<typeof problem>) => ({
  code,
  ...(message !== undefined && { message }),
});
const references = {
  transactionReference: z.string().min(1),
  requestingOrganisationTransactionReference: z.string().optional(),
  transactionStatus: z.string(),
};
const transaction = withAmount(z.object({ ...references, ...amountFields }));
const reversal = z.object(references);
export type Reported = z.output<typeof reversal>;
/** A callback brings the transaction or the reversal, or the error that ended it. */
export const notified = z.union([withAmount(z.object({ ...references, ...amountFields, type: z.string() })), problem]);
const requestState = z.object({
  serverCorrelationId: z.string().min(1),
  objectReference: z.string().min(1).optional(),
  status: z.string(),
  // The examples of the provider's clients have times without a zone: those say nothing.
  expiryTime: z.iso.datetime({ offset: true }).optional().catch(undefined),
  error: problem.optional(),
});
export type RequestState = z.output<typeof requestState>;
const refused = (...shown: readonly unknown[]) => reply([400, 404], problem, ...shown);
const accepted = reply(202, requestState, samples.sampleState);
const absent = reply(404, problem, samples.sampleAbsent);

// Endpoints.

export const api = providerApi(settings, {
  source: SOURCE,
  token: {
    name: 'authenticate',
    path: '/accesstoken',
    baseUrl: ({ oauth_url }) => oauth_url,
    client: ({ consumerKey: id, consumerSecret }) => ({ by: 'basic', id, secret: consumerSecret }),
  },
  headers: ({ apiKey }) => ({ 'x-api-key': apiKey }),
  visible: ['transactionReference', 'transactionStatus', 'amount', 'currency', 'status', 'type', 'errorCode', 'link'],
  words: wordsOf,
  reasons,
  // The provider has a request with this correlation id.
  takenBefore: new Set(['duplicateRequest']),
});

export const getResponse = api.lookup('get-response', '/responses/{clientCorrelationId}', {
  found: reply(200, z.object({ link: z.string().min(1) }), samples.sampleResponse),
  absent,
});

const failed = { ...samples.sampleState, status: 'failed', error: samples.sampleRefusal };
export const getRequestState = api.lookup('get-request-state', '/requeststates/{serverCorrelationId}', {
  found: reply(200, requestState, { ...samples.sampleState, status: 'completed' }, failed),
  absent,
});

export const getTransaction = api.lookup('get-transaction', '/transactions/{transactionReference}', {
  found: reply(200, transaction, samples.sampleTransaction),
  absent,
});

/** The last part of a link, behind the name of its resource. */
const LINK = /(requeststates|transactions)\/([^/?#]+)$/;

/** The state or the transaction that the provider made of a request with this correlation id; nothing where it does not say. */
export function* madeOf(correlationId: string) {
  const answer = yield* call(getResponse, correlationId);
  if (answer.reply === 'absent') return answer;
  const [, kind, id = ''] = LINK.exec(answer.body.link) ?? [];
  if (kind === undefined) return undefined;
  if (kind === 'transactions') {
    const made = yield* call(getTransaction, id);
    return made.reply === 'found' ? ({ reply: 'created', body: made.body } as const) : undefined;
  }
  const state = yield* call(getRequestState, id, 'get-linked-state');
  return state.reply === 'found' ? ({ reply: 'accepted', body: state.body } as const) : undefined;
}

/** A request without a reply is found by its correlation id. */
const find = {
  endpoints: [getResponse, getTransaction, getRequestState],
  *steps({ correlationId }: Correlated) {
    const made = yield* madeOf(correlationId);
    if (made === undefined) return 'unclear';
    return made.reply === 'absent' ? 'absent' : { found: made };
  },
} as const;

interface Correlated {
  /** Ours: X-CorrelationID, and the reference of what is made. */
  readonly correlationId: string;
  readonly callbackUrl: string;
  readonly amount: Money;
}

const correlated = ({ correlationId, callbackUrl }: Correlated) => ({
  'x-correlationid': correlationId,
  'x-callback-url': callbackUrl,
});
const referred = ({ correlationId, amount }: Correlated) => ({
  requestingOrganisationTransactionReference: correlationId,
  amount: shortDecimal(amount),
  currency: amount.currency,
});

type Party = Readonly<Record<'key' | 'value', string>>;

export interface NewTransaction extends Correlated {
  readonly transactionType: 'merchantpay' | 'disbursement';
  readonly descriptionText: string;
  readonly debitParty: readonly [Party];
  readonly creditParty: readonly [Party];
}

/** descriptionText takes 160 characters. */
export const createTransaction = api.endpoint({
  name: 'create-transaction',
  path: '/transactions/type/{transactionType}',
  repeat: 'by-reference',
  request: ({ transactionType, descriptionText, debitParty, creditParty, ...asked }: NewTransaction) => ({
    params: { transactionType },
    headers: correlated(asked),
    json: {
      ...referred(asked),
      descriptionText: [...descriptionText].slice(0, 160).join(''),
      debitParty,
      creditParty,
    },
  }),
  find,
  replies: {
    accepted,
    created: reply(201, transaction, samples.sampleTransaction),
    refused: refused(samples.sampleDuplicate, samples.sampleRefusal),
  },
});

export const createReversal = api.endpoint({
  name: 'create-reversal',
  path: '/transactions/{transactionReference}/reversals',
  repeat: 'by-reference',
  request: ({ transactionReference, ...asked }: Correlated & { readonly transactionReference: string }) => ({
    params: { transactionReference },
    headers: correlated(asked),
    json: { ...referred(asked), type: 'reversal' },
  }),
  find,
  replies: {
    accepted,
    created: reply(201, reversal, samples.sampleReversal),
    refused: refused({ ...samples.sampleRefusal, errorCode: 'incorrectState' }),
  },
});
