import {
  amountFields,
  amountOf,
  call,
  type ContextOf,
  declined,
  defineConnector,
  field,
  type LookedUpPayment,
  type Money,
  moneyOfMinor,
  type Outcome,
  type ProviderEvent,
  providerApi,
  type Reasons,
  reply,
  secret,
  type Show,
  type StatusReport,
  statusTable,
  type Steps,
  unknown,
  withAmount,
  withGivenBack,
  withReason,
} from '@railyard/core';
import { atMost, shortDecimal } from '@railyard/core/formats';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import * as samples from './gsma.samples.ts';
import { promptOn } from './handset.ts';
import { mobileMoneyGsma } from './methods.ts';

const address = () => z.url({ protocol: /^https?$/ });

/** The names of the credentials are those of the provider's own clients (github.com/gsmainclusivetechlab/mmapi-nodejs-sdk). */
const settings = z.object({
  base_url: field(address(), { label: 'Address of the provider’s API, with its version and /mm' }),
  oauth_url: field(address(), { label: 'Address of the OAuth server', help: 'Without /accesstoken at its end.' }),
  consumerKey: field(z.string().min(1), { label: 'Consumer key' }),
  consumerSecret: secret(z.string().min(1), 'Consumer secret'),
  apiKey: secret(z.string().min(1), 'API key (X-API-Key)'),
  party_key: field(z.string().min(1).max(256).default('accountid'), {
    label: 'Kind of the merchant’s account identifier (key of a party)',
  }),
  party_value: field(z.string().min(1).max(256), { label: 'The merchant’s account identifier (value of a party)' }),
});

const limits = ['daily', 'weekly', 'monthly'].flatMap((of) => [`${of}VolumeLimitExceeded`, `${of}ValueLimitExceeded`]);
const totals = ['accountMaxTotalVolumeExceeded', 'accountMaxTotalValueExceeded', 'maxBalanceExceeded'];
const over: Reasons = new Map([...limits, ...totals].map((code) => [code, { kind: 'soft', code: 'limit_exceeded' }]));

/** Of errorObject.errorCode those whose name says why; any other leaves the general reason. */
export const reasons: Reasons = new Map([
  ...over,
  ['insufficientFunds', { kind: 'soft', code: 'insufficient_funds' }],
  ['lessThanTransactionMinValue', { kind: 'hard', code: 'amount_not_accepted' }],
  ['greaterThanTransactionMaxValue', { kind: 'hard', code: 'amount_not_accepted' }],
  ['currencyNotSupported', { kind: 'hard', code: 'not_supported' }],
]);

/** The status of a request state. That of a transaction is free text: other words than these leave the payment unknown. */
const statuses = statusTable(
  { pending: 'pending', completed: 'settled', failed: { declined: 'soft', code: 'not_completed' } },
  reasons,
);

// Replies.

const problem = z.object({ errorCode: z.string(), errordescription: z.string().optional() });
const wordsOf = ({ errorCode: code, errordescription: message }: z.output<typeof problem>) => ({
  code,
  ...(message !== undefined && { message }),
});
const references = () => ({
  transactionReference: z.string().min(1),
  requestingOrganisationTransactionReference: z.string().optional(),
  transactionStatus: z.string(),
  type: z.string(),
});
const transaction = withAmount(z.object({ ...references(), ...amountFields }));
const reversal = z.object(references());
const requestState = z.object({
  serverCorrelationId: z.string().min(1),
  objectReference: z.string().min(1).optional(),
  status: z.string(),
  // The examples of the provider's clients have times without a zone: those say nothing.
  expiryTime: z.iso.datetime({ offset: true }).optional().catch(undefined),
  error: problem.optional(),
});
const refused = reply([400, 404], problem, samples.sampleDuplicate, samples.sampleRefusal, samples.sampleUnmoved);
const accepted = reply(202, requestState, samples.sampleState);

// Endpoints.

