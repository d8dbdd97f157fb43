import {
  amountOf,
  call,
  type ContextOf,
  declined,
  defineConnector,
  type FollowUpFlows,
  notFound,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  type ProviderEvent,
  type References,
  settled,
  type Steps,
  unknown,
  visit,
  withGivenBack,
} from '@railyard/core';
import { atMost } from '@railyard/core/formats';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { redirect } from './methods.ts';
import * as paypal from './paypal-endpoints.ts';
import { amountFields, api, settings, statuses } from './paypal-endpoints.ts';
import { events as sampleEvents } from './paypal.samples.ts';

type Purchase = ContextOf<paypal.Settings, typeof redirect, 'purchase'>;

// Meaning of replies.

type Kind = 'authorization' | 'capture' | 'refund';

/** Later calls name the authorisation or the capture. */
const factsOf = (kind: Kind, { id, status, amount, status_details }: paypal.Movement, providerReference = id) => ({
  word: status,
  providerReference,
  amount: amountOf(amount),
  code: status_details?.reason,
  ...(kind !== 'refund' && { connectorState: { [kind]: id } }),
});

/** An order that is completed may have made a payment that was declined, so what it made says more. */
function orderFacts(said: paypal.Order) {
  const { id, status, purchase_units } = said;
  const [{ amount, payments, custom_id }] = purchase_units;
  const hold = paypal.holdOf(said);
  const made = hold ?? payments?.captures?.[0];
  const word = ['CREATED', 'VOIDED', 'COMPLETED'].includes(status) ? `ORDER_${status}` : status;
  const facts = made
    ? factsOf(hold ? 'authorization' : 'capture', made, id)
    : { word, providerReference: id, amount: amountOf(amount) };
  return { id: `${made?.id ?? id}/${facts.word}`, facts: { ...facts, merchantReference: custom_id } };
}

const orderOutcome = (said: paypal.Order, asked: References): Outcome => statuses.read(orderFacts(said).facts, asked);

/** The invoice of a refund, and of a capture of a hold, is our id of it. */
const modificationOutcome = (kind: Kind, said: paypal.Movement, ours: string): Outcome =>
  ofThisPayment(statuses.read(factsOf(kind, said)), { merchantReference: ours }, said.invoice_id);

const voidOutcome = (hold: paypal.Movement | undefined): Outcome =>
  hold?.status === 'VOIDED' ? settled(hold.id, amountOf(hold.amount)) : unknown('The authorisation is not voided.');

/** Of a refund of ours, or of one that the merchant made at PayPal. */
const modificationEvent = (kind: 'capture' | 'refund', said: paypal.Movement, order: string): ProviderEvent => ({
  kind,
  id: `${said.id}/${said.status}`,
  providerReference: order,
  ...(said.custom_id !== undefined && { merchantReference: said.custom_id }),
  outcome: statuses.read(factsOf(kind, said)),
});

/** The payer has approved the order, which ends their visit wherever they are. */
const approved = ({ id }: paypal.Order): ProviderEvent => ({
  kind: 'returned',
  id: `${id}/APPROVED`,
  providerReference: id,
  values: {},
});

// The connector.

const orderFields = ({ payment, urls }: Purchase) => ({
  intent: payment.auth ? 'AUTHORIZE' : 'CAPTURE',
  purchase_units: [
    {
      amount: amountFields(payment.amount),
      description: atMost(payment.order.description, 127, 'utf-16'),
      custom_id: payment.merchantReference,
    },
  ],
  payment_source: {
    paypal: {
      experience_context: {
        return_url: urls.return,
        cancel_url: urls.return,
        user_action: 'PAY_NOW',
        shipping_preference: 'NO_SHIPPING',
      },
    },
  },
});

