import {
  amountFields,
  field,
  foundBy,
  type JsonNumberLiteral,
  providerApi,
  type Reasons,
  secret,
  statusTable,
  withAmount,
} from '@railyard/core';
import * as z from 'zod';
import { sampleCharge, samplePayout, sampleAbsent } from './hub.samples.ts';

export const SOURCE = 'packages/connector-mobile-money/README.md, Hub provider';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }), { label: 'Address of the provider’s API' }),
  api_key: secret(z.string().min(1), 'API key'),
  webhook_secret: secret(z.string().min(16), 'Secret of the notification signature'),
  merchant_bears_fees: field(z.boolean().default(false), {
    label: 'The merchant bears the fees of a collection',
    help: 'Otherwise they are added to what the payer pays.',
  }),
});

export type Settings = z.output<typeof settings>;

/** Why something failed, where the provider says so. */
export const reasons: Reasons = new Map([
  ['insufficient_funds', { kind: 'soft', code: 'insufficient_funds' }],
  ['wrong_pin', { kind: 'soft', code: 'wrong_pin' }],
  ['limit_reached', { kind: 'soft', code: 'limit_exceeded' }],
  ['phone_unreachable', { kind: 'soft', code: 'phone_unreachable' }],
  [
    'unknown_subscriber',
    { kind: 'hard', code: 'account_not_found', reason: 'The number has no mobile money account.' },
  ],
]);

/** Words of charges and payouts. `timed_out` is left out on purpose: see `afterLookup`. */
export const statuses = statusTable(
  {
    pending: { meaning: 'pending', says: 'taken, and not sent to the operator' },
    processing: 'pending',
    success: 'settled',
    failed: { declined: 'soft', code: 'not_completed' },
    cancelled: {
      meaning: { declined: 'soft', code: 'cancelled_by_payer', reason: 'The request was cancelled on the phone.' },
      says: 'the subscriber cancelled on the phone',
    },
    rejected: {
      meaning: { declined: 'hard', code: 'declined_by_provider', reason: 'The operator refused the payment.' },
      says: 'the operator refused the request',
    },
  },
  reasons,
);

/** The provider's word for a request that the payer did not confirm in time. */
export const TIMED_OUT = 'timed_out';

/** Codes that say that the provider has a request under this reference or key already. */
export const TAKEN_BEFORE: ReadonlySet<string> = new Set(['duplicate_reference']);

// Replies.

const reported = () => ({
  /** The provider's reference. */
  reference: z.string().min(1),
  /** Ours. */
  payment_reference: z.string().optional(),
  status: z.string(),
  ...amountFields,
  failure_code: z.string().optional(),
});

const charge = withAmount(
  z.object({
    ...reported(),
    auth_method: z.string().optional(),
    /** The same under its other name. */
    auth_model: z.string().optional(),
    message: z.string().max(255).optional(),
    redirect_url: z.url({ protocol: /^https?$/ }).optional(),
    expires_at: z.iso.datetime({ offset: true }).optional(),
  }),
);

const chargeBody = z.object({ data: charge });
const payoutBody = z.object({ data: withAmount(z.object(reported())) });
const sentBody = z.object({ data: z.object({ status: z.string() }) });
export const problemBody = z.object({ error: z.object({ code: z.string(), message: z.string().optional() }) });

/** Charges and payouts in notifications. */
export const notifiedData = withAmount(z.object({ ...reported(), payment_reference: z.string() }));

export type Charge = z.output<typeof charge>;

export type ChargeReply = Pick<
  Charge,
  'reference' | 'payment_reference' | 'status' | 'amount' | 'currency' | 'failure_code'
>;

/** How the payer confirms a charge. */
export const confirmation = ({ auth_method, auth_model }: Charge): string | undefined => auth_method ?? auth_model;

// Endpoints.

export const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ api_key }) => ({ authorization: `Bearer ${api_key}` }),
  visible: [
    'reference',
    'amount',
    'currency',
    'data.reference',
    'data.payment_reference',
    'data.status',
    'data.amount',
    'data.currency',
    'data.auth_model',
    'data.auth_method',
    'data.failure_code',
    'error.code',
  ],
});
const created = { status: [200, 201] } as const;
const refused = { status: [400, 402, 403], body: problemBody } as const;

export const getCharge = api.lookup('get-charge', '/v1/charges/{reference}', {
  found: chargeBody,
  absent: problemBody,
  samples: { found: { data: { ...sampleCharge, auth_model: 'STK_PROMPT' } }, absent: sampleAbsent },
});