const api = providerApi(settings, {
  source: 'https://github.com/gsmainclusivetechlab, Mobile Money API 1.2.0',
  token: {
    name: 'authenticate',
    path: '/accesstoken',
    baseUrl: ({ oauth_url }) => oauth_url,
    client: ({ consumerKey: id, consumerSecret }) => ({ by: 'basic', id, secret: consumerSecret }),
  },
  headers: ({ apiKey }) => ({ 'x-api-key': apiKey }),
  visible: ['transactionReference', 'transactionStatus', 'amount', 'currency', 'status', 'type', 'errorCode', 'link'],
  absent: reply(404, problem, samples.sampleAbsent),
  words: wordsOf,
  reasons,
  // The provider has a request with this correlation id.
  takenBefore: new Set(['duplicateRequest']),
});

const link = reply(200, z.object({ link: z.string().min(1) }), ...samples.sampleLinks);
const getResponse = api.lookup('get-response', '/responses/{clientCorrelationId}', link);

const state = reply(200, requestState, { ...samples.sampleState, status: 'completed' }, samples.sampleFailed);
const getRequestState = api.lookup('get-request-state', '/requeststates/{serverCorrelationId}', state);

const found = reply(200, transaction, samples.sampleTransaction);
const getTransaction = api.lookup('get-transaction', '/transactions/{transactionReference}', found);

/** The page of a provider that is asked for none (description: limit), so no provider's pages are shorter. */
const PAGE = 50;
const MOST_PAGES = 20;

/** A reversal is a transaction of the merchant's account, which names the one that it takes back. */
const reversals = z.array(
  z.object({
    ...references(),
    ...amountFields,
    originalTransactionReference: z.string().optional(),
  }),
);
const listReversals = api.endpoint('list-reversals', 'GET /accounts/{identifierType}/{identifier}/transactions', {
  repeat: 'safe',
  request: (offset: number, { settings: { party_key, party_value } }) => ({
    params: { identifierType: party_key, identifier: party_value },
    query: {
      transactionType: 'reversal',
      limit: String(PAGE),
      ...(offset > 0 && { offset: String(offset) }),
    },
  }),
  replies: {
    listed: reply(200, reversals, [samples.sampleListedReversal], samples.samplePage),
    refused: reply([400, 401, 403, 404], problem, samples.sampleAbsent),
  },
});

