/** Models the style of a collection provider in Latin America, and no provider: what its replies look like is invented (README). */
import {
  amountFields,
  amountOf,
  collect,
  confirmOnDevice,
  type ContextOf,
  declined,
  defineConnector,
  field,
  type FollowUpFlows,
  getOrFind,
  jsonNumber,
  type JsonNumberLiteral,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  type PayerText,
  providerApi,
  redirect,
  type References,
  reply,
  secret,
  type Show,
  statusTable,
  type Steps,
  voucher,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { accountShown } from './account-shown.ts';
import * as samples from './collection.samples.ts';
import * as methods from './methods/collections.ts';

const SOURCE = 'packages/connector-bank-transfer/README.md, Collection provider';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  expiry_hours: field(z.int().min(1).max(8760).default(72), {
    label: 'Time to pay an offline transfer, in hours',
    help: 'It settles when the provider has found it, by hand or with delay. Used where no expiryDate is given.',
  }),
  pull_minutes: field(z.int().min(1).max(1440).default(15), {
    label: 'Time to authorise a debit, in minutes',
    help: 'It settles at once, or nearly. Used where no expiryDate is given.',
  }),
});
type Settings = z.output<typeof settings>;

const statuses = statusTable({
  CREATED: 'pending',
  IN_REVIEW: 'pending',
  PAID: 'settled',
  EXPIRED: { declined: 'soft', code: 'expired', reason: 'The transfer did not arrive in time.' },
  REJECTED: { declined: 'soft', code: 'declined_by_bank' },
  FAILED: { declined: 'soft', code: 'not_completed' },
  CANCELLED: { declined: 'hard', code: 'cancelled' },
});

// Replies.

const stated = () => ({ id: z.string().min(1), reference: z.string().optional(), status: z.string(), ...amountFields });
const opened = () => ({ ...stated(), expiryDate: z.iso.datetime({ offset: true }).optional() });
const widgetUrl = () => z.url({ protocol: /^https?$/ }).optional();
/** Where to pay a transfer, or the provider’s own page for it. */
const transfer = withAmount(
  z.object({
    ...opened(),
    bankAccount: z
      .object({ bank: z.string(), holder: z.string(), number: z.string(), reference: z.string().optional() })
      .optional(),
    widgetUrl: widgetUrl(),
  }),
);
/** The code by which a service is paid, or the provider’s own page for it. */
const service = withAmount(
  z.object({
    ...opened(),
    paymentCode: z.object({ service: z.string(), code: z.string() }).optional(),
    widgetUrl: widgetUrl(),
  }),
);
/** How the payer authorises a debit. */
const debited = withAmount(z.object({ ...opened(), payerMessage: z.string().optional() }));
const collection = withAmount(z.object({ ...transfer.shape, ...service.shape, ...debited.shape }));
const problem = z.object({ code: z.string(), message: z.string() });

type Collection = z.output<typeof collection>;
type Reported = Pick<Collection, keyof ReturnType<typeof stated>>;

// Endpoints.

/** The code of the payer’s app was not right: nothing was pulled, and another may be tried. */
const WRONG_CODE = 'OTP_NOT_VALID';

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
  keyHeader: 'idempotency-key',
  visible: ['id', 'reference', 'status', 'amount', 'currency', 'market', 'type', 'code'],
  reasons: new Map([[WRONG_CODE, { kind: 'soft', code: 'authentication_failed' }]]),
});

const found = reply(200, collection, { ...samples.sampleTransfer, status: 'PAID' });
const absent = reply(404, problem, samples.sampleAbsent);
const getCollection = api.lookup('get-collection', '/collections/{id}', { found, absent });
const findCollection = api.lookup('find-collection', '/collections/by-reference/{reference}', { found, absent });

/** The request under the provider’s own names (2-methods.md, Collection provider methods). */
interface CollectionRequest extends Account {
  /** A JSON number with exactly the digits of the order’s amount. */
  readonly amount: JsonNumberLiteral;
  readonly expiryDate: string;
  readonly callbackUrl: string;
  readonly reference: string;
  readonly currency: string;
}
interface Account {
  readonly merchantType: string;
  readonly merchantName: string;
  readonly accountId: string;
  readonly market: string;
  readonly type: string;
  readonly redirectUrl?: string | undefined;
  readonly clientTaxId?: string;
  readonly clientname?: string;
  readonly bankDetails?: Readonly<Record<string, string | undefined>>;
}

const refused = reply([400, 402, 422], problem, samples.sampleRefusal, samples.sampleWrongCode);
const creating = {
  path: '/collections',
  repeat: 'keyed',
  request: (input: CollectionRequest) => ({ json: { ...input } }),
} as const;
const createTransfer = api.endpoint({
  ...creating,
  name: 'create-transfer',
  replies: { created: reply([200, 201], transfer, samples.sampleTransfer), refused },
});
const createServicePayment = api.endpoint({
  ...creating,
  name: 'create-service-payment',
  replies: { created: reply([200, 201], service, samples.sampleServicePayment), refused },
});
const createDebit = api.endpoint({
  ...creating,
  name: 'create-debit',
  replies: { created: reply([200, 201], debited, samples.sampleDebit), refused },
});

// Meaning of replies.

function showOf(body: Collection): Show | undefined {
  const { bankAccount: account, widgetUrl: url, payerMessage: message, paymentCode } = body;
  if (url !== undefined) return redirect({ url, surface: 'widget' });
  if (paymentCode !== undefined) {
    const pays = { label: { en: 'Service', pt: 'Serviço' }, value: paymentCode.service };
    return voucher({ reference: paymentCode.code, details: [pays] });
  }
  if (message !== undefined) return confirmOnDevice({ channel: 'app', message });
  return account && accountShown(account);
}

