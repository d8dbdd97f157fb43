import { visitBank, wayToBank } from './bank-visit.ts';
import type { Identification } from './identifications.ts';
import { openBanking } from './methods.ts';
import {
  amountFields,
  amountOf,
  call,
  collect,
  type ContextOf,
  credential,
  decimal,
  declined,
  defineConnector,
  field,
  type LookedUpPayment,
  notFound,
  notificationsFor,
  oauthToken,
  ofThisPayment,
  type Outcome,
  pending,
  providerApi,
  secret,
  type Show,
  type Steps,
  timestampedHmac,
  unlessTakenBefore,
  withAmount,
  withReason,
} from '@railyard/core';
import * as z from 'zod';
import { reasons, statuses } from './iso-20022.ts';
import manifest from '../package.json' with { type: 'json' };
import { sampleBanks, sampleNotification, samplePayment, unknownOne } from './initiation.samples.ts';

const SOURCE = 'packages/connector-open-banking/README.md, Initiation provider';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  client_id: field(z.string().min(1), { label: 'Client id' }),
  client_secret: secret(z.string().min(1), 'Client secret'),
  webhook_secret: secret(z.string().min(16), 'Secret of the notification signature'),
  choose_bank: field(z.boolean().default(false), {
    label: 'The payer chooses the bank on the checkout page',
    help: 'Otherwise on the provider’s.',
  }),
});

type Settings = z.output<typeof settings>;

/** Codes that say that the provider has a request under this reference or key already. */
const TAKEN_BEFORE: ReadonlySet<string> = new Set(['AM05', 'DU04']);

// Replies.

const shared = () => ({
  id: z.string().min(1),
  reference: z.string().optional(),
  status: z.string(),
  status_reason: z.string().max(35).optional(),
  ...amountFields,
});

/** Neither texts nor the payee's account: a provider may repeat a card number in them. */
const payment = withAmount(z.object({ ...shared(), authorization_url: z.url({ protocol: /^https?$/ }).optional() }));
const notifiedPayment = withAmount(z.object({ ...shared(), reference: z.string() }));
const bankList = z.object({ banks: z.array(z.object({ id: z.string().min(1), name: z.string().min(1) })) });
const problem = z.object({ code: z.string().max(64) });

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  keyHeader: 'idempotency-key',
  visible: ['id', 'reference', 'status', 'status_reason', 'amount', 'currency', 'bank_id', 'country', 'code'],
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const lookups = {
  replies: { found: { status: 200, body: payment }, absent: { status: 404, body: problem } },
  examples: [
    { is: 'found', status: 200, body: { ...samplePayment, status: 'ACSC' } },
    { is: 'absent', status: 404, body: unknownOne },
  ],
} as const;

const authenticate = oauthToken(api.endpoint, {
  name: 'authenticate',
  path: '/v1/token',
  client: ({ client_id: id, client_secret }) => ({ by: 'body', id, secret: client_secret }),
  examples: [{ status: 200, body: { access_token: 'example-token', expires_in: 3600 } }],
});

interface Asking {
  readonly token: string;
}

interface BanksInput extends Asking {
  readonly country: string;
  readonly currency: string;
}

/** The banks at which payers of a country can be sent to pay. */
const listBanks = api.endpoint('list-banks', 'GET /v1/banks', {
  repeat: 'safe',
  request: ({ token, country, currency }: BanksInput) => ({ query: { country, currency }, headers: bearer(token) }),
  reply: bankList,
  examples: [{ status: 200, body: sampleBanks }],
});

const getPayment = api.endpoint('get-payment', 'GET /v1/payments/{id}', {
  repeat: 'safe',
  request: ({ token, id }: Asking & { readonly id: string }) => ({ params: { id }, headers: bearer(token) }),
  ...lookups,
});

const findPayment = api.endpoint('find-payment', 'GET /v1/payments/reference/{reference}', {
  repeat: 'safe',
  request: ({ token, reference }: Asking & { readonly reference: string }) => ({
    params: { reference },
    headers: bearer(token),
  }),
  ...lookups,
});

interface PaymentRequest extends Asking {
  readonly reference: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  readonly bank_id: string | undefined;
  readonly payer: { readonly name: string | undefined; readonly email: string | undefined };
  readonly payee: {
    readonly name: string;
    readonly country: string;
    readonly identifications: readonly Identification[];
  };
  readonly redirect_url: string;
  readonly notify_url: string;
}

/** The provider keeps one payment for each `idempotency-key`. */
const createPayment = api.endpoint('create-payment', 'POST /v1/payments', {
  repeat: 'keyed',
  request: ({ token, payee, ...input }: PaymentRequest) => ({
    headers: bearer(token),
    json: {
      ...input,
      payee: {
        ...payee,
        identifications: payee.identifications.map(({ type, identification }) => ({ type, identification })),
      },
    },
  }),
  replies: { created: { status: [200, 201], body: payment }, refused: { status: [400, 402, 422], body: problem } },
  examples: [
    { is: 'created', status: 201, body: samplePayment },
    { is: 'refused', status: 422, body: { code: 'AC01' } },
  ],
});

