import {
  call,
  currencyCode,
  field,
  foundBy,
  jsonNumber,
  minorUnits,
  type Money,
  providerApi,
  reply,
  secret,
  statusTable,
} from '@railyard/core';
import * as z from 'zod';
import * as samples from './paystack.samples.ts';

const SOURCE = 'https://github.com/PaystackOSS/openapi, 2025-10';
/** Paystack's own examples of what the description leaves out. */
export const SNIPPETS = 'https://github.com/PaystackOSS/doc-code-snippets';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }).default('https://api.paystack.co'), { label: 'Address of the API' }),
  secret_key: secret(z.string().min(1), 'Secret key'),
});

export type Settings = z.output<typeof settings>;

/**
 * Charges: paystack.com/docs/payments/payment-channels and /verify-payments; transfers: /docs/transfers/how-transfers-work; refunds:
 * /docs/payments/refunds. `timeout` is left out on purpose: see `afterLookup`.
 */
const WORDS: Parameters<typeof statusTable>[0] = {
  success: 'settled',
  failed: { declined: 'soft', code: 'not_completed' },
  pending: 'pending',
  send_phone: 'pending',
  send_otp: 'pending',
  pay_offline: 'pending',
  ongoing: 'pending',
  queued: 'pending',
  // Of a transfer: the merchant's own approval is waited for, and what its absence makes of it.
  received: 'pending',
  otp: 'pending',
  blocked: { declined: 'hard', code: 'declined_by_provider', reason: 'The transfer was not approved.' },
  rejected: { declined: 'hard', code: 'declined_by_provider', reason: 'The merchant’s server rejected the transfer.' },
  // Of a refund.
  processing: 'pending',
  'needs-attention': 'pending',
  processed: 'settled',
};

export const statuses = statusTable(WORDS);

/** Two words mean one thing of a charge and another of a transfer. A payer who has not finished may still do so. */
export const charges = statusTable({
  ...WORDS,
  abandoned: 'pending',
  reversed: { later: 'reported-by-its-modification' },
});
export const transfers = statusTable({
  ...WORDS,
  abandoned: { declined: 'soft', code: 'expired', reason: 'The transfer was not approved in time.' },
  reversed: { declined: 'soft', code: 'not_completed', reason: 'The money did not arrive and came back.' },
});

/** The word for a charge that the payer did not confirm in time. */
export const TIMED_OUT = 'timeout';

// Replies.

/** In pesewas and cents. */
const amount = z.int().nonnegative();
const framedBy = <S extends z.ZodType>(data: S) => z.object({ data });
const moved = z.object({ reference: z.string().min(1), status: z.string(), amount, currency: currencyCode() });
/** Of a charge that waits, Paystack's own examples name neither amount nor currency. */
const charge = moved
  .extend({ amount: amount.optional(), currency: currencyCode().optional(), display_text: z.string().optional() })
  .refine(({ status, ...paid }) => status !== 'success' || (paid.amount !== undefined && paid.currency !== undefined));
export const notified = moved.extend({ id: z.int() });
const recipient = z.object({ recipient_code: z.string().min(1) });
const refund = z.object({
  id: z.int().transform(String),
  status: z.string(),
  amount,
  currency: currencyCode(),
  merchant_note: z.string().nullish(),
});
const refunded = refund.extend({ transaction: z.object({ reference: z.string() }) });
const fetchedRefund = refund.extend({ transaction_reference: z.string() });
const problem = z.object({ message: z.string(), code: z.string().optional() });

export type Charge = z.output<typeof charge>;
export type Moved = z.output<typeof moved>;
export type Refund = z.output<typeof refund>;

// Endpoints.

export const api = providerApi(settings, {
  source: SOURCE,
  headers: ({ secret_key }) => ({ authorization: `Bearer ${secret_key}` }),
  visible: ['reference', 'amount', 'currency', 'status', 'message', 'code', 'id', 'type', 'transaction'].flatMap(
    (name) => [name, `data.${name}`],
  ),
});

/** A request's fields, as Paystack names them. */
type Texts<K extends string> = Readonly<Record<K, string>>;
type Priced<K extends string> = Texts<K> & { readonly amount: Money };
const priced = <A extends Priced<never>>({ amount: asked, ...rest }: A) => ({
  ...rest,
  amount: jsonNumber(asked, minorUnits),
  currency: asked.currency,
});
const referenceOf = ({ reference }: Texts<'reference'>) => reference;
const { framed } = samples;
const refused = reply([401, 400, 404, 422], problem, samples.sampleRefusal);

const lookup = <T>(name: string, path: string, found: z.ZodType<T>, sample: unknown) =>
  api.lookup(name, path, {
    found: reply(200, framedBy(found), framed(sample)),
    absent: reply(404, problem, samples.sampleAbsent),
  });