function* purchase(context: Purchase): Steps<Outcome> {
  const { merchantReference, auth, amount } = context.payment;
  if (!paypal.isCounted(amount)) return declined('hard', 'amount_not_accepted');
  const made = yield* call(paypal.createOrder, { json: orderFields(context) });
  if (made.reply === 'refused') return api.refusal(made.body);
  const outcome = orderOutcome(made.body, { merchantReference });
  if (outcome.status !== 'pending') return outcome;
  const { id, links = [] } = made.body;
  const url = links.find(({ rel }) => rel === 'payer-action')?.href;
  const reason = 'The provider gave no address where the payer could pay.';
  if (url === undefined) return declined('soft', 'provider_error', { reason, providerReference: id });
  // The values that the payer brings back are no more than a hint: PayPal takes no order that was not approved.
  yield* visit({ purpose: 'approve', url, reference: id, mayTurnBack: true, until: z.object({}) });
  return yield* api.outcome(auth ? paypal.authorizeOrder : paypal.captureOrder, { id }, ({ body }) =>
    orderOutcome(body, { merchantReference, providerReference: id }),
  );
}

/** Each outcome of a payment names what it made, so that no payment is without. */
const unnamed = (what: Kind) => declined('hard', 'not_supported', { reason: `The payment has no ${what}.` });

const flows = {
  purchase,

  *status({ payment }) {
    const { providerReference: id } = payment;
    // Without the order's id the payer was sent nowhere, and no money moved.
    if (id === undefined) return notFound();
    const answer = yield* call(paypal.getOrder, id);
    if (answer.reply === 'absent') return api.notFound(answer.body);
    const { body } = answer;
    if (body.id === id && body.status === 'APPROVED') return { events: [approved(body)] };
    const { refunds = [] } = body.purchase_units[0].payments ?? {};
    const { id: eventId, facts } = orderFacts(body);
    const report = statuses.report(facts, payment, eventId);
    if ('events' in report) return report;
    return withGivenBack(
      report,
      payment.merchantReference,
      refunds.map((each) => modificationEvent('refund', each, id)),
    );
  },

  capture: {
    partial: true,
    /** A hold is captured once: PayPal lets go of the rest. */
    *flow({ payment: { connectorState }, id: invoice_id, amount }) {
      const { authorization: id } = connectorState;
      if (id === undefined) return unnamed('authorization');
      const json = { amount: amountFields(amount), invoice_id, final_capture: true };
      return yield* api.outcome(paypal.captureHold, { id, json }, ({ body }) =>
        modificationOutcome('capture', body, invoice_id),
      );
    },
  },

  *void({ payment: { connectorState, providerReference: order }, held }) {
    if (!held) return declined('hard', 'not_supported', { reason: 'PayPal takes a sale back by a refund.' });
    const { authorization: hold } = connectorState;
    if (hold === undefined) return unnamed('authorization');
    return yield* api.outcome(paypal.voidHold, { hold, order }, ({ body }) => voidOutcome(body));
  },

  refund: {
    partial: true,
    *flow({ payment: { connectorState, merchantReference: custom_id }, id: invoice_id, amount }) {
      const { capture: id } = connectorState;
      if (id === undefined) return unnamed('capture');
      const json = { amount: amountFields(amount), invoice_id, custom_id };
      return yield* api.outcome(paypal.refundCapture, { id, json }, ({ body }) =>
        modificationOutcome('refund', body, invoice_id),
      );
    },
  },

  *modificationStatus({ payment, modification: { name, id: ours, providerReference } }) {
    return yield* api.outcome(paypal.getOrder, payment.providerReference, ({ body }) => {
      if (name !== 'capture' && name !== 'refund') return voidOutcome(paypal.holdOf(body));
      const { captures = [], refunds = [] } = body.purchase_units[0].payments ?? {};
      const made = (name === 'capture' ? captures : refunds).find(
        ({ id, invoice_id }) => id === providerReference || invoice_id === ours,
      );
      return made === undefined ? notFound() : modificationOutcome(name, made, ours);
    });
  },
} satisfies FollowUpFlows<paypal.Settings> & { readonly purchase: (context: Purchase) => Steps<Outcome> };