// Meaning of replies.

type Reported = Omit<z.output<typeof payment>, 'authorization_url'>;

const factsOf = ({ id, status, status_reason: code, ...amount }: Reported) => ({
  word: status,
  providerReference: id,
  amount: amountOf(amount),
  code,
});

/** The outcome of a payment that was asked for by our reference, and by its id where it is known. */
function answeredOutcome(body: Reported, merchantReference: string, providerReference?: string, show?: Show): Outcome {
  const outcome = statuses.read({ ...factsOf(body), show });
  return ofThisPayment(outcome, { merchantReference, providerReference }, body.reference);
}

/** A payment that the provider did not take. */
function refusal({ code }: z.output<typeof problem>): Outcome {
  const why = declined('hard', 'declined_by_provider', { provider: { code } });
  return unlessTakenBefore(withReason(why, reasons, code), TAKEN_BEFORE);
}

const notifications = notificationsFor(settings)({
  verify: timestampedHmac((settings: Settings) => settings.webhook_secret),
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  body: z.object({ event_id: z.string().min(1), payment: notifiedPayment }),
  events: ({ event_id, payment }) => statuses.events(event_id, payment.reference, factsOf(payment)),
  acknowledge: { status: 204 },
  examples: [{ body: sampleNotification, source: SOURCE }],
});

// The connector.

type Purchase = ContextOf<Settings, typeof openBanking, 'purchase'>;

/** The payer agrees to the payment at their bank, which they choose here or on the provider's page. */
function* purchase(context: Purchase): Steps<Outcome> {
  const { payment, settings, urls } = context;
  const { payee_name: name, payee_country: country, payee_identifications: identifications } = payment.parameters;
  const bank_id = settings.choose_bank ? yield* chosenBank(context) : undefined;
  const { access_token: token } = yield* credential(authenticate);
  const answer = yield* call(createPayment, {
    token,
    reference: payment.merchantReference,
    amount: decimal(payment.amount),
    currency: payment.order.currency,
    description: payment.order.description,
    bank_id,
    payer: { name: payment.customer?.name, email: payment.customer?.email },
    payee: { name, country, identifications },
    redirect_url: urls.return,
    notify_url: urls.notify,
  });
  if (answer.reply === 'refused') return refusal(answer.body);
  const { id, authorization_url: url } = answer.body;
  const outcome = answeredOutcome(answer.body, payment.merchantReference);
  return yield* visitBank({ outcome, url, id, returned: 'payment_id' }, () =>
    afterVisit(payment.merchantReference, id),
  );
}

const bankField = z.strictObject({ bank: field(z.string(), { label: { en: 'Your bank', pt: 'Seu banco' } }) });

/** Nothing where there are no banks to choose from: the provider asks. */
function* chosenBank({ payment }: Purchase): Steps<string | undefined> {
  const { access_token: token } = yield* credential(authenticate);
  const country = payment.billing_address?.country ?? payment.parameters.payee_country;
  const { banks } = yield* call(listBanks, { token, country, currency: payment.order.currency });
  if (banks.length === 0) return undefined;
  const options = { bank: banks.map(({ id, name }) => ({ value: id, label: name })) };
  const { bank } = yield* collect({ step: 'bank', fields: bankField, options });
  return bank;
}

function* afterVisit(reference: string, id: string): Steps<Outcome> {
  const { access_token: token } = yield* credential(authenticate);
  const answer = yield* call(getPayment, { token, id });
  return answer.reply === 'found' ? answeredOutcome(answer.body, reference, id) : pending(id);
}

/** The state of a payment, looked up by the provider's id, or by our reference where its reply was lost. */
function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { access_token: token } = yield* credential(authenticate);
  const { providerReference: id, merchantReference: reference } = payment;
  const answer =
    id === undefined ? yield* call(findPayment, { token, reference }) : yield* call(getPayment, { token, id });
  if (answer.reply === 'absent') return notFound(answer.body);
  const show = id === undefined ? wayToBank(answer.body.authorization_url) : undefined;
  return answeredOutcome(answer.body, reference, id, show);
}

/** Payments that a provider begins at the payer's bank, to any account of the payee. */
export const initiationConnector = defineConnector({
  id: 'open-banking-initiation',
  contract: 1,
  version: manifest.version,
  title: 'Open banking, initiation provider',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: api.endpoints,
  statuses,
  serves: (serve) => [serve(openBanking, { purchase, status })],
  notifications,
});
