import {
  amountFields,
  amountOf,
  call,
  type ContextOf,
  defineConnector,
  field,
  type LookedUpPayment,
  notFound,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  providerApi,
  refusedBy,
  secret,
  type Show,
  statusTable,
  type Steps,
  wholeUnits,
  withAmount,
} from '@railyard/core';
import { withoutPlus } from '@railyard/identifiers/phone';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { afterLookup, promptOn } from './handset.ts';
import { mobileMoneyUganda } from './methods.ts';
import { sampleTransaction, sampleAbsent } from './narrative.samples.ts';

const SOURCE = 'packages/connector-mobile-money/README.md, Narrative provider';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  username: field(z.string().min(1), { label: 'User name of the API' }),
  password: secret(z.string().min(1), 'Password of the API'),
});

type Settings = z.output<typeof settings>;

/** Words of a transaction. `INDETERMINATE` and `EXPIRED` are left out on purpose: they are looked up, see `afterLookup`. */
const statuses = statusTable({
  PENDING: 'pending',
  SUCCEEDED: 'settled',
  FAILED: { declined: 'soft', code: 'not_completed' },
});

/** The provider's word for a request that the payer did not confirm in time. */
const TIMED_OUT = 'EXPIRED';

/** Codes that say that the provider has a request under this reference or key already. */
const TAKEN_BEFORE: ReadonlySet<string> = new Set(['-22']);

// Replies.

const reported = () => ({
  TransactionReference: z.string().min(1),
  /** Ours. */
  ExternalReference: z.string().optional(),
  TransactionStatus: z.string(),
  Amount: amountFields.amount,
  CurrencyCode: amountFields.currency,
});

/** Elements of XML are text: `Amount` and `CurrencyCode` are read under the names that amounts have here. */
const response = withAmount(
  z
    .object({ ...reported(), StatusMessage: z.string().max(255).optional() })
    .transform(({ Amount: amount, CurrencyCode: currency, ...said }) => ({ ...said, amount, currency })),
);

const transaction = z.object({ Response: response });
const problem = z.object({
  Response: z.object({ StatusCode: z.string(), StatusMessage: z.string().optional() }),
});

type Transaction = z.output<typeof response>;

const isTaken = { 'Response.Status': 'OK' } as const;
const isError = { 'Response.Status': 'ERROR' } as const;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  codec: 'xml',
  visible: [
    'Request.Method',
    'Request.Amount',
    'Request.ExternalReference',
    'Response.Status',
    'Response.StatusCode',
    'Response.TransactionStatus',
    'Response.TransactionReference',
    'Response.Amount',
    'Response.CurrencyCode',
  ],
});

const request = ({ username, password }: Settings, fields: Readonly<Record<string, string | undefined>>) => ({
  xml: { Request: { APIUsername: username, APIPassword: password, ...fields } },
});

/** The provider is asked by our reference: it has no lookup by its own. */
const findTransaction = api.endpoint('find-transaction', 'POST /transactions/check', {
  repeat: 'safe',
  request: (reference: string, { settings }) =>
    request(settings, { Method: 'CheckTransaction', ExternalReference: reference }),
  replies: {
    found: { status: 200, where: isTaken, body: transaction },
    absent: { status: 200, where: isError, body: problem },
  },
  examples: [
    {
      is: 'found',
      status: 200,
      body: { Response: { ...sampleTransaction, TransactionStatus: 'SUCCEEDED' } },
    },
    { is: 'absent', status: 200, body: sampleAbsent },
  ],
});

interface DepositInput {
  /** Whole shillings. */
  readonly Amount: string;
  /** Digits with the calling code. */
  readonly Account: string;
  readonly AccountProviderCode: string | undefined;
  readonly Narrative: string;
  readonly NarrativeFileName: string | undefined;
  readonly NarrativeFileBase64: string | undefined;
  readonly ProviderReferenceText: string | undefined;
  readonly ExternalReference: string;
  readonly NotificationUrl: string;
}