const factsOf = ({ id: providerReference, status: word, ...amount }: Reported) => ({
  word,
  providerReference,
  amount: amountOf(amount),
});

/** A view that the payer has already stays; a lookup brings it where the reply that had it was lost. */
function outcomeOf(body: Collection, asked: References, expiryDate = body.expiryDate): Outcome {
  const show = asked.providerReference === undefined ? showOf(body) : undefined;
  const payableUntil = expiryDate && new Date(expiryDate).toISOString();
  return ofThisPayment(statuses.read({ ...factsOf(body), show, payableUntil }), asked, body.reference);
}

/** The provider signs nothing that is known, so a notification only says where to look. */
const notifications = notificationsFor(settings)({
  verify: { scheme: 'unsigned', confirm: 'status' },
  codec: 'json',
  body: z.object({ collection: withAmount(z.object(stated())) }),
  // It numbers no events; a collection takes each status once.
  events: ({ collection: body }) => statuses.events(`${body.id}/${body.status}`, body.reference, factsOf(body)),
  examples: [{ body: samples.sampleNotification, source: SOURCE }],
});

// The connector.

type Offline =
  | typeof methods.bankOfflineAr
  | typeof methods.bankOfflineCl
  | typeof methods.bankOfflinePe
  | typeof methods.bankOfflinePy
  | typeof methods.servicePaymentPe;
type Context = ContextOf<Settings, Offline | typeof methods.debin | typeof methods.mobilePullPe, 'purchase'>;

function* open({ payment, settings: lives, now, urls }: Context, account: Account): Steps<Outcome> {
  const { order, merchantReference } = payment;
  const isDebit = account.type === 'PULL';
  const minutes = isDebit ? lives.pull_minutes : lives.expiry_hours * 60;
  const { expiryDate = new Date(Date.parse(now) + minutes * 60_000).toISOString() } = payment.parameters;
  if (Date.parse(expiryDate) <= Date.parse(now))
    return declined('hard', 'expired', { reason: 'expiryDate is in the past.' });
  const request = {
    ...account,
    amount: jsonNumber(payment.amount),
    expiryDate,
    callbackUrl: urls.notify,
    reference: merchantReference,
    currency: order.currency,
  };
  const read = ({ body }: { readonly body: Collection }) =>
    // The end is the one that was asked for: the provider's clock or zone may be another.
    outcomeOf(body, { merchantReference }, expiryDate);
  if (isDebit) return yield* api.outcome(createDebit, request, read);
  const endpoint = account.type === 'OFFLINE' ? createTransfer : createServicePayment;
  return yield* api.outcome(endpoint, request, read);
}

const offline = (context: ContextOf<Settings, Offline, 'purchase'>) =>
  open(context, { redirectUrl: context.urls.return, ...context.payment.parameters });

const account = z.strictObject({ account: methods.debitedAccount });

function* debit(context: ContextOf<Settings, typeof methods.debin, 'purchase'>): Steps<Outcome> {
  const { bankDetails, ...rest } = context.payment.parameters;
  if (bankDetails !== undefined) return yield* open(context, { ...rest, bankDetails });
  const given = (yield* collect({ step: 'account', fields: account, mayTurnBack: true })).account;
  return yield* open(context, { ...rest, bankDetails: /^\d{22}$/.test(given) ? { cbu: given } : { alias: given } });
}

const code = z.strictObject({ otp: methods.approvalCode });
const wallet = z.strictObject({ phoneNumber: methods.peruvianPhone, otp: methods.approvalCode });
/** How many codes may be wrong before the one that ends the payment. */
const CODES = 3;

function* pull(context: ContextOf<Settings, typeof methods.mobilePullPe, 'purchase'>): Steps<Outcome> {
  const { bankDetails: given = {}, ...rest } = context.payment.parameters;
  let { phoneNumber, otp } = given;
  for (let entered = 0, error: PayerText | undefined; ; entered += 1) {
    const question = { step: 'code', mayTurnBack: true, ...(error !== undefined && { error }) };
    if (phoneNumber === undefined) ({ phoneNumber, otp } = yield* collect({ ...question, fields: wallet }));
    otp ??= (yield* collect({ ...question, fields: code })).otp;
    const outcome = yield* open(context, { ...rest, bankDetails: { phoneNumber, otp } });
    const isWrong = outcome.status === 'declined' && outcome.provider?.code === WRONG_CODE;
    if (!isWrong || entered === CODES) return outcome;
    otp = undefined;
    error = { en: 'This code is not right, or too old.', pt: 'Este código não está certo, ou é velho demais.' };
  }
}

const followUps = {
  *status({ payment }) {
    const answer = yield* getOrFind(payment, { get: getCollection, find: findCollection });
    return answer.reply === 'absent' ? api.notFound(answer.body) : outcomeOf(answer.body, payment);
  },
} satisfies FollowUpFlows<Settings>;

/** Transfers to an account made for the order, payment codes, and debits that the payer authorises, in AR, CL, PE and PY. */
export const bankCollectionConnector = defineConnector({
  id: 'bank-collection',
  contract: 1,
  version: manifest.version,
  title: 'Bank transfers, collection provider',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(methods.bankOfflineAr, { purchase: offline, ...followUps }),
    serve(methods.bankOfflineCl, { purchase: offline, ...followUps }),
    serve(methods.bankOfflinePe, { purchase: offline, ...followUps }),
    serve(methods.bankOfflinePy, { purchase: offline, ...followUps }),
    serve(methods.servicePaymentPe, { purchase: offline, ...followUps }),
    serve(methods.debin, { purchase: debit, ...followUps }),
    serve(methods.mobilePullPe, { purchase: pull, ...followUps }),
  ],
});
