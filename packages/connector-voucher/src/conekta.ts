import {
  call,
  declined,
  defineConnector,
  type FlowContext,
  type FollowUpFlows,
  fromMinorUnits,
  isOfAnother,
  type LookedUpPayment,
  notFound,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  paymentDetails,
  refusedBy,
  type Show,
  type Steps,
  voucher,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import {
  addedTo,
  api,
  type Charge,
  createCashOrder,
  createRefund,
  createSpeiOrder,
  findCharges,
  getOrder,
  givenBack,
  order,
  type Order,
  type problem,
  type Purchase,
  type Refund,
  refundsOf,
  settings,
  type Settings,
  statuses,
} from './conekta-endpoints.ts';
import { sampleNotification } from './conekta.samples.ts';
import { cashVoucher, spei } from './methods.ts';

// Meaning of replies.

const wordsOf = ({ type, details: [first] = [] }: z.output<typeof problem>) => ({
  code: first?.code ?? type,
  message: first?.message,
});

const moment = (at: number | undefined) => (at === undefined ? undefined : new Date(at * 1000).toISOString());

/** Where the payer pays: the number of a voucher and its bar code, or the account of a transfer. */
function showOf({
  payment_method: { reference, barcode_url, clabe, bank, expires_at } = {},
}: Charge): Show | undefined {
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

/** A lookup shows nothing anew, unless the reply that would have shown it was lost. */
function paymentOutcome(
  said: Charge,
  { merchantReference, providerReference }: Pick<LookedUpPayment, 'merchantReference' | 'providerReference'>,
  word: string = said.status,
): Outcome {
  const outcome = statuses.read({
    word,
    providerReference: said.order_id,
    amount: fromMinorUnits(said.amount, said.currency),
    show: providerReference === undefined ? showOf(said) : undefined,
    payableUntil: moment(said.payment_method?.expires_at),
  });
  return ofThisPayment(outcome, { merchantReference, providerReference }, said.reference_id ?? undefined);
}

/** A refund that the order lists without a word of its own took place. */
function refundOutcome(body: Order, found: Refund | undefined, providerReference: string): Outcome {
  const [{ order_id, currency }] = body.charges.data;
  if (found === undefined || isOfAnother({ providerReference }, { providerReference: order_id })) return notFound();
  const { id, status: word = 'refunded' } = found;
  return statuses.read({
    word,
    providerReference: id,
    amount: fromMinorUnits(givenBack(found), currency),
    // The refunds that are known, so that one whose reply was lost is told from them.
    connectorState: { [id]: 'refund' },
  });
}

/** Unsigned, so an event only says where to look. Events of charges and of other things follow those of their order. */
const notifications = notificationsFor(settings)({
  address: 'at-provider',
  verify: { scheme: 'unsigned', confirm: 'status' },
  codec: 'json',
  body: z.object({ data: z.object({ object: z.union([order, z.object({ charges: z.undefined().optional() })]) }) }),
  events: ({ data: { object } }) => {
    if (object.charges === undefined) return [];
    const [said] = object.charges.data;
    const word = object.payment_status ?? said.status;
    const { order_id: providerReference, reference_id } = said;
    const amount = fromMinorUnits(said.amount, said.currency);
    // An order takes each status once, apart from that of a further refund, which says nothing new of the payment.
    const id = `${providerReference}/${word}`;
    return statuses.events(id, reference_id ?? undefined, { word, providerReference, amount });
  },
  examples: [{ body: sampleNotification, source: 'https://developers.conekta.com/docs/order' }],
});

// The connector.

function* pay(
  create: typeof createCashOrder,
  { payment, settings: { expires_in_hours: hours }, now }: FlowContext<Settings> & { readonly payment: Purchase },
): Steps<Outcome> {
  const expires_at = hours === undefined ? undefined : Math.floor(Date.parse(now) / 1000) + hours * 3600;
  const answer = yield* call(create, { payment, expires_at });
  if (answer.reply === 'refused') return refusedBy(wordsOf(answer.body));
  const { charges, payment_status } = answer.body;
  const outcome = paymentOutcome(charges.data[0], payment, payment_status);
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
      return ours === undefined ? notFound() : paymentOutcome(ours, payment);
    }
    const answer = yield* call(getOrder, id);
    if (answer.reply === 'absent') return notFound(wordsOf(answer.body));
    const { charges, payment_status } = answer.body;
    return paymentOutcome(charges.data[0], payment, payment_status);
  },

  refund: {
    partial: true,
    *flow({ payment: { providerReference: id }, amount }) {
      const kept = yield* call(getOrder, id);
      if (kept.reply === 'absent') return refusedBy(wordsOf(kept.body));
      const before = refundsOf(kept.body).map((each) => each.id);
      const answer = yield* call(createRefund, { id, amount, before });
      if (answer.reply === 'refused') return refusedBy(wordsOf(answer.body));
      return refundOutcome(answer.body, addedTo(answer.body, before), id);
    },
  },

  *modificationStatus({
    payment: { providerReference, connectorState },
    modification: { providerReference: id, amount },
  }) {
    const answer = yield* call(getOrder, providerReference);
    if (answer.reply === 'absent') return notFound(wordsOf(answer.body));
    const { body } = answer;
    const named = refundsOf(body).find((each) => each.id === id);
    return refundOutcome(
      body,
      id === undefined ? addedTo(body, Object.keys(connectorState), amount) : named,
      providerReference,
    );
  },
} satisfies FollowUpFlows<Settings>;

/** Cash vouchers and SPEI transfers in Mexico: checked against Conekta's official description, not yet against the live API. */
export const conektaConnector = defineConnector({
  id: 'conekta',
  contract: 1,
  version: manifest.version,
  title: 'Conekta, cash and SPEI',
  settings,
  baseUrl: ({ base_url }) => base_url,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [
    serve(cashVoucher, { purchase: (context) => pay(createCashOrder, context), ...followUps }),
    serve(spei, { purchase: (context) => pay(createSpeiOrder, context), ...followUps }),
  ],
});
