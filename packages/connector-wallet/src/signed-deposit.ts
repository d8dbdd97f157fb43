/** Models the style of a wallet whose partners sign what they send, and no provider: its whole API is invented (README). */
import {
  amountFields,
  call,
  type ContextOf,
  declined,
  defineConnector,
  field,
  type FlowContext,
  fromDecimal,
  jsonNumber,
  type LookedUpPayment,
  type Money,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  providerApi,
  type ProviderEvent,
  redirect,
  type References,
  reply,
  secret,
  statusTable,
  type Steps,
  unknown,
  withAmount,
} from '@railyard/core';
import { currencyNumber, currencyOfNumber, shortDecimal } from '@railyard/core/formats';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { cashWalletDeposit } from './methods/cash-wallet-deposit.ts';
import { nameParts } from './methods/person.ts';
import * as samples from './signed-deposit.samples.ts';
import { notifiedText, type SignedFields, signedText } from './signed-text.ts';

const SOURCE = 'packages/connector-wallet/README.md, Signed deposits';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  partner_ids: field(z.record(z.string().regex(/^[A-Z]{3}$/), z.string().min(1)), {
    label: 'Partner id in each currency',
    help: 'By currency, as in {"EUR": "partner-1"}.',
  }),
  private_key: secret(z.string().min(1), 'Private key that signs requests, in PEM'),
  provider_certificate: field(z.string().min(1), {
    label: 'Certificate of the provider, in PEM',
    help: 'Notifications are signed with its key.',
  }),
  locale: field(z.string().regex(/^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/), {
    label: 'Language of the wallet’s page',
    help: 'A language identifier of RFC 3066, such as hr-HR.',
  }),
  web_application_service: field(z.string().min(1), { label: 'Service of the web application' }).optional(),
});
type Settings = z.output<typeof settings>;

/** The word of a notification about a deposit that is over without a result: the status call says what became of it. */
const CLOSED = 'closed';

const statuses = statusTable({
  open: 'pending',
  [CLOSED]: { meaning: 'pending', says: 'the deposit is over; the status call says how' },
  paid: 'settled',
  declined: { declined: 'soft', code: 'declined_by_provider' },
  cancelled: { declined: 'soft', code: 'cancelled_by_payer' },
  expired: { declined: 'soft', code: 'expired' },
});

// Replies.

const written = withAmount(z.object(amountFields));
const amountIn = ({ Amount: amount, CurrencyId }: { readonly Amount: string; readonly CurrencyId: number }) => ({
  amount,
  currency: currencyOfNumber(CurrencyId) ?? '',
});
const stated = () => ({
  TransactionId: z.string().min(1),
  Amount: amountFields.amount,
  CurrencyId: z.int().positive(),
  Status: z.string(),
});
const isAmount = (said: Parameters<typeof amountIn>[0]) => written.safeParse(amountIn(said)).success;
const deposit = z
  .object({ ...stated(), PublicTransactionId: z.string(), Url: z.url({ protocol: /^https?$/ }).optional() })
  .refine(isAmount, { path: ['Amount'] });
const notified = z
  .object({ ...stated(), Parameters: z.array(z.object({ Key: z.string(), Value: z.string() })) })
  .refine(isAmount, { path: ['Amount'] });
const problem = z.object({ Code: z.string(), Message: z.string().optional() });

type Deposit = z.output<typeof deposit>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  visible: ['TransactionId', 'PublicTransactionId', 'Status', 'Amount', 'CurrencyId', 'Code'],
  words: ({ Code: code, Message: message }: z.output<typeof problem>) => ({ code, message }),
  takenBefore: new Set([samples.sampleUsed.Code]),
});

/** Both calls carry the signature of their own fields. @param amount written with its decimals, and signed without zeros at their end */
const signed = (fields: SignedFields, { private_key }: Settings, amount?: Money) => ({
  json: { ...fields, ...(amount && { Amount: jsonNumber(amount) }) },
  sign: {
    scheme: 'rsa' as const,
    algorithm: 'sha256' as const,
    key: private_key,
    over: () => signedText({ ...fields, ...(amount && { Amount: shortDecimal(amount) }) }),
    encoding: 'base64' as const,
    into: { field: 'Signature' },
  },
});

interface Lookup {
  readonly PartnerId: string;
  /** Ours, taken once. */
  readonly PublicTransactionId: string;
}

const absent = { ...reply([404, 200], problem, samples.sampleAbsent), where: { Code: samples.sampleAbsent.Code } };
const depositStatus = api.endpoint('deposit-status', 'POST /status', {
  repeat: 'safe',
  request: ({ PartnerId, PublicTransactionId }: Lookup, context) =>
    signed({ PartnerId, PublicTransactionId }, context.settings),
  // First what says that there is none: it is the narrower of the two that may be answered with 200.
  replies: { absent, found: reply(200, deposit, { ...samples.sampleDeposit, Status: 'paid' }) },
});

interface DepositRequest extends Lookup {
  readonly fields: SignedFields;
  readonly amount: Money;
}

