import {
  call,
  declined,
  defineConnector,
  type FlowContext,
  type FollowUpFlows,
  fromMinorUnits,
  isOfAnother,
  notFound,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  paymentDetails,
  type References,
  type Show,
  type Steps,
  voucher,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import * as samples from './conekta.samples.ts';
import { cashVoucher, spei } from './methods.ts';
import * as conekta from './conekta-endpoints.ts';

const { api, settings, statuses } = conekta;

// Meaning of replies.

const moment = (at: number | undefined) => (at === undefined ? undefined : new Date(at * 1000).toISOString());

/** Where the payer pays: the number of a voucher and its bar code, or the account of a transfer. */
function showOf({
  payment_method: { reference, barcode_url, clabe, bank, expires_at } = {},
}: conekta.Charge): Show | undefined {
  const validUntil = moment(expires_at);
  const timed = validUntil !== undefined && { validUntil };
  if (clabe !== undefined)
    return paymentDetails({
      details: [
        { label: 'CLABE', value: clabe, copy: true },
        ...(bank === undefined ? [] : [{ label: { en: 'Bank', pt: 'Banco' }, value: bank }]),
      ],
      ...timed,
    });
  if (reference === undefined) return undefined;
  return voucher({ reference, ...(barcode_url && { document: barcode_url }), ...timed });
}

const factsOf = ({ order_id: providerReference, amount, currency, status }: conekta.Charge, word = status) => ({
  word,
  providerReference,
  amount: fromMinorUnits(amount, currency),
});

/** A lookup shows nothing anew, unless the reply that would have shown it was lost. */
function chargeOutcome(said: conekta.Charge, asked: References, word?: string): Outcome {
  const show = asked.providerReference === undefined ? showOf(said) : undefined;
  const outcome = statuses.read({
    ...factsOf(said, word),
    show,
    payableUntil: moment(said.payment_method?.expires_at),
  });
  return ofThisPayment(outcome, asked, said.reference_id ?? undefined);
}

const orderOutcome = ({ charges: { data }, payment_status: word }: conekta.Order, asked: References) =>
  chargeOutcome(data[0], asked, word);

/** A refund that the order lists without a word of its own took place. */
function refundOutcome(body: conekta.Order, found: conekta.Refund | undefined, providerReference: string): Outcome {
  const [{ order_id, currency }] = body.charges.data;
  if (found === undefined || isOfAnother({ providerReference }, { providerReference: order_id })) return notFound();
  const { id, status: word = 'refunded' } = found;
  return statuses.read({
    word,
    providerReference: id,
    amount: fromMinorUnits(conekta.givenBack(found), currency),
    // The refunds that are known, so that one whose reply was lost is told from them.
    connectorState: { [id]: 'refund' },
  });
}

/** Unsigned, so an event only says where to look. Events of charges and of other things follow those of their order. */
const notifications = notificationsFor(settings)({
  address: 'at-provider',
  verify: { scheme: 'unsigned', confirm: 'status' },
  codec: 'json',
  body: z.object({
    data: z.object({ object: z.union([conekta.order, z.object({ charges: z.undefined().optional() })]) }),
  }),
  events: ({ data: { object } }) => {
    if (object.charges === undefined) return [];
    const [said] = object.charges.data;
    const facts = factsOf(said, object.payment_status);
    // An order takes each status once, apart from that of a further refund, which says nothing new of the payment.
    return statuses.events(`${facts.providerReference}/${facts.word}`, said.reference_id ?? undefined, facts);
  },
  examples: [{ body: samples.sampleNotification, source: 'https://developers.conekta.com/docs/order' }],
});

// The connector.

function* pay(
  create: typeof conekta.createCashOrder,
  {
    payment,
    settings: { expires_in_hours: hours },
    now,
  }: FlowContext<conekta.Settings> & { readonly payment: conekta.Purchase },
): Steps<Outcome> {
  const expires_at = hours === undefined ? undefined : Math.floor(Date.parse(now) / 1000) + hours * 3600;
  const { merchantReference } = payment;
  const outcome = yield* api.outcome(create, { payment, expires_at }, ({ body }) =>
    orderOutcome(body, { merchantReference }),
  );
  if (outcome.status !== 'pending' || outcome.show !== undefined) return outcome;
  const reason = 'The provider gave nothing that the payer could pay.';
  return declined('soft', 'provider_error', { reason, providerReference: outcome.providerReference });
}

const followUps = {
  *status({ payment }) {
    const { providerReference: id, merchantReference } = payment;
    if (id !== undefined) return yield* api.outcome(conekta.getOrder, id, ({ body }) => orderOutcome(body, payment));
    const { data = [] } = yield* call(conekta.findCharges, merchantReference);
    const ours = data.find(({ reference_id }) => reference_id === merchantReference);
    return ours === undefined ? notFound() : chargeOutcome(ours, payment);
  },

  refund: {
    partial: true,
    *flow({ payment: { providerReference: id }, amount }) {
      const kept = yield* call(conekta.getOrder, id);
      if (kept.reply === 'absent') return api.refusal(kept.body);
      const before = conekta.refundsOf(kept.body).map((each) => each.id);
      return yield* api.outcome(conekta.createRefund, { id, amount, before }, ({ body }) =>
        refundOutcome(body, conekta.addedTo(body, before), id),
      );
    },
  },

  *modificationStatus({ payment: { providerReference, connectorState }, modification }) {
    const { providerReference: id, amount } = modification;
    return yield* api.outcome(conekta.getOrder, providerReference, ({ body }) => {
      const named = conekta.refundsOf(body).find((each) => each.id === id);
      const found = id === undefined ? conekta.addedTo(body, Object.keys(connectorState), amount) : named;
      return refundOutcome(body, found, providerReference);
    });
  },
} satisfies FollowUpFlows<conekta.Settings>;

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
    serve(cashVoucher, { purchase: (context) => pay(conekta.createCashOrder, context), ...followUps }),
    serve(spei, { purchase: (context) => pay(conekta.createSpeiOrder, context), ...followUps }),
  ],
});