const MOVEMENTS = ['authorization', 'capture', 'refund'] as const;
const ORDER = 'checkout-order';
const isOther = (type: string) => type !== ORDER && !MOVEMENTS.some((each) => each === type);

/** Nothing names the order beside a refund, but our own reference. */
function eventsOf(kind: Kind, said: paypal.Movement): readonly ProviderEvent[] {
  const { custom_id: ours, invoice_id: modification, supplementary_data: data } = said;
  const { order_id: order = kind === 'refund' ? said.id : undefined } = data?.related_ids ?? {};
  if (order === undefined) return [];
  return kind === 'authorization' || (kind === 'capture' && modification === undefined)
    ? statuses.events(`${said.id}/${said.status}`, ours, factsOf(kind, said, order))
    : [modificationEvent(kind, said, order)];
}

const unnamedByUs = { custom_id: z.undefined().optional() };
/** Another system's, on the same account, that cannot be read: each order of ours has our reference. */
const foreign = z.union([
  z.object({
    resource_type: z.literal(ORDER),
    resource: z.object({ purchase_units: z.array(z.object(unnamedByUs)) }),
  }),
  z.object({ resource_type: z.enum(MOVEMENTS), resource: z.object(unnamedByUs) }),
]);

/** "PayPal reverses a payment capture" (docs.paypal.ai/reference/webhook-events): the merchant refunded nothing. */
const REVERSED = 'PAYMENT.CAPTURE.REVERSED';
const takenBack = ({ id, amount, custom_id, supplementary_data: data }: paypal.Movement): ProviderEvent => ({
  kind: 'chargeback',
  id: `${id}/${REVERSED}`,
  providerReference: data?.related_ids?.order_id ?? id,
  ...(custom_id !== undefined && { merchantReference: custom_id }),
  provider: { status: REVERSED },
  amount: amountOf(amount),
});

const proofHeader = (name: string) => `paypal-${name.replace('_', '-')}`;

const notifications = notificationsFor(settings)({
  address: 'at-provider',
  verify: {
    scheme: 'call',
    headers: paypal.PROOF.map(proofHeader),
    *steps({ headers: arrived, body: event }) {
      const proof = Object.fromEntries(paypal.PROOF.map((name) => [name, arrived[proofHeader(name)] ?? '']));
      return (yield* call(paypal.verifySignature, { proof, event })).verification_status === 'SUCCESS';
    },
  },
  codec: 'json',
  body: z.union([
    z.object({ resource_type: z.literal(ORDER), resource: paypal.order }),
    z.object({ event_type: z.string(), resource_type: z.enum(MOVEMENTS), resource: paypal.movement }),
    z.object({ resource_type: z.string().refine(isOther) }),
    foreign.transform(() => ({ resource_type: 'none of ours' })),
  ]),
  events: (about) => {
    if (!('resource' in about)) return [];
    if (about.resource_type !== ORDER) {
      const { event_type: type, resource_type: kind, resource } = about;
      return type === REVERSED ? [takenBack(resource)] : eventsOf(kind, resource);
    }
    return about.resource.status === 'APPROVED' ? [approved(about.resource)] : [];
  },
  examples: sampleEvents.map((body) => ({
    body,
    source: 'https://docs.paypal.ai/reference/webhook-events: webhook-format, payments-v2',
  })),
});

/** PayPal: checked against the official description, not yet against the live API. */
export const paypalConnector = defineConnector({
  id: 'paypal',
  contract: 1,
  version: manifest.version,
  title: 'PayPal',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [serve(redirect, flows)],
  /** Asks for a token, and with it for an order that was never made. */
  *check() {
    yield* call(paypal.getOrder, 'RAILYARDDOCTOR');
    return { works: true };
  },
});