/** The provider takes an `ExternalReference` once, so a request without a reply is looked up by it. */
const createDeposit = api.endpoint('create-deposit', 'POST /deposits', {
  repeat: 'by-reference',
  request: (input: DepositInput, { settings }) => request(settings, { Method: 'Deposit', ...input, Currency: 'UGX' }),
  find: {
    endpoint: findTransaction,
    input: ({ ExternalReference }) => ExternalReference,
    read: (answer) => (answer.reply === 'found' ? { found: { reply: 'created', body: answer.body } } : 'absent'),
  },
  replies: {
    created: { status: 200, where: isTaken, body: transaction },
    refused: {
      status: 200,
      where: isError,
      refuses: { says: 'Status ERROR: the request was not accepted' },
      body: problem,
    },
  },
  examples: [
    { is: 'created', status: 200, body: { Response: sampleTransaction } },
    {
      is: 'refused',
      status: 200,
      body: { Response: { Status: 'ERROR', StatusCode: '-9', StatusMessage: 'The account is not known.' } },
    },
  ],
});

// Meaning of replies.

/** The outcome of a transaction that was looked up by our reference. */
function outcomeOf(
  { TransactionReference: reference, ExternalReference: said, TransactionStatus: word, ...amount }: Transaction,
  merchantReference: string,
  show?: Show,
): Outcome {
  const outcome = statuses.read({ word, providerReference: reference, amount: amountOf(amount), show });
  return ofThisPayment(outcome, { merchantReference }, said);
}

const problemOf = ({ Response: { StatusCode: code, StatusMessage: message } }: z.output<typeof problem>) => ({
  code,
  message,
});

/** Any sender may forge these, so they only say where to look: the transaction is asked before anything changes. */
const notifications = notificationsFor(settings)({
  verify: { scheme: 'unsigned', confirm: 'status' },
  codec: 'form',
  body: withAmount(
    z.object({
      transaction_reference: z.string().min(1),
      external_reference: z.string(),
      status: z.string(),
      ...amountFields,
    }),
  ),
  // The provider numbers no events; a transaction takes each status once.
  events: ({ transaction_reference: providerReference, external_reference: ours, status: word, ...amount }) =>
    statuses.events(`${providerReference}/${word}`, ours, { word, providerReference, amount: amountOf(amount) }),
  examples: [
    {
      body: {
        transaction_reference: sampleTransaction.TransactionReference,
        external_reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11',
        status: 'SUCCEEDED',
        amount: sampleTransaction.Amount,
        currency: sampleTransaction.CurrencyCode,
      },
      source: SOURCE,
    },
  ],
});

// The connector.

type Purchase = ContextOf<Settings, typeof mobileMoneyUganda, 'purchase'>;

function* purchase({ payment, urls }: Purchase): Steps<Outcome> {
  const { mobile_number: number, AccountProviderCode, ProviderReferenceText } = payment.parameters;
  const answer = yield* call(createDeposit, {
    Amount: wholeUnits(payment.amount),
    Account: withoutPlus(number),
    AccountProviderCode,
    Narrative: payment.order.description,
    ...attachedFile(payment.parameters),
    ProviderReferenceText,
    ExternalReference: payment.merchantReference,
    NotificationUrl: urls.notify,
  });
  if (answer.reply === 'created')
    return outcomeOf(answer.body.Response, payment.merchantReference, promptOn({ number }));
  return refusedBy(problemOf(answer.body), TAKEN_BEFORE);
}

interface File {
  readonly NarrativeFileName?: string | undefined;
  readonly NarrativeFileBase64?: string | undefined;
}

/** Name and content only together (protocol: Mobile money Uganda). */
function attachedFile({ NarrativeFileName, NarrativeFileBase64 }: File) {
  const both = NarrativeFileName !== undefined && NarrativeFileBase64 !== undefined;
  return {
    NarrativeFileName: both ? NarrativeFileName : undefined,
    NarrativeFileBase64: both ? NarrativeFileBase64 : undefined,
  };
}

function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { merchantReference: reference, providerReference } = payment;
  const answer = yield* call(findTransaction, reference);
  if (answer.reply === 'absent') return notFound(problemOf(answer.body));
  const show = providerReference === undefined ? promptOn({}) : undefined;
  return afterLookup(outcomeOf(answer.body.Response, reference, show), TIMED_OUT);
}

/** Mobile money of Uganda, at a provider that takes a narrative with each deposit. */
export const narrativeConnector = defineConnector({
  id: 'mobile-money-narrative',
  contract: 1,
  version: manifest.version,
  title: 'Mobile money Uganda, narrative provider',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [serve(mobileMoneyUganda, { purchase, status })],
});
