import {
  call,
  currencyCode,
  field,
  fromMinorUnits,
  isZero,
  jsonNumber,
  minorUnits,
  type Money,
  providerApi,
  reply,
  secret,
  statusTable,
} from '@railyard/core';
import * as z from 'zod';
import * as samples from './vipps.samples.ts';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }).default('https://api.vipps.no'), {
    label: 'Address of the API',
    help: 'The test environment is https://apitest.vipps.no.',
  }),
  merchant_serial_number: field(z.string().regex(/^\d{4,6}$/), { label: 'Merchant serial number of the sales unit' }),
  client_id: field(z.string().min(1), { label: 'Client ID of the sales unit' }),
  client_secret: secret(z.string().min(1), 'Client secret of the sales unit'),
  subscription_key: secret(z.string().min(1), 'Subscription key of the sales unit'),
  webhook_secret: secret(z.string().min(1), 'Secret of the registered webhook'),
});
export type Settings = z.output<typeof settings>;

/** The state of a payment; one that was approved is AUTHORIZED for ever, and its amounts say by which of three words it goes here. */
export const statuses = statusTable({
  CREATED: 'pending',
  RESERVED: 'authorized',
  CAPTURED: 'settled',
  CANCELLED: { ended: 'hard', code: 'cancelled' },
  ABORTED: { declined: 'soft', code: 'cancelled_by_payer' },
  EXPIRED: { declined: 'soft', code: 'timed_out' },
  TERMINATED: { declined: 'hard', code: 'cancelled' },
});

// Replies.

const id = z.string().min(1);
const amount = z.object({ currency: currencyCode(), value: z.int().nonnegative() });
/** A payment, and the answer to a capture, a cancellation or a refund of it. */
const standing = z.object({
  reference: id,
  state: z.string(),
  amount,
  aggregate: z.object({
    authorizedAmount: amount,
    cancelledAmount: amount,
    capturedAmount: amount,
    refundedAmount: amount,
  }),
});
const created = z.object({ reference: id, redirectUrl: z.url({ protocol: /^https?$/ }).optional() });
export const event = z.object({
  reference: id,
  pspReference: id,
  name: z.string(),
  amount,
  idempotencyKey: z.string().nullish(),
  success: z.boolean(),
});
/** The codes stand in `extraDetails`, which the description lacks: developer.vippsmobilepay.com/docs/APIs/epayment-api/api-guide/errors */
const problem = z.object({
  title: z.string(),
  detail: z.string().optional(),
  extraDetails: z.array(z.object({ name: z.string(), reason: z.string() })).optional(),
});
export type Standing = z.output<typeof standing>;
export type Event = z.output<typeof event>;

export const moneyOf = ({ value, currency }: z.output<typeof amount>): Money => fromMinorUnits(value, currency);
const amountFields = (money: Money) => ({ value: jsonNumber(money, minorUnits), currency: money.currency });

// Endpoints.

export const api = providerApi(settings, {
  source: 'https://github.com/vippsas/vipps-epayment-api: ePayment API 1.4.1, 2024-02',
  token: {
    path: '/accesstoken/get',
    client: ({ client_id, client_secret, subscription_key, merchant_serial_number }) => ({
      by: 'headers',
      headers: {
        client_id,
        client_secret,
        'ocp-apim-subscription-key': subscription_key,
        'merchant-serial-number': merchant_serial_number,
      },
    }),
    examples: [
      {
        status: 200,
        body: samples.token,
        source: 'https://developer.vippsmobilepay.com/docs/APIs/access-token-api/standard-authentication',
      },
    ],
  },
  headers: ({ subscription_key, merchant_serial_number }) => ({
    'ocp-apim-subscription-key': subscription_key,
    'merchant-serial-number': merchant_serial_number,
  }),
  visible: [
    'reference',
    'state',
    'userFlow',
    'amount.value',
    'amount.currency',
    'title',
    'extraDetails.0.reason',
  ].concat(
    ...['authorized', 'cancelled', 'captured', 'refunded'].map((moved) => `aggregate.${moved}Amount.value`),
    'modificationAmount.value',
    'modificationAmount.currency',
  ),
  words: ({ title, detail, extraDetails = [] }: z.output<typeof problem>) => ({
    code: extraDetails.find(({ name }) => name === 'ErrorCode')?.reason ?? title,
    message: detail ?? title,
  }),
  reasons: new Map([
    ['5040', { kind: 'hard', code: 'not_supported' }],
    ['6010', { kind: 'hard', code: 'amount_not_accepted' }],
    ['6100', { kind: 'hard', code: 'expired' }],
  ]),
  // A key or a reference that is in use, and a payment that another request is busy with.
  takenBefore: new Set(['4010', '4020', '4150', '6160', '6170', '6180', '6230']),
  absent: reply(404, problem, samples.absent),
});

