import {
  call,
  type ContextOf,
  declined,
  defineConnector,
  field,
  type FollowUpFlows,
  foundBy,
  fromMinorUnits,
  isOfAnother,
  jsonNumber,
  minorUnits,
  minorUnitsBigint,
  type Money,
  notFound,
  type Outcome,
  paymentDetails,
  providerApi,
  type ProviderEvent,
  type References,
  reply,
  secret,
  type Show,
  statusTable,
  type Steps,
  voucher,
  withGivenBack,
} from '@railyard/core';
import { atMost } from '@railyard/core/formats';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import * as samples from './conekta.samples.ts';
import { cashVoucher, spei } from './methods.ts';

const settings = z.object({
  base_url: field(z.url({ protocol: /^https?$/ }).default('https://api.conekta.io'), { label: 'Address of the API' }),
  api_key: secret(z.string().min(1), 'Private API key (llave privada)'),
  expires_in_hours: field(z.int().min(1).max(8760), {
    label: 'Life of a voucher in hours',
    help: 'Sent as expires_at of the payment method. Conekta’s own unless given.',
  }).optional(),
});
type Settings = z.output<typeof settings>;

/** `payment_status` of an order and `status` of a charge: Conekta's examples, and the events of developers.conekta.com/docs/order. */
const statuses = statusTable({
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
      receiving_account_holder_name: z.string().nullish(),
      expires_at: z.int().nonnegative().optional(),
    })
    .optional(),
  refunds: z.object({ data: z.array(refund).optional() }).nullish(),
});
const order = z.object({ payment_status: z.string().optional(), charges: z.object({ data: z.tuple([charge]) }) });
const problem = z.object({
  type: z.string().optional(),
  details: z.array(z.object({ code: z.string().optional(), message: z.string().optional() })).optional(),
});

type Charge = z.output<typeof charge>;
type Order = z.output<typeof order>;
type Refund = z.output<typeof refund>;
type Problem = z.output<typeof problem>;

// Endpoints.

const api = providerApi(settings, {
  source: 'https://github.com/conekta/openapi, 2.3.0',
  headers: ({ api_key }) => ({ authorization: `Bearer ${api_key}`, accept: 'application/vnd.conekta-v2.3.0+json' }),
  visible: ['id', 'amount', 'currency', 'payment_status', 'amount_refunded', 'reason', 'type'],
  absent: reply(404, problem, samples.sampleAbsent),
  words: ({ type, details: [first] = [] }: Problem) => ({ code: first?.code ?? type, message: first?.message }),
});

/** The search is a general one: which charge is ours, `reference_id` says. */
const findCharges = api.endpoint('find-charges', 'GET /charges', {
  repeat: 'safe',
  request: (search: string) => ({ query: { search } }),
  reply: z.object({ data: z.array(charge).optional() }),
  examples: [samples.sampleCharges, samples.sampleBareCharges, samples.sampleNoCharges].map((body) => ({ body })),
});

const getOrder = api.lookup('get-order', '/orders/{id}', reply(200, order, samples.samplePaid));

type Purchase = ContextOf<Settings, typeof cashVoucher | typeof spei, 'purchase'>;
type NewOrder = Pick<Purchase, 'payment'> & { readonly expires_at: number | undefined };