interface ChargeInput {
  readonly reference: string;
  readonly amount: JsonNumberLiteral;
  readonly currency: string;
  readonly description: string;
  readonly customer: { readonly email: string; readonly name: string | undefined };
  /** Digits with the calling code. */
  readonly mobile_money: { readonly number: string };
  readonly merchant_bears_cost: boolean;
  readonly notification_url: string;
  readonly redirect_url: string;
}

/** The provider takes a `reference` once, so a request without a reply is looked up by it. */
export const createCharge = api.endpoint('create-charge', 'POST /v1/charges/mobile-money', {
  repeat: 'by-reference',
  request: (input: ChargeInput) => ({ json: { ...input } }),
  find: foundBy(getCharge, ({ reference }: ChargeInput) => reference),
  replies: { created: { ...created, body: chargeBody }, refused },
  examples: [
    { is: 'created', status: 201, body: { data: { ...sampleCharge, auth_model: 'OTP' } } },
    { is: 'created', status: 201, body: { data: { ...sampleCharge, auth_model: 'STK_PROMPT' } } },
    { is: 'created', status: 201, body: { data: { ...sampleCharge, auth_model: 'REDIRECT' } } },
    { is: 'refused', status: 400, body: { error: { code: 'unknown_subscriber', message: 'No such wallet.' } } },
  ],
});

interface CodeInput {
  readonly reference: string;
  readonly code: string;
}

/** A charge that is looked up and still waits for its code has not got this one. */
export const sendCode = api.endpoint('send-code', 'POST /v1/charges/{reference}/code', {
  repeat: 'by-reference',
  request: ({ reference, code }: CodeInput) => ({
    params: { reference },
    json: { code },
  }),
  find: {
    endpoint: getCharge,
    input: ({ reference }) => reference,
    read: (answer) => {
      if (answer.reply === 'absent') return 'unclear';
      return confirmation(answer.body.data) === 'OTP' ? 'absent' : { found: { reply: 'accepted', body: answer.body } };
    },
  },
  replies: {
    accepted: { status: 200, body: chargeBody },
    wrong: { status: 422, body: problemBody },
    refused: { status: [400, 402, 403, 404, 409], body: problemBody },
  },
  examples: [
    { is: 'accepted', status: 200, body: { data: { ...sampleCharge, auth_model: 'STK_PROMPT' } } },
    { is: 'wrong', status: 422, body: { error: { code: 'wrong_code', message: 'The code is wrong.' } } },
    { is: 'refused', status: 409, body: { error: { code: 'too_many_codes', message: 'The charge failed.' } } },
  ],
});

/** It sends a message and moves no money. */
export const resendCode = api.endpoint('resend-code', 'POST /v1/charges/{reference}/code/resend', {
  repeat: 'safe',
  request: (reference: string) => ({ params: { reference } }),
  replies: {
    sent: { status: 200, body: sentBody },
    refused: {
      status: [400, 404, 409, 429],
      refuses: { says: '429 too_soon: a code was sent less than a minute ago' },
      body: problemBody,
    },
  },
  examples: [
    { is: 'sent', status: 200, body: { data: { reference: sampleCharge.reference, status: 'processing' } } },
    { is: 'refused', status: 429, body: { error: { code: 'too_soon', message: 'Wait a minute.' } } },
  ],
});

export const getPayout = api.lookup('get-payout', '/v1/payouts/{reference}', {
  found: payoutBody,
  absent: problemBody,
  samples: { found: { data: { ...samplePayout, status: 'success' } }, absent: sampleAbsent },
});

interface PayoutInput {
  readonly reference: string;
  readonly amount: JsonNumberLiteral;
  readonly currency: string;
  readonly narration: string;
  readonly mobile_money: { readonly operator: string; readonly mobile_number: string };
  readonly customer: { readonly email: string; readonly name: string };
  readonly payee: { readonly email: string; readonly name: string };
  readonly notification_url: string;
}

/** As a charge: a `reference` is paid out once. */
export const createPayout = api.endpoint('create-payout', 'POST /v1/payouts/mobile-money', {
  repeat: 'by-reference',
  request: (input: PayoutInput) => ({ json: { ...input } }),
  find: foundBy(getPayout, ({ reference }: PayoutInput) => reference),
  replies: { created: { ...created, body: payoutBody }, refused },
  examples: [
    { is: 'created', status: 201, body: { data: samplePayout } },
    { is: 'refused', status: 402, body: { error: { code: 'balance_too_low', message: 'Top up first.' } } },
  ],
});