/** A conflict (409) is left undescribed: it says that an earlier request is there, and nothing about it. */
const refused = reply([400, 403, 404], problem, samples.refused, samples.used);

const PAYMENTS = '/epayment/v1/payments';

interface NewPayment {
  readonly reference: string;
  readonly amount: Money;
  readonly description: string | undefined;
  readonly returnUrl: string;
}

/** Once the payer has approved it the money is held, whatever is asked afterwards: so a lost look-up is no decline. */
export const createPayment = api.endpoint('create-payment', `POST ${PAYMENTS}`, {
  repeat: 'keyed',
  request: ({ reference, amount: asked, description, returnUrl }: NewPayment, { key }) => ({
    headers: { 'idempotency-key': key },
    json: {
      amount: amountFields(asked),
      paymentMethod: { type: 'WALLET' },
      reference,
      returnUrl,
      userFlow: 'WEB_REDIRECT',
      paymentDescription: description,
    },
  }),
  replies: {
    created: reply(201, created, samples.created, samples.addressless),
    refused: reply([400, 403], problem, samples.refused),
  },
});

export const getPayment = api.lookup(
  'get-payment',
  `${PAYMENTS}/{reference}`,
  reply(200, standing, samples.approved, samples.open),
);

/** The log names each capture, cancellation and refund by the key of its request, and those that were made in the portal. */
export const listEvents = api.lookup(
  'list-events',
  `${PAYMENTS}/{reference}/events`,
  reply(200, z.array(event), samples.events),
);

interface Change {
  readonly reference: string;
  /** Ours of this very change, under which the log lists it. */
  readonly key: string;
}
interface Movement extends Change {
  readonly amount: Money;
}

/** The names of changes in the log. */
export const NAMES = { capture: 'CAPTURED', void: 'CANCELLED', refund: 'REFUNDED' } as const;
export type Changing = keyof typeof NAMES;

/** The entry of the log about a change, if there is one. */
export const changeIn = (log: readonly Event[], kind: Changing, { reference, key }: Change): Event | undefined =>
  log.find((each) => each.reference === reference && each.name === NAMES[kind] && each.idempotencyKey === key);

/** Vipps says nowhere how long a key lives: a request is sent again, under the same key, once the log shows that it did nothing. */
const changing = (kind: 'capture' | 'refund', ...shown: readonly unknown[]) =>
  api.endpoint(`${kind}-payment`, `POST ${PAYMENTS}/{reference}/${kind}`, {
    repeat: 'by-reference',
    request: ({ reference, key, amount: moved }: Movement) => ({
      params: { reference },
      headers: { 'idempotency-key': key },
      json: { modificationAmount: amountFields(moved) },
    }),
    find: {
      endpoints: [listEvents, getPayment],
      *steps(change) {
        const log = yield* call(listEvents, change.reference);
        const made = log.reply === 'found' ? changeIn(log.body, kind, change) : undefined;
        if (made === undefined) return 'absent';
        const now = yield* call(getPayment, change.reference);
        return made.success && now.reply === 'found' ? { found: { reply: 'made', body: now.body } } : 'unclear';
      },
    },
    replies: { made: reply(200, standing, ...shown), refused },
  });
export const capturePayment = changing('capture', samples.captured, samples.reserved);
export const refundPayment = changing('refund', samples.refunded);

/** Ends a payment that was not approved, and lets go of what is held and not captured. */
export const cancelPayment = api.endpoint('cancel-payment', `POST ${PAYMENTS}/{reference}/cancel`, {
  repeat: 'by-reference',
  request: ({ reference, key }: Change) => ({ params: { reference }, headers: { 'idempotency-key': key } }),
  find: {
    endpoint: getPayment,
    input: ({ reference }) => reference,
    read: (now) =>
      now.reply === 'found' && !isZero(moneyOf(now.body.aggregate.cancelledAmount))
        ? { found: { reply: 'made' as const, body: now.body } }
        : 'absent',
  },
  replies: { made: reply(200, standing, samples.released, samples.terminated), refused },
});