/** The description has no key, and a reference may come twice: an order without a reply is looked for and never sent again. */
const newOrder = (type: 'cash' | 'spei', ...shown: readonly unknown[]) =>
  api.endpoint(`create-${type}-order`, 'POST /orders', {
    repeat: 'once',
    /** `expires_at`: seconds since 1970. */
    request: ({ payment, expires_at }: NewOrder) => ({
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
    replies: { created: reply(200, order, ...shown), refused: reply([422, 402], problem, samples.sampleRefusal) },
  });
const createCashOrder = newOrder('cash', samples.sampleOrder, samples.sampleBareOrder);
const createSpeiOrder = newOrder('spei', samples.sampleTransferOrder, samples.sampleHolderless);

/** product.name has 3 to 249 characters. */
const itemOf = ({ description, number }: Purchase['payment']['order']) =>
  atMost(description.length < 3 ? number : description, 249, 'utf-16');

const refundsOf = ({ charges: { data } }: Order) => data[0].refunds?.data ?? [];

/** Amounts of refunds are negative in the description's example. */
const givenBack = ({ amount }: Refund) => BigInt(Math.abs(amount));

/** The one refund of an order that is not among these; of an amount, where it is given. */
function addedTo(body: Order, known: readonly string[], amount?: Money): Refund | undefined {
  const [first, ...more] = refundsOf(body)
    .filter(({ id }) => !known.includes(id))
    .filter((each) => amount === undefined || givenBack(each) === minorUnitsBigint(amount));
  return more.length === 0 ? first : undefined;
}

/** `before`: the refunds that the order had. */
type NewRefund = { readonly id: string; readonly amount: Money; readonly before: readonly string[] };

/** A refund carries nothing of ours, so one without a reply is the single new one of its amount, and never sent again. */
const createRefund = api.endpoint('create-refund', 'POST /orders/{id}/refunds', {
  repeat: 'by-reference',
  request: ({ id, amount }: NewRefund) => ({
    params: { id },
    // A reason of developers.conekta.com/docs/reembolsar-orden.
    json: { amount: jsonNumber(amount, minorUnits), reason: 'requested_by_client' },
  }),
  find: foundBy(
    getOrder,
    ({ id }: NewRefund) => id,
    (kept, { before, amount }) =>
      kept.reply === 'found' && addedTo(kept.body, before, amount) !== undefined ? kept.body : 'unclear',
  ),
  replies: {
    created: reply(200, order, samples.sampleRefunded, samples.sampleTwiceRefunded),
    refused: reply([422, 402, 404], problem, samples.sampleRefusal),
  },
});

/** 428 is the description's example for an order whose charge waits for its payment: the voucher can then still be paid. */
const cancelOrder = api.endpoint('cancel-order', 'POST /orders/{id}/cancel', {
  repeat: 'safe',
  request: (id: string) => ({ params: { id } }),
  replies: {
    cancelled: reply(200, order, samples.sampleCanceled),
    refused: reply([402, 404, 422, 428], problem, samples.sampleNotCanceled),
  },
});

// Meaning of replies.

const moment = (at: number | undefined) => (at === undefined ? undefined : new Date(at * 1000).toISOString());

/** Where the payer pays: the number of a voucher and its bar code, or the account of a transfer. */
function showOf({ payment_method: said = {} }: Charge, validUntil: string | undefined): Show | undefined {
  const { reference, barcode_url, clabe, bank, receiving_account_holder_name: holder } = said;
  const timed = validUntil !== undefined && { validUntil };
  if (clabe !== undefined) {
    // Each order has a CLABE of its own; `reference_number` is that of a transfer that has been made, and none to write.
    const rows = [
      { label: 'CLABE', value: clabe },
      { label: { en: 'Bank', pt: 'Banco' }, value: bank },
    ];
    const details = rows.flatMap(({ label, value }) => (value ? [{ label, value, copy: true }] : []));
    return paymentDetails({ beneficiary: holder ?? undefined, details, ...timed });
  }
  if (reference === undefined) return undefined;
  return voucher({ reference, ...(barcode_url && { document: barcode_url }), ...timed });
}

const factsOf = ({ order_id: providerReference, reference_id, ...said }: Charge, word = said.status) => ({
  word,
  providerReference,
  merchantReference: reference_id ?? undefined,
  amount: fromMinorUnits(said.amount, said.currency),
});

/**
 * A lookup shows nothing anew, unless the reply that would have shown it was lost.
 *
 * @param expires_at the end that was asked for, which counts before the one that the reply has
 */
function chargeOutcome(
  said: Charge,
  asked: References,
  word?: string,
  expires_at = said.payment_method?.expires_at,
): Outcome {
  const payableUntil = moment(expires_at);
  const show = asked.providerReference === undefined ? showOf(said, payableUntil) : undefined;
  return statuses.read({ ...factsOf(said, word), show, payableUntil }, asked);
}

const orderOutcome = ({ charges: { data }, payment_status: word }: Order, asked: References, expires_at?: number) =>
  chargeOutcome(data[0], asked, word, expires_at);

function refundOutcome(body: Order, found: Refund | undefined, providerReference: string): Outcome {
  const [{ order_id, currency }] = body.charges.data;
  if (found === undefined || isOfAnother({ providerReference }, { providerReference: order_id })) return notFound();
  return outcomeOfRefund(found, currency);
}

/** A refund that the order lists without a word of its own took place. */
function outcomeOfRefund(found: Refund, currency: string): Outcome {
  const { id, status: word = 'refunded' } = found;
  return statuses.read({
    word,
    providerReference: id,
    amount: fromMinorUnits(givenBack(found), currency),
    // The refunds that are known, so that one whose reply was lost is told from them.
    connectorState: { [id]: 'refund' },
  });
}

/** Every refund of a charge: ours, and those that the merchant made in the panel. */
const refundEvents = ({ order_id: providerReference, currency, refunds }: Charge): readonly ProviderEvent[] =>
  (refunds?.data ?? []).map((each) => {
    const outcome = outcomeOfRefund(each, currency);
    return { kind: 'refund', id: `${each.id}/${outcome.status}`, providerReference, outcome };
  });

/** Unsigned, so an event only says where to look. Events of charges and of other things follow those of their order. */
const notifications = api.notifications({
  address: 'at-provider',
  verify: { scheme: 'unsigned', confirm: 'status' },
  body: z.object({
    data: z.object({ object: z.union([order, z.object({ charges: z.undefined().optional() })]) }),
  }),
  events: ({ data: { object } }) => {
    if (object.charges === undefined) return [];
    const facts = factsOf(object.charges.data[0], object.payment_status);
    // An order takes each status once, apart from that of a further refund, which says nothing new of the payment.
    return statuses.events(`${facts.providerReference}/${facts.word}`, facts.merchantReference, facts);
  },
  examples: [samples.sampleNotification, samples.sampleOther].map((body) => ({
    body,
    source: 'https://developers.conekta.com/docs/order',
  })),
});

// The connector.

function* pay(create: typeof createCashOrder, { payment, settings, now }: Purchase): Steps<Outcome> {
  const { expires_in_hours: hours } = settings;
  const expires_at = hours === undefined ? undefined : Math.floor(Date.parse(now) / 1000) + hours * 3600;
  const outcome = yield* api.outcome(create, { payment, expires_at }, ({ body }) =>
    orderOutcome(body, payment, expires_at),
  );
  if (outcome.status !== 'pending' || outcome.show !== undefined) return outcome;
  const reason = 'The provider gave nothing that the payer could pay.';
  return declined('soft', 'provider_error', { reason, providerReference: outcome.providerReference });
}

const followUps = {
  *status({ payment }) {
    const { providerReference: id, merchantReference } = payment;
    if (id === undefined) {
      const { data = [] } = yield* call(findCharges, merchantReference);
      const ours = data.find(({ reference_id }) => reference_id === merchantReference);
      return ours === undefined
        ? notFound()
        : withGivenBack(chargeOutcome(ours, payment), merchantReference, refundEvents(ours));
    }
    const answer = yield* call(getOrder, id);
    if (answer.reply === 'absent') return api.notFound(answer.body);
    const [ours] = answer.body.charges.data;
    return withGivenBack(orderOutcome(answer.body, payment), merchantReference, refundEvents(ours));
  },

  *withdraw({ payment }) {
    const { providerReference: id } = payment;
    const answer = yield* call(cancelOrder, id);
    if (answer.reply === 'cancelled') return orderOutcome(answer.body, payment);
    return yield* api.outcome(getOrder, id, ({ body }) => orderOutcome(body, payment));
  },

  refund: {
    partial: true,
    *flow({ payment: { providerReference: id }, amount }) {
      const kept = yield* call(getOrder, id);
      if (kept.reply === 'absent') return api.refusal(kept.body);
      const before = refundsOf(kept.body).map((each) => each.id);
      return yield* api.outcome(createRefund, { id, amount, before }, ({ body }) =>
        refundOutcome(body, addedTo(body, before), id),
      );
    },
  },

  *modificationStatus({ payment: { providerReference, connectorState }, modification }) {
    const { providerReference: id, amount } = modification;
    return yield* api.outcome(getOrder, providerReference, ({ body }) => {
      const named = refundsOf(body).find((each) => each.id === id);
      const found = id === undefined ? addedTo(body, Object.keys(connectorState), amount) : named;
      return refundOutcome(body, found, providerReference);
    });
  },
} satisfies FollowUpFlows<Settings>;

/** Cash vouchers and SPEI transfers in Mexico: checked against Conekta's official description, not yet against the live API. */
export const conektaConnector = defineConnector({
  id: 'conekta',
  contract: 1,
  version: manifest.version,
  title: 'Conekta, cash and SPEI',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(cashVoucher, { purchase: (context) => pay(createCashOrder, context), ...followUps }),
    serve(spei, { purchase: (context) => pay(createSpeiOrder, context), ...followUps }),
  ],
});
