import {
  amountFields,
  amountOf,
  call,
  decimal,
  declined,
  defineConnector,
  field,
  foundBy,
  type LookedUpPayment,
  getOrFind,
  notFound,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  type PaymentInput,
  providerApi,
  refusedBy,
  secret,
  statusTable,
  type Steps,
  timestampedHmac,
  withAmount,
} from '@railyard/core';
import { parsePixKey } from '@railyard/identifiers/pix-key';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { type ChargeReply, created, lookedUp, renewed } from './code.ts';
import { documentType } from './documents.ts';
import { sampleAbsent, sampleCharge, sampleNotification, samplePayout } from './instant.samples.ts';
import { pix } from './methods/pix.ts';

const SOURCE = 'packages/connector-pix/README.md, Instant provider';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  webhook_secret: secret(z.string().min(1), 'Secret of the notification signature'),
  cnpj_numeric_only: field(z.boolean().default(false), {
    label: 'The provider takes no CNPJ with letters',
    help: 'A payment with such a document is then declined before the provider is asked.',
  }),
});

/** Words of charges and payouts. */
const statuses = statusTable({
  PENDING: 'pending',
  PROCESSING: 'pending',
  PAID: 'settled',
  EXPIRED: { declined: 'soft', code: 'expired', reason: 'The code expired before it was paid.' },
  CANCELLED: { declined: 'hard', code: 'cancelled', reason: 'The charge was cancelled.' },
  REJECTED: { declined: 'hard', code: 'declined_by_provider', reason: 'The provider rejected the payment.' },
});

/** Codes that say that the provider has a request under this reference or key already. */
const TAKEN_BEFORE: ReadonlySet<string> = new Set(['external_id_taken', 'idempotency_key_in_use']);

// Replies.

const shared = () => ({ external_id: z.string().optional(), status: z.string(), ...amountFields });
const chargeBody = withAmount(
  z.object({
    qr_code_id: z.string().min(1),
    ...shared(),
    pix_copy_and_paste: z.string().optional(),
    expires_at: z.iso.datetime().optional(),
  }),
);
const payoutBody = withAmount(z.object({ payout_id: z.string().min(1), ...shared() }));
const problem = z.object({ code: z.string(), message: z.string().optional() });
const made = { status: [200, 201] } as const;
const refused = { status: [400, 402, 422], body: problem } as const;

// Endpoints.

const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ 'x-api-key': api_key }),
  keyHeader: 'idempotency-key',
  visible: ['external_id', 'amount', 'currency', 'qr_code_id', 'payout_id', 'status', 'expires_at', 'code'],
});

const charges = {
  found: chargeBody,
  absent: problem,
  samples: { found: { ...sampleCharge, status: 'PAID' }, absent: sampleAbsent },
};
const getCharge = api.lookup('get-charge', '/v1/charges/{qr_code_id}', charges);
const findCharge = api.lookup('find-charge', '/v1/charges/external/{external_id}', charges);
const findPayout = api.lookup('find-payout', '/v1/payouts/external/{external_id}', {
  found: payoutBody,
  absent: problem,
  samples: { found: { ...samplePayout, status: 'PAID' }, absent: sampleAbsent },
});

interface ChargeRequest {
  readonly external_id: string;
  readonly amount: string;
  readonly description: string;
  readonly callback_url: string;
  readonly fine: string;
  readonly type_fine: string;
  readonly branch_identifier?: string | undefined;
  readonly source_account_number?: string | undefined;
  readonly type_document?: string | undefined;
  readonly debtor_document?: string | undefined;
  readonly debtor_name?: string | undefined;
}

/** The provider takes an `external_id` once, so a request without a reply is looked up by it. */
const createCharge = api.endpoint('create-charge', 'POST /v1/charges', {
  repeat: 'by-reference',
  request: (input: ChargeRequest) => ({ json: { ...input, currency: 'BRL' } }),
  find: foundBy(findCharge, ({ external_id }: ChargeRequest) => external_id),
  replies: { created: { ...made, body: chargeBody }, refused },
  examples: [
    { is: 'created', status: 201, body: sampleCharge },
    { is: 'refused', status: 422, body: { code: 'invalid_debtor', message: 'The debtor is not accepted.' } },
  ],
});

const renewCharge = api.endpoint('renew-charge', 'POST /v1/charges/{qr_code_id}/renew', {
  repeat: 'keyed',
  request: (qr_code_id: string) => ({ params: { qr_code_id } }),
  replies: { created: { ...made, body: chargeBody }, refused, absent: { status: 404, body: problem } },
  examples: [
    { is: 'created', status: 201, body: { ...sampleCharge, qr_code_id: 'qr_c1f4e7b2' } },
    { is: 'refused', status: 422, body: { code: 'already_paid', message: 'The charge is paid.' } },
    { is: 'absent', status: 404, body: sampleAbsent },
  ],
});

type PayoutField = 'external_id' | 'amount' | 'description' | 'key' | 'key_type';
type PayoutRequest = Readonly<Record<PayoutField | 'source_account_number' | 'branch_identifier', string>>;