export const checkCharge = lookup('check-charge', '/charge/{reference}', charge, {
  ...samples.sampleStep,
  status: 'success',
});
export const verifyCharge = lookup('verify-charge', '/transaction/verify/{reference}', charge, samples.sampleVerified);
export const verifyTransfer = lookup(
  'verify-transfer',
  '/transfer/verify/{reference}',
  moved,
  samples.sampleVerifiedTransfer,
);
export const getRefund = lookup('get-refund', '/refund/{id}', fetchedRefund, samples.sampleFetchedRefund);

const STEPS = ['send_otp', 'pay_offline', 'pending', 'failed', 'send_phone'];
const charged = (sample: object, steps = STEPS) => ({
  created: reply(200, framedBy(charge), ...steps.map((status) => framed({ ...sample, status }, 'Charge attempted'))),
  refused,
});

type NewCharge = Priced<'reference' | 'email'> & { readonly mobile_money: Texts<'phone' | 'provider'> };

/** A reference is unique: a charge without a reply is looked up by it. */
export const createCharge = api.endpoint({
  name: 'create-charge',
  path: '/charge',
  repeat: 'by-reference',
  request: (asked: NewCharge) => ({ json: priced(asked) }),
  find: foundBy(checkCharge, referenceOf),
  replies: charged(samples.sampleCharge),
});

/** A charge that still waits for this step has not had it. */
const submit = <K extends 'otp' | 'phone'>(step: K, sample: object) =>
  api.endpoint({
    name: `submit-${step}`,
    path: `/charge/submit_${step}`,
    repeat: 'by-reference',
    request: (json: Texts<K | 'reference'>) => ({ json }),
    find: {
      endpoint: checkCharge,
      input: referenceOf,
      read: (answer) =>
        answer.reply === 'found' && answer.body.data.status !== `send_${step}`
          ? { found: { reply: 'created' as const, body: answer.body } }
          : 'absent',
    },
    replies: charged(
      sample,
      STEPS.filter((status) => status !== `send_${step}`),
    ),
  });
export const submitOtp = submit('otp', samples.sampleStep);
export const submitPhone = submit('phone', { ...samples.sampleStep, display_text: 'Please enter the code' });

/** "A duplicate account number will lead to the retrieval of the existing record": it may be sent again. */
export const createRecipient = api.endpoint({
  name: 'create-recipient',
  method: 'POST',
  path: '/transferrecipient',
  repeat: 'safe',
  request: (json: Texts<'name' | 'account_number' | 'bank_code' | 'currency'>) => ({
    json: { type: 'mobile_money', ...json },
  }),
  replies: { created: reply([201, 200], framedBy(recipient), framed(samples.sampleRecipient)), refused },
});

export const createTransfer = api.endpoint({
  name: 'create-transfer',
  path: '/transfer',
  repeat: 'by-reference',
  request: (asked: Priced<'reference' | 'recipient' | 'reason'>) => ({ json: { source: 'balance', ...priced(asked) } }),
  find: foundBy(verifyTransfer, referenceOf),
  replies: { created: reply(200, framedBy(moved), framed(samples.sampleTransfer)), refused },
});

export const listRefunds = api.endpoint({
  name: 'list-refunds',
  path: '/refund',
  repeat: 'safe',
  request: () => ({ query: { perPage: '100' } }),
  reply: framedBy(z.array(fetchedRefund)),
  examples: [{ status: 200, body: samples.sampleRefunds }],
});

/** The refund that carries our name, where the list has it: a refund has no reference. */
export function* refundNamed(note: string) {
  const { data } = yield* call(listRefunds, undefined);
  return data.find(({ merchant_note }) => merchant_note === note);
}

/** The list may lag or be long, so a refund that it does not show is never sent again. `transaction`: our reference of the charge. */
export const createRefund = api.endpoint({
  name: 'create-refund',
  path: '/refund',
  repeat: 'by-reference',
  request: (asked: Priced<'transaction' | 'merchant_note'>) => ({ json: priced(asked) }),
  find: {
    endpoints: [listRefunds],
    *steps({ merchant_note, transaction: reference }) {
      const found = yield* refundNamed(merchant_note);
      return found === undefined
        ? 'unclear'
        : { found: { reply: 'created' as const, body: { data: { ...found, transaction: { reference } } } } };
    },
  },
  replies: {
    created: reply(
      200,
      framedBy(refunded),
      ...[samples.sampleRefund, { ...samples.sampleRefund, status: 'processed' }].map((each) => framed(each)),
    ),
    refused,
  },
});
