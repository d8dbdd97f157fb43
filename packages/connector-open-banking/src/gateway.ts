import { visitBank, wayToBank } from './bank-visit.ts';
import { onlineBankTransfer } from './methods.ts';
import { splitName } from './split-name.ts';
import {
  amountFields,
  amountOf,
  call,
  type ContextOf,
  decimal,
  defineConnector,
  field,
  foundBy,
  type LookedUpPayment,
  getOrFind,
  notFound,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  pending,
  providerApi,
  refusedBy,
  secret,
  type Show,
  statusTable,
  type Steps,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { sampleTransaction, unknownOne } from './gateway.samples.ts';

const SOURCE = 'packages/connector-open-banking/README.md, Redirect gateway';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  merchant_id: field(z.string().min(1), { label: 'Merchant id' }),
  api_key: secret(z.string().min(1), 'API key'),
  webhook_secret: secret(z.string().min(16), 'Secret of the notification signature'),
});

type Settings = z.output<typeof settings>;

const statuses = statusTable({
  NEW: 'pending',
  REDIRECTED: 'pending',
  PROCESSING: 'pending',
  PAID: 'settled',
  FAILED: { declined: 'soft', code: 'declined_by_bank', reason: 'The payer’s bank refused the payment.' },
  CANCELLED: { declined: 'soft', code: 'cancelled_by_payer', reason: 'The payment was cancelled at the bank.' },
  EXPIRED: { declined: 'soft', code: 'timed_out', reason: 'The payment was not confirmed at the bank in time.' },
  BLOCKED: { declined: 'hard', code: 'account_restricted' },
});

/** Codes that say that the provider has a request under this reference or key already. */
const TAKEN_BEFORE: ReadonlySet<string> = new Set(['DUPLICATE_REFERENCE']);

// Replies.

const shared = () => ({
  transaction_id: z.string().min(1),
  /** Ours. */
  merchant_reference: z.string().optional(),
  status: z.string(),
  ...amountFields,
});

const transaction = withAmount(z.object({ ...shared(), redirect_url: z.url({ protocol: /^https?$/ }).optional() }));
const notifiedTransaction = withAmount(z.object({ ...shared(), merchant_reference: z.string() }));
const problem = z.object({ error_code: z.string().max(64) });

type Transaction = z.output<typeof transaction>;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ merchant_id, api_key }) => ({ 'x-merchant-id': merchant_id, 'x-api-key': api_key }),
  visible: ['transaction_id', 'merchant_reference', 'status', 'amount', 'currency', 'payment_methods', 'error_code'],
});

const transactions = {
  found: transaction,
  absent: problem,
  samples: { found: { ...sampleTransaction, status: 'PAID' }, absent: unknownOne },
};
const getTransaction = api.lookup('get-transaction', '/transactions/{id}', transactions);
const findTransaction = api.lookup('find-transaction', '/transactions/by-reference/{reference}', transactions);

interface TransactionInput {
  readonly merchant_reference: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly description: string;
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string | undefined;
  readonly return_url: string;
  readonly notify_url: string;
}

/** The provider takes a `merchant_reference` once, so a request without a reply is looked up by it. */
const openTransaction = api.endpoint('open-transaction', 'POST /transactions', {
  repeat: 'by-reference',
  request: (input: TransactionInput) => ({
    // Which of the gateway's ways to pay are offered (2-methods.md, bank-redirect method variant).
    form: { ...input, payment_methods: 'OBT' },
  }),
  find: foundBy(findTransaction, ({ merchant_reference }: TransactionInput) => merchant_reference),
  replies: { created: { status: [200, 201], body: transaction }, refused: { status: [400, 402, 422], body: problem } },
  examples: [
    { is: 'created', status: 201, body: sampleTransaction },
    { is: 'refused', status: 422, body: { error_code: 'CURRENCY_NOT_ENABLED' } },
  ],
});

// Meaning of replies.

type Reported = Omit<Transaction, 'redirect_url'>;

const factsOf = ({ transaction_id, status: word, ...amount }: Reported) => ({
  word,
  providerReference: transaction_id,
  amount: amountOf(amount),
});

/** The outcome of a transaction that was asked for by our reference, and by its id where it is known. */
function answeredOutcome(body: Reported, merchantReference: string, providerReference?: string, show?: Show): Outcome {
  const outcome = statuses.read({ ...factsOf(body), show });
  return ofThisPayment(outcome, { merchantReference, providerReference }, body.merchant_reference);
}

const { transaction_id, amount, currency } = sampleTransaction;
const merchant_reference = '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11';

const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    header: 'x-signature',
    encoding: 'hex',
    key: (settings: Settings) => settings.webhook_secret,
  },
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'form',
  body: notifiedTransaction,
  // The provider numbers no events; a transaction takes each status once.
  events: (body) => statuses.events(`${body.transaction_id}/${body.status}`, body.merchant_reference, factsOf(body)),
  acknowledge: { status: 200, body: 'OK' },
  examples: [{ body: { transaction_id, merchant_reference, status: 'PAID', amount, currency }, source: SOURCE }],
});

// The connector.

type Purchase = ContextOf<Settings, typeof onlineBankTransfer, 'purchase'>;

/** The payer pays at their bank, to which the gateway's page leads. */
function* purchase({ payment, urls }: Purchase): Steps<Outcome> {
  const { first: firstname, last: lastname } = splitName(payment.needed['customer.name']);
  const answer = yield* call(openTransaction, {
    merchant_reference: payment.merchantReference,
    amount: decimal(payment.amount),
    currency: payment.order.currency,
    description: payment.order.description,
    firstname,
    lastname,
    email: payment.customer?.email,
    return_url: urls.return,
    notify_url: urls.notify,
  });
  if (answer.reply === 'refused') return refusedBy({ code: answer.body.error_code }, TAKEN_BEFORE);
  const { transaction_id: id, redirect_url: url } = answer.body;
  const outcome = answeredOutcome(answer.body, payment.merchantReference);
  return yield* visitBank({ outcome, url, id, returned: 'transaction_id' }, () =>
    afterVisit(payment.merchantReference, id),
  );
}

function* afterVisit(reference: string, id: string): Steps<Outcome> {
  const answer = yield* call(getTransaction, id);
  return answer.reply === 'found' ? answeredOutcome(answer.body, reference, id) : pending(id);
}

/** The state of a transaction, looked up by the provider's id, or by our reference where its reply was lost. */
function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { providerReference: id, merchantReference: reference } = payment;
  const answer = yield* getOrFind(payment, { get: getTransaction, find: findTransaction });
  if (answer.reply === 'absent') return notFound({ code: answer.body.error_code });
  const show = id === undefined ? wayToBank(answer.body.redirect_url) : undefined;
  return answeredOutcome(answer.body, reference, id, show);
}

/** Bank transfers on the pages of a gateway and of the payer's bank. */
export const gatewayConnector = defineConnector({
  id: 'open-banking-gateway',
  contract: 1,
  version: manifest.version,
  title: 'Open banking, redirect gateway',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: api.endpoints,
  statuses,
  serves: (serve) => [serve(onlineBankTransfer, { purchase, status })],
  notifications,
});