const createDeposit = api.endpoint('create-deposit', 'POST /deposits', {
  repeat: 'by-reference',
  request: ({ PartnerId, PublicTransactionId, fields, amount }: DepositRequest, context) =>
    signed({ PartnerId, PublicTransactionId, ...fields }, context.settings, amount),
  find: {
    endpoint: depositStatus,
    input: ({ PartnerId, PublicTransactionId }: DepositRequest) => ({ PartnerId, PublicTransactionId }),
    read: (answer) =>
      answer.reply === 'found' ? { found: { reply: 'created' as const, body: answer.body } } : 'absent',
  },
  replies: {
    created: reply([200, 201], deposit, samples.sampleDeposit),
    refused: reply([400, 402, 409, 422], problem, samples.sampleRefusal, samples.sampleUsed),
  },
});

// Meaning of replies.

const factsOf = (said: Pick<Deposit, 'Status' | 'TransactionId' | 'Amount' | 'CurrencyId'>) => {
  const { amount, currency } = amountIn(said);
  return { word: said.Status, providerReference: said.TransactionId, amount: fromDecimal(amount, currency) };
};

/** A lookup sends the payer nowhere, unless the reply that would have done it was lost. */
function outcomeOf(body: Deposit, asked: References): Outcome {
  const show =
    body.Url === undefined || asked.providerReference !== undefined ? undefined : redirect({ url: body.Url });
  return ofThisPayment(statuses.read({ ...factsOf(body), show }), asked, body.PublicTransactionId);
}

/** The wallet is in the name of another person: after its notification the provider knows the deposit no more (2-methods.md). */
const mismatch = (providerReference?: string): Outcome =>
  declined('soft', 'authentication_failed', {
    reason: 'The wallet is not in the name of the payer, or their date of birth is another one.',
    ...(providerReference !== undefined && { providerReference }),
  });

/** A lookup reads the mark of a notification that closed the deposit: without it, an absence may be one that will pass. */
const closed = (providerReference: string): Outcome =>
  unknown('The provider closed the deposit.', { providerReference, connectorState: { notified: CLOSED } });

function eventsOf(said: z.output<typeof notified>): readonly ProviderEvent[] {
  const { TransactionId, Status } = said;
  const ours = said.Parameters.find(({ Key }) => Key === 'PublicTransactionId')?.Value;
  // The provider numbers no events; a deposit takes each state once.
  const events = statuses.events(`${TransactionId}/${Status}`, ours, factsOf(said));
  return events.map((event) =>
    event.kind === 'payment' && Status === CLOSED ? { ...event, outcome: closed(TransactionId) } : event,
  );
}

const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'rsa',
    algorithm: 'sha256',
    encoding: 'base64',
    field: 'Signature',
    key: ({ provider_certificate }: Settings) => provider_certificate,
    over: (_raw, { item }) => notifiedText(item),
  },
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  body: notified,
  events: eventsOf,
  examples: [samples.sampleNotification, samples.sampleClosed].map((body) => ({ body, source: SOURCE })),
});

// The connector.

type Purchase = ContextOf<Settings, typeof cashWalletDeposit, 'purchase'>;

function* purchase({ payment, settings: account, urls }: Purchase): Steps<Outcome> {
  const { merchantReference: PublicTransactionId, amount, needed, parameters } = payment;
  const { [amount.currency]: PartnerId } = account.partner_ids;
  const number = currencyNumber(amount.currency);
  if (PartnerId === undefined || number === undefined)
    return declined('hard', 'not_supported', { reason: `The account has no partner id in ${amount.currency}.` });
  const { first, last } = nameParts(needed['customer.name']);
  const fields = {
    PayerId: parameters.payer_id,
    FirstName: first,
    LastName: last,
    BirthDate: needed['customer.birth_date'],
    CurrencyId: Number(number),
    PayType: 0,
    PayMethod: 2,
    CallbackUrl: urls.notify,
    ReturnUrl: urls.return,
    DeclineUrl: urls.return,
    CancelUrl: urls.return,
    Locale: account.locale,
    ...(account.web_application_service !== undefined && { WebApplicationService: account.web_application_service }),
  };
  return yield* api.outcome(createDeposit, { PartnerId, PublicTransactionId, fields, amount }, ({ body }) =>
    outcomeOf(body, { merchantReference: PublicTransactionId }),
  );
}

function* status({
  payment,
  settings: { partner_ids },
}: FlowContext<Settings> & { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { merchantReference: PublicTransactionId, providerReference, order, connectorState } = payment;
  const { [order.currency]: PartnerId } = partner_ids;
  if (PartnerId === undefined) return unknown(`The account has no partner id in ${order.currency} any more.`);
  const answer = yield* call(depositStatus, { PartnerId, PublicTransactionId });
  if (answer.reply === 'found') return outcomeOf(answer.body, payment);
  return connectorState['notified'] === CLOSED ? mismatch(providerReference) : api.notFound(answer.body);
}

/** Deposits from a wallet in the payer’s own name, asked for and reported with RSA signatures. */
export const signedDepositConnector = defineConnector({
  id: 'signed-deposit',
  contract: 1,
  version: manifest.version,
  title: 'Deposits from a wallet, signed',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [serve(cashWalletDeposit, { purchase, status })],
});