const createPayout = api.endpoint('create-payout', 'POST /v1/payouts', {
  repeat: 'keyed',
  request: (input: PayoutRequest) => ({
    json: { ...input, currency: 'BRL' },
  }),
  replies: { created: { ...made, body: payoutBody }, refused },
  examples: [
    { is: 'created', status: 201, body: samplePayout },
    { is: 'refused', status: 422, body: { code: 'unknown_key', message: 'No account has this key.' } },
  ],
});

// Meaning of replies.

function charge(body: z.output<typeof chargeBody>, merchantReference: string, providerReference?: string): ChargeReply {
  const amount = amountOf(body);
  const outcome = statuses.read({ word: body.status, providerReference: body.qr_code_id, amount });
  return {
    outcome: ofThisPayment(outcome, { merchantReference, providerReference }, body.external_id),
    code: { content: body.pix_copy_and_paste, amount, validUntil: body.expires_at },
  };
}

function payout(body: z.output<typeof payoutBody>, merchantReference: string): Outcome {
  const outcome = statuses.read({ word: body.status, providerReference: body.payout_id, amount: amountOf(body) });
  return ofThisPayment(outcome, { merchantReference }, body.external_id);
}

const notifications = notificationsFor(settings)({
  verify: timestampedHmac(({ webhook_secret }) => webhook_secret),
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  // Charges and payouts; `id` is the `qr_code_id` or the `payout_id`.
  body: z.object({
    event_id: z.string().min(1),
    data: withAmount(z.object({ ...shared(), id: z.string().min(1), external_id: z.string() })),
  }),
  events: ({ event_id, data: { id, external_id, status, ...amount } }) =>
    statuses.events(event_id, external_id, { word: status, providerReference: id, amount: amountOf(amount) }),
  acknowledge: { status: 204 },
  examples: [{ body: sampleNotification, source: SOURCE }],
});

// The connector.

/** A function of its own: within a generator an object of many parts is put together several times as slowly. */
function chargeRequest(
  { merchantReference, amount, order, parameters }: PaymentInput<(typeof pix)['operations']['purchase']>,
  callback_url: string,
): ChargeRequest {
  const { debtor_document, type_document, ...given } = parameters;
  return {
    external_id: merchantReference,
    amount: decimal(amount),
    description: order.description,
    callback_url,
    ...given,
    // The fine is left out where type_fine is NONE; the provider wants 0 then (protocol: Pix-style payin).
    fine: given.fine ?? '0',
    ...(debtor_document !== undefined && {
      type_document: type_document ?? documentType(debtor_document),
      debtor_document,
    }),
  };
}

function* status(payment: LookedUpPayment): Steps<Outcome> {
  const { merchantReference, providerReference } = payment;
  if (payment.operation === 'credit') {
    const answer = yield* call(findPayout, merchantReference);
    return answer.reply === 'absent' ? notFound(answer.body) : payout(answer.body, merchantReference);
  }
  const answer = yield* getOrFind(payment, { get: getCharge, find: findCharge });
  if (answer.reply === 'absent') return notFound(answer.body);
  return lookedUp(charge(answer.body, merchantReference, providerReference), payment);
}

/** Pix by QR code, and payouts to Pix keys. */
export const instantConnector = defineConnector({
  id: 'pix-instant',
  contract: 1,
  version: manifest.version,
  title: 'Pix, instant provider',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(pix, {
      *purchase({ payment, settings, urls }) {
        if (settings.cnpj_numeric_only && /[A-Z]/.test(payment.parameters.debtor_document ?? ''))
          return declined('hard', 'not_supported', { reason: 'This provider takes no CNPJ with letters.' });
        const answer = yield* call(createCharge, chargeRequest(payment, urls.notify));
        if (answer.reply === 'refused') return refusedBy(answer.body, TAKEN_BEFORE);
        return created(charge(answer.body, payment.merchantReference));
      },

      *renew({ payment }) {
        const answer = yield* call(renewCharge, payment.providerReference);
        if (answer.reply === 'created') return renewed(charge(answer.body, payment.merchantReference));
        // A charge that cannot be renewed may have been paid meanwhile: what became of it is looked up, not guessed.
        return yield* status(payment);
      },

      *credit({ payment }) {
        const { key, source_account_number, branch_identifier } = payment.parameters;
        const parsed = parsePixKey(key);
        if (!parsed.ok)
          return declined('hard', 'payee_not_valid', { reason: 'The Pix key of the receiver is not valid.' });
        const answer = yield* call(createPayout, {
          external_id: payment.merchantReference,
          amount: decimal(payment.amount),
          description: payment.order.description,
          key: parsed.key,
          key_type: parsed.type.toUpperCase(),
          source_account_number,
          branch_identifier,
        });
        if (answer.reply === 'refused') return refusedBy(answer.body, TAKEN_BEFORE);
        return payout(answer.body, payment.merchantReference);
      },

      status: ({ payment }) => status(payment),
    }),
  ],
});