/** The last part of a link, behind the name of its resource. */
const LINK = /(requeststates|transactions)\/([^/?#]+)$/;

/** The state or the transaction that the provider made of a request with this correlation id; nothing where it does not say. */
function* madeOf(correlationId: string) {
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

interface Correlated {
  /** Ours: X-CorrelationID, and the reference of what is made. */
  readonly correlationId: string;
  /** Ends in the correlation id, and that of a reversal in the payment's and its own: an error names nothing. */
  readonly callbackUrl: string;
  readonly amount: Money;
  readonly params: Readonly<Record<string, string>>;
  readonly json: Readonly<Record<string, string | readonly Readonly<Record<'key' | 'value', string>>[]>>;
}

/** A request without a reply is found by its correlation id. */
const correlated = {
  repeat: 'by-reference',
  request: ({ correlationId, callbackUrl, amount, params, json }: Correlated) => ({
    params,
    headers: { 'x-correlationid': correlationId, 'x-callback-url': callbackUrl },
    json: {
      requestingOrganisationTransactionReference: correlationId,
      amount: shortDecimal(amount),
      currency: amount.currency,
      ...json,
    },
  }),
  find: {
    endpoints: [getResponse, getTransaction, getRequestState],
    *steps({ correlationId }: Correlated) {
      const made = yield* madeOf(correlationId);
      if (made === undefined) return 'unclear';
      return made.reply === 'absent' ? 'absent' : { found: made };
    },
  },
} as const;

const createTransaction = api.endpoint('create-transaction', 'POST /transactions/type/{transactionType}', {
  ...correlated,
  replies: { accepted, created: reply(201, transaction, samples.sampleTransaction), refused },
});

const createReversal = api.endpoint('create-reversal', 'POST /transactions/{transactionReference}/reversals', {
  ...correlated,
  replies: { accepted, created: reply(201, reversal, samples.sampleReversal), refused },
});

// Meaning of replies.

/**
 * The state of a request under its correlation id, which is the name that both sides know it by. It says that the request is over; only
 * the transaction says what became of it, so no state settles an amount.
 */
function stateOutcome(body: z.output<typeof requestState>, id: string, show?: Show): Outcome {
  const { status: word, serverCorrelationId, error } = body;
  const said = { providerReference: id, connectorState: { [id]: serverCorrelationId } };
  if (word === 'completed') return unknown('The request is completed, and its transaction is not known yet.', said);
  return statuses.read({ ...said, word, amount: moneyOfMinor(0n, 'USD'), show, ...(error && wordsOf(error)) });
}

function transactionOutcome(body: z.output<typeof reversal>, id: string, amount: Money): Outcome {
  const { transactionStatus: word, requestingOrganisationTransactionReference: merchantReference } = body;
  const facts = { word, providerReference: id, merchantReference, amount };
  const kept = body.type === 'reversal' ? {} : { connectorState: { transaction: body.transactionReference } };
  return statuses.read({ ...facts, ...kept }, { merchantReference: id });
}

/** The outcome of a request: by its state, or by its correlation id where the state is not known or no longer there. */
function* lookedUp(id: string, known: Readonly<Record<string, string>>): Steps<Outcome> {
  const server = known[id];
  const state = server === undefined ? undefined : yield* call(getRequestState, server);
  const answer = state?.reply === 'found' ? ({ reply: 'accepted', body: state.body } as const) : yield* madeOf(id);
  if (answer === undefined) return unknown('The provider does not say what it made of the request.');
  if (answer.reply === 'absent') return api.notFound(answer.body);
  if (answer.reply === 'created') return transactionOutcome(answer.body, id, amountOf(answer.body));
  const { status, objectReference } = answer.body;
  if (status !== 'completed' || objectReference === undefined) return stateOutcome(answer.body, id);
  const made = yield* call(getTransaction, objectReference);
  if (made.reply === 'absent') return stateOutcome(answer.body, id);
  return transactionOutcome(made.body, id, amountOf(made.body));
}

/** Every reversal of the merchant's account; nothing of a provider without the list, `unclear` where its end is not reached. */
function* allReversals(): Steps<z.output<typeof reversals> | 'unclear'> {
  const all = new Map<string, z.output<typeof reversals>[number]>();
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = yield* call(listReversals, all.size, page === 0 ? 'list-reversals' : `list-reversals-${page + 1}`);
    if (answer.reply === 'refused') return page === 0 ? [] : 'unclear';
    const before = all.size;
    for (const each of answer.body) all.set(each.transactionReference, each);
    // A provider without pages gives the same ones again.
    if (answer.body.length < PAGE || all.size === before) return [...all.values()];
  }
  return 'unclear';
}

const UNREAD_REVERSALS =
  'The account has more reversals than are read: one of this payment may be among the others. Look at the provider.';

/**
 * How a payment stands. One whose transaction was known before may have been taken back since, also in the provider's panel: the list of the
 * account's reversals says so. A provider without the list says nothing of those.
 */
function* paymentStatus({ merchantReference, connectorState }: LookedUpPayment): Steps<StatusReport> {
  const outcome = yield* lookedUp(merchantReference, connectorState);
  const { transaction } = connectorState;
  if (outcome.status !== 'settled' || transaction === undefined) return outcome;
  const listed = yield* allReversals();
  if (listed === 'unclear') return unknown(UNREAD_REVERSALS, { providerReference: outcome.providerReference });
  const back = listed.filter((each) => each.originalTransactionReference === transaction);
  return withGivenBack(
    outcome,
    merchantReference,
    back.map((each): ProviderEvent => {
      const { transactionReference, requestingOrganisationTransactionReference: own, transactionStatus: word } = each;
      // One of ours has our reference, one of the panel the provider's alone.
      const providerReference = own ?? transactionReference;
      const event = { id: `${providerReference}/${word}`, providerReference: merchantReference };
      return { ...event, kind: 'refund', outcome: statuses.read({ word, providerReference, amount: amountOf(each) }) };
    }),
  );
}

const notifications = api.notifications({
  verify: { scheme: 'unsigned', confirm: 'status' },
  // A callback brings the transaction or the reversal, or the error that ended it.
  body: z.union([transaction, problem]),
  events: (body, { raw }) => {
    const [payment, reversal] = raw.path.split('/').slice(1);
    const isError = 'errorCode' in body;
    const own = isError ? undefined : body.requestingOrganisationTransactionReference;
    const isReversal = reversal !== undefined || (!isError && body.type === 'reversal');
    const merchantReference = payment ?? own;
    const id = isReversal ? (reversal ?? own) : merchantReference;
    if (merchantReference === undefined || id === undefined) return [];
    const outcome = isError
      ? withReason(declined('soft', 'not_completed', { provider: wordsOf(body) }), reasons, body.errorCode)
      : transactionOutcome(body, id, amountOf(body));
    const event = { id: `${id}/${isError ? body.errorCode : body.transactionStatus}`, merchantReference, outcome };
    return [{ ...event, kind: isReversal ? 'refund' : 'payment', providerReference: merchantReference }];
  },
  acknowledge: { status: 204 },
  examples: [{ body: samples.sampleTransaction }, { body: samples.sampleRefusal }],
});

// The connector.

type Context = ContextOf<z.output<typeof settings>, typeof mobileMoneyGsma, 'purchase' | 'credit'>;

function* moved({ payment, settings, urls }: Context, transactionType: 'merchantpay' | 'disbursement'): Steps<Outcome> {
  const { merchantReference: id, amount, order, parameters } = payment;
  const phone = { key: 'msisdn', value: parameters.mobile_number };
  const merchant = { key: settings.party_key, value: settings.party_value };
  const isPaid = transactionType === 'merchantpay';
  const asked = {
    correlationId: id,
    callbackUrl: `${urls.notify}/${id}`,
    amount,
    params: { transactionType },
    json: {
      // It takes 160 characters.
      descriptionText: atMost(order.description, 160, 'utf-16'),
      debitParty: [isPaid ? phone : merchant],
      creditParty: [isPaid ? merchant : phone],
    },
  };
  return yield* api.outcome(createTransaction, asked, (made) => {
    if (made.reply === 'created') return transactionOutcome(made.body, id, amountOf(made.body));
    const show = isPaid ? promptOn({ number: phone.value, expiresAt: made.body.expiryTime }) : undefined;
    return stateOutcome(made.body, id, show);
  });
}

/** Any provider with the GSMA Mobile Money API: checked against its official description, not yet against a live API. */
export const gsmaConnector = defineConnector({
  id: 'mobile-money-gsma',
  contract: 1,
  version: manifest.version,
  title: 'Mobile money, GSMA Mobile Money API',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(mobileMoneyGsma, {
      purchase: (context) => moved(context, 'merchantpay'),
      credit: (context) => moved(context, 'disbursement'),
      status: ({ payment }) => paymentStatus(payment),
      modificationStatus: ({ payment, modification }) => lookedUp(modification.id, payment.connectorState),
      // A reversal may name an amount; whether less than the whole is taken back stands nowhere in the description.
      refund: {
        partial: false,
        *flow({ payment, id, amount, urls }) {
          // The transaction is kept when the payment was settled by a lookup.
          const { transaction: kept } = payment.connectorState;
          const made = kept === undefined ? yield* madeOf(payment.merchantReference) : undefined;
          const transactionReference = made?.reply === 'created' ? made.body.transactionReference : kept;
          if (transactionReference === undefined)
            return declined('soft', 'provider_error', { reason: 'The provider names no transaction of this payment.' });
          const callbackUrl = `${urls.notify}/${payment.merchantReference}/${id}`;
          const params = { transactionReference };
          const asked = { correlationId: id, callbackUrl, amount, params, json: { type: 'reversal' } };
          return yield* api.outcome(createReversal, asked, (made) =>
            made.reply === 'accepted' ? stateOutcome(made.body, id) : transactionOutcome(made.body, id, amount),
          );
        },
      },
    }),
  ],
});
