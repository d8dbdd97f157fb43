import {
  call,
  type ContextOf,
  field,
  jsonNumber,
  minorUnits,
  minorUnitsBigint,
  type Money,
  providerApi,
  reply,
  secret,
  statusTable,
} from '@railyard/core';
import * as z from 'zod';
import * as samples from './conekta.samples.ts';
import type { cashVoucher, spei } from './methods.ts';

export const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }).default('https://api.conekta.io'), { label: 'Address of the API' }),
  api_key: secret(z.string().min(1), 'Private API key (llave privada)'),
  expires_in_hours: field(z.int().min(1).max(8760), {
    label: 'Life of a voucher in hours',
    help: 'Sent as expires_at of the payment method. Conekta’s own unless given.',
  }).optional(),
});
export type Settings = z.output<typeof settings>;

/** `payment_status` of an order and `status` of a charge: Conekta's examples, and the events of developers.conekta.com/docs/order. */
export const statuses = statusTable({
  pending_payment: 'pending',
  paid: 'settled',
  // The money arrived; each refund is told apart by its id.
  partially_refunded: 'settled',
  refunded: 'settled',
  // A refund's own word, the only one in the description.
  pending: 'pending',
  declined: { declined: 'soft', code: 'declined_by_provider' },
  expired: { declined: 'soft', code: 'expired', reason: 'The voucher was not paid in time.' },
  canceled: { declined: 'hard', code: 'cancelled' },
});

// Replies.

/** The description says text, and its examples write digits alone. */
const digits = z.union([z.string().min(1), z.int().nonnegative()]).transform(String);
const seconds = z.int().nonnegative();
const cents = z.int();

const refund = z.object({ id: z.string().min(1), amount: cents, status: z.string().optional() });
const charge = z.object({
  order_id: z.string().min(1),
  status: z.string(),
  amount: cents.nonnegative(),
  currency: z.string(),
  reference_id: z.string().nullish(),
  payment_method: z
    .object({
      reference: digits.optional(),
      barcode_url: z.url({ protocol: /^https$/ }).optional(),
      clabe: digits.optional(),
      bank: z.string().optional(),
      expires_at: seconds.optional(),
    })
    .optional(),
  refunds: z.object({ data: z.array(refund).optional() }).nullish(),
});
export const order = z.object({
  payment_status: z.string().optional(),
  charges: z.object({ data: z.tuple([charge]) }),
});
const problem = z.object({
  type: z.string().optional(),
  details: z.array(z.object({ code: z.string().optional(), message: z.string().optional() })).optional(),
});

export type Charge = z.output<typeof charge>;
export type Order = z.output<typeof order>;
export type Refund = z.output<typeof refund>;
type Problem = z.output<typeof problem>;

// Endpoints.

export const api = providerApi(settings, {
  source: 'https://github.com/conekta/openapi, 2.3.0',
  headers: ({ api_key }) => ({ authorization: `Bearer ${api_key}`, accept: 'application/vnd.conekta-v2.3.0+json' }),
  visible: ['id', 'amount', 'currency', 'payment_status', 'amount_refunded', 'reason', 'type'],
  words: ({ type, details: [first] = [] }: Problem) => ({ code: first?.code ?? type, message: first?.message }),
});

/** The search is a general one: which charge is ours, `reference_id` says. */
export const findCharges = api.endpoint({
  name: 'find-charges',
  path: '/charges',
  repeat: 'safe',
  request: (search: string) => ({ query: { search } }),
  reply: z.object({ data: z.array(charge).optional() }),
  examples: [{ body: samples.sampleCharges }, { body: samples.sampleNoCharges }],
});

export const getOrder = api.lookup('get-order', '/orders/{id}', {
  found: reply(200, order, samples.samplePaid),
  absent: reply(404, problem, samples.sampleAbsent),
});

export type Purchase = ContextOf<Settings, typeof cashVoucher | typeof spei, 'purchase'>['payment'];

/** The description has no key, and a reference may come twice: an order without a reply is looked for and never sent again. */
const newOrder = (type: 'cash' | 'spei', sample: unknown) =>
  api.endpoint({
    name: `create-${type}-order`,
    path: '/orders',
    repeat: 'once',
    /** `expires_at`: seconds since 1970. */
    request: ({ payment, expires_at }: { readonly payment: Purchase; readonly expires_at: number | undefined }) => ({
      json: {
        currency: payment.order.currency,
        customer_info: {
          name: payment.needed['customer.name'],
          email: payment.needed['customer.email'],
          phone: payment.needed['billing_address.phone'],
        },
        line_items: [{ name: itemOf(payment.order), quantity: 1, unit_price: jsonNumber(payment.amount, minorUnits) }],
        charges: [{ payment_method: { type, expires_at }, reference_id: payment.merchantReference }],
      },
    }),
    replies: { created: reply(200, order, sample), refused: reply([422, 401, 402], problem, samples.sampleRefusal) },
  });
export const createCashOrder = newOrder('cash', samples.sampleOrder);
export const createSpeiOrder = newOrder('spei', samples.sampleTransferOrder);

/** product.name has 3 to 249 characters. */
const itemOf = ({ description, number }: Purchase['order']) =>
  [...(description.length < 3 ? number : description)].slice(0, 249).join('');

export const refundsOf = ({ charges: { data } }: Order) => data[0].refunds?.data ?? [];

/** Amounts of refunds are negative in the description's example. */
export const givenBack = ({ amount }: Refund) => BigInt(Math.abs(amount));

/** The one refund of an order that is not among these; of an amount, where it is given. */
export function addedTo(body: Order, known: readonly string[], amount?: Money): Refund | undefined {
  const [first, ...more] = refundsOf(body)
    .filter(({ id }) => !known.includes(id))
    .filter((each) => amount === undefined || givenBack(each) === minorUnitsBigint(amount));
  return more.length === 0 ? first : undefined;
}

/** A refund carries nothing of ours, so one without a reply is the single new one of its amount, and never sent again. */
export const createRefund = api.endpoint({
  name: 'create-refund',
  path: '/orders/{id}/refunds',
  repeat: 'by-reference',
  /** `before`: the refunds that the order had. */
  request: ({ id, amount }: { readonly id: string; readonly amount: Money; readonly before: readonly string[] }) => ({
    params: { id },
    // A reason of developers.conekta.com/docs/reembolsar-orden.
    json: { amount: jsonNumber(amount, minorUnits), reason: 'requested_by_client' },
  }),
  find: {
    endpoints: [getOrder],
    *steps({ id, amount, before }) {
      const answer = yield* call(getOrder, id);
      const isMade = answer.reply === 'found' && addedTo(answer.body, before, amount) !== undefined;
      return isMade ? { found: { reply: 'created' as const, body: answer.body } } : 'unclear';
    },
  },
  replies: {
    created: reply(200, order, samples.sampleRefunded),
    refused: reply([422, 401, 402, 404], problem, samples.sampleRefusal),
  },
});
