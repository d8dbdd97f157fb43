import {
  call,
  currency as findCurrency,
  declined,
  defineConnector,
  type FollowUpFlows,
  isOfAnother,
  type Money,
  notFound,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  pending,
  type ProviderEvent,
  readPath,
  type References,
  refusedBy,
  settled,
  type Steps,
  unknown,
  visit,
  withGivenBack,
  withReason,
} from '@railyard/core';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { card } from './methods.ts';
import * as stripe from './stripe-endpoints.ts';
import { moneyOf, settings, statuses } from './stripe-endpoints.ts';
import * as request from './stripe-requests.ts';
import { events as sampleEvents } from './stripe.samples.ts';

type Purchase = request.Purchase;

// Meaning of replies.

/** A new PaymentIntent has the status of a failed one, and a hold that was let go of that of a payment that was never made. */
function wordOf({ status, last_payment_error: error, capture_method, latest_charge }: stripe.Intent): string {
  if (status === 'requires_payment_method' && error !== null) return 'payment_failed';
  return status === 'canceled' && capture_method === 'manual' && latest_charge !== null ? 'hold_canceled' : status;
}

function factsOf(intent: stripe.Intent) {
  const isManual = intent.capture_method === 'manual';
  const { id, status, currency, customer, payment_method: method, last_payment_error: error } = intent;
  return {
    word: wordOf(intent),
    providerReference: id,
    // A hold may be captured in part.
    amount: moneyOf(status === 'succeeded' && isManual ? intent.amount_received : intent.amount, currency),
    code: error?.decline_code ?? error?.code,
    message: error?.message,
    agreement: customer !== null && method !== null ? { customer, payment_method: method } : undefined,
  };
}

const outcomeOf = (intent: stripe.Intent, asked: References): Outcome =>
  ofThisPayment(statuses.read(factsOf(intent)), asked, intent.metadata['reference']);

const paymentEvents = (intent: stripe.Intent): readonly ProviderEvent[] =>
  statuses.events(`${intent.id}/${wordOf(intent)}`, intent.metadata['reference'], factsOf(intent));

/** A key that is in use, or that was used for other fields, says nothing about the request that it came with first. */
const TAKEN_BEFORE = new Set(['idempotency_key_in_use', 'idempotency_error']);

/** A card's error is its bank's answer; any other says that the request was not taken. */
function refusal({ error }: stripe.Problem): Outcome {
  const { type, message, payment_intent: intent } = error;
  const code = error.decline_code ?? error.code;
  const refused = type === 'idempotency_error' ? type : code;
  if (type !== 'card_error')
    return withReason(refusedBy({ code: refused, message }, TAKEN_BEFORE), stripe.reasons, code);
  const provider = { ...(code !== undefined && { code }), ...(message !== undefined && { message }) };
  const extra = { provider, ...(intent && { providerReference: intent.id }) };
  return withReason(declined('soft', 'card_declined', extra), stripe.reasons, code);
}

const refundOutcome = (refund: stripe.Refund, asked: References): Outcome => {
  const { status: word, id: providerReference, amount, currency } = refund;
  const outcome = statuses.read({ word, providerReference, amount: moneyOf(amount, currency) });
  return ofThisPayment(outcome, asked, refund.metadata?.['reference']);
};

/** A refund of ours, or one that was made in the dashboard. */
function refundEvents(refund: stripe.Refund): readonly ProviderEvent[] {
  const { id, status, payment_intent: providerReference } = refund;
  const event = { id: `${id}/${status}`, providerReference, provider: { status } };
  return [{ ...event, kind: 'refund', outcome: refundOutcome(refund, {}) }];
}

// The connector.

/** Of the account, and not sent. */
const OWN = new Set(['sets', 'zero_amount']);

function* purchase(context: Purchase): Steps<Outcome> {
  const { payment } = context;
  const { descriptor: _sent, ...others } = payment.parameters;
  const other = Object.entries(others).find(([name, value]) => value !== undefined && !OWN.has(name))?.[0];
  if (other !== undefined)
    return declined('hard', 'not_supported', { reason: `The parameter ${other} is not sent to this provider.` });
  // Stripe then needs the `cb_avalgo` of `ThreeDSecure.NetworkOptions.CartesBancaires`, which no field of the protocol has.
  if (payment.authentication && request.networkOf(payment.card) === 'cartes_bancaires')
    return declined('hard', 'not_supported', {
      reason:
        'Stripe takes no 3-D Secure of the merchant’s own for Cartes Bancaires. Leave cavv out, or name the other network.',
    });
  if (!stripe.isCounted(payment.amount)) return declined('hard', 'amount_not_accepted');
  let customer: string | undefined;
  if (payment.recurring_init) {
    const made = yield* call(stripe.createCustomer, request.customerFields(context));
    if (made.reply === 'refused') return refusal(made.body);
    customer = made.body.id;
  }
  const method = yield* call(stripe.createPaymentMethod, request.cardFields(context, payment.card));
  if (method.reply === 'refused') return refusal(method.body);
  return yield* opened(payment, {
    ...request.intentFields(payment, method.body.id),
    ...request.payerFields(context, customer),
  });
}

/** Opens a payment, and goes on by way of the payer's bank where it wants to see the payer. */
function* opened(asked: request.NewIntent, form: stripe.Fields): Steps<Outcome> {
  const answer = yield* call(stripe.createIntent, { form });
  if (answer.reply === 'refused') return refusal(answer.body);
  const { id, next_action: action, metadata } = answer.body;
  const url = action?.redirect_to_url?.url;
  if (url === undefined || url === null || metadata['reference'] !== asked.merchantReference)
    return outcomeOf(answer.body, asked);
  // The values that the payer brings back are a hint: the lookup decides.
  yield* visit({ purpose: 'authenticate', url, reference: id, until: z.object({}) });
  const result = yield* call(stripe.getIntent, id);
  const references = { merchantReference: asked.merchantReference, providerReference: id };
  return result.reply === 'found' ? outcomeOf(result.body, references) : pending(id);
}

/** A capture or a cancel shows in the PaymentIntent alone. */
const changed = (intent: stripe.Intent, payment: References, isDone: boolean, amount: Money): Outcome => {
  if (isOfAnother(payment, { providerReference: intent.id, merchantReference: intent.metadata['reference'] }))
    return unknown('The provider’s reply refers to a different payment.');
  return isDone ? settled(intent.id, amount) : unknown(`The provider’s payment is ${intent.status}.`);
};

/**
 * docs.stripe.com/get-started/account/statement-descriptors, Requirements: prefix and suffix have a letter each, and neither any of `<>\\'"*`.
 * With the prefix, of two to ten characters, every suffix comes to the five characters of the whole.
 */
const texts = {
  descriptor: {
    pattern: /^(?=.*[A-Za-z])[ !#-&()+-;=?-[\]-~]+$/,
    says: 'This value should have a letter, and none of < > \\ \' " * nor a letter beyond basic Latin: Stripe refuses it.',
  },
};

const MOST_PAGES = 20;

/** Every page that there is. */
function* refundsOf(of: string): Steps<readonly stripe.Refund[]> {
  const found: stripe.Refund[] = [];
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { data, has_more } = yield* call(stripe.listRefunds, { of, after: found.at(-1)?.id });
    found.push(...data);
    if (!has_more) break;
  }
  return found;
}

/** Of a payment there are a few at the most. The oldest comes first here, because each counts after the one before. */
function* disputesOf(of: string): Steps<readonly stripe.Dispute[]> {
  const { data } = yield* call(stripe.listDisputes, { of, after: undefined });
  return data.toReversed();
}

const flows = {
  texts,
  authentication: {
    sends: ['eci', 'dsTransID', 'protocolVersion', 'transStatus'],
    needs: ['dsTransID', 'protocolVersion'],
  },
  cardBrands: request.NETWORKS,
  purchase,

  capture: {
    partial: true,
    *flow({ payment, id, amount }) {
      const form = request.captureFields({ id, amount });
      const answer = yield* call(stripe.captureIntent, { intent: payment.providerReference, form });
      if (answer.reply === 'refused') return refusal(answer.body);
      return changed(answer.body, payment, answer.body.metadata['capture'] === id, amount);
    },
  },

  *void({ payment, held }) {
    if (!held) return declined('hard', 'not_supported', { reason: 'Stripe takes a sale back by a refund.' });
    const form = { cancellation_reason: 'requested_by_customer' };
    const answer = yield* call(stripe.cancelIntent, { intent: payment.providerReference, form });
    if (answer.reply === 'refused') return refusal(answer.body);
    const { status, amount, currency } = answer.body;
    return changed(answer.body, payment, status === 'canceled', moneyOf(amount, currency));
  },

  refund: {
    partial: true,
    *flow({ payment, id, amount }) {
      const answer = yield* call(stripe.createRefund, {
        form: request.refundFields(payment.providerReference, id, amount),
      });
      if (answer.reply === 'refused') return refusal(answer.body);
      return refundOutcome(answer.body, { merchantReference: id });
    },
  },

  *recurring({ payment, initial }) {
    const { customer, payment_method: method } = initial.agreement;
    if (customer === undefined || method === undefined)
      return declined('hard', 'not_supported', { reason: 'The first payment kept no card for later charges.' });
    if (!stripe.isCounted(payment.amount)) return declined('hard', 'amount_not_accepted');
    return yield* opened(payment, { ...request.intentFields(payment, method), customer, off_session: true });
  },

  *status({ payment }) {
    const { providerReference: id, merchantReference } = payment;
    let intent: stripe.Intent | undefined;
    if (id === undefined) [intent] = (yield* call(stripe.searchIntents, merchantReference)).data;
    else {
      const answer = yield* call(stripe.getIntent, id);
      if (answer.reply === 'found') intent = answer.body;
    }
    if (intent === undefined) return notFound();
    const events = paymentEvents(intent);
    const isOther = isOfAnother(payment, {
      merchantReference: intent.metadata['reference'],
      providerReference: intent.id,
    });
    if (!isOther && events[0]?.kind !== 'payment') return { events };
    const { latest_charge: charge } = intent;
    const { disputed, refunds: listed } = typeof charge === 'object' && charge !== null ? charge : UNCHARGED;
    // A charge lists ten of its refunds.
    const refunds = listed.has_more ? yield* refundsOf(intent.id) : listed.data;
    const disputes = disputed ? yield* disputesOf(intent.id) : [];
    const back = [...refunds.flatMap(refundEvents), ...disputes.flatMap(disputeEvents)];
    return withGivenBack(outcomeOf(intent, payment), merchantReference, back);
  },

  *modificationStatus({ payment, modification: { name, id, amount, providerReference } }) {
    if (name === 'refund') {
      const asked = { merchantReference: id, providerReference };
      if (providerReference !== undefined) {
        const answer = yield* call(stripe.getRefund, providerReference);
        return answer.reply === 'found' ? refundOutcome(answer.body, asked) : notFound();
      }
      const refunds = yield* refundsOf(payment.providerReference);
      const made = refunds.find(({ metadata }) => metadata?.['reference'] === id);
      return made === undefined ? notFound() : refundOutcome(made, asked);
    }
    const answer = yield* call(stripe.getIntent, payment.providerReference);
    if (answer.reply === 'absent') return notFound();
    const { status, metadata } = answer.body;
    return changed(
      answer.body,
      payment,
      name === 'capture' ? metadata['capture'] === id : status === 'canceled',
      amount,
    );
  },
} satisfies FollowUpFlows<stripe.Settings> & { readonly purchase: (context: Purchase) => Steps<Outcome> };

const UNCHARGED = { disputed: false, refunds: { data: [], has_more: false } };

const NOTHING = { object: 'none of ours' };
const OBJECTS = ['payment_intent', 'refund', 'dispute'];
/** Another system's, on the same account: each of ours names the payment. A refund has no such name where it was made in the panel. */
const foreign = z.union([
  z.object({ object: z.enum(['refund', 'dispute']), payment_intent: z.null() }),
  z.object({
    object: z.literal('payment_intent'),
    metadata: z.object({ reference: z.undefined().optional() }).nullish(),
  }),
  z.object({
    object: z.literal('refund'),
    metadata: z.object({ reference: z.undefined().optional() }).nullish(),
    currency: z.string().refine((code) => findCurrency(code.toUpperCase()) === undefined),
  }),
]);
/**
 * An endpoint keeps the version of the API with which it was made. Before 2022-11-15 a PaymentIntent had a list of charges, the newest first;
 * the charge matters to one that was cancelled alone.
 */
const notifiedIntent = z.preprocess((given) => {
  if (readPath(given, 'latest_charge') !== undefined || typeof given !== 'object') return given;
  const charge = readPath(given, 'charges.data.0.id') ?? (readPath(given, 'status') === 'canceled' ? undefined : null);
  return { ...given, latest_charge: charge };
}, stripe.intent);
const other = z.object({ object: z.string().refine((name) => !OBJECTS.includes(name)) });

/** `Stripe.Event` and `Webhooks.constructEvent` of the package. */
const notifications = notificationsFor(settings)({
  address: 'at-provider',
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'stripe-signature',
    separator: ',',
    prefix: 'v1=',
    timestamp: { item: 't=', toleranceSeconds: 300 },
    key: ({ webhook_secret }) => webhook_secret,
    over: ({ bytes }, { time }) => [`${time}.`, bytes],
  },
  vectors: [
    {
      body: '{"type":"charge.updated","data":{"object":{"object":"charge"}}}',
      headers: {
        'Stripe-Signature': 't=1795255200,v1=9c24d165d54a7b1f43899331cc489b49dfc4ae3d26b531f219b2f1988f84e956',
      },
      settings: { webhook_secret: 'whsec_test_secret_of_the_library' },
      at: '2026-11-21T10:00:00Z',
      source: 'stripe 23.1.0, webhooks.generateTestHeaderString',
    },
  ],
  codec: 'json',
  body: z.object({
    type: z.string(),
    data: z.object({
      object: z.union([foreign.transform(() => NOTHING), notifiedIntent, stripe.refund, stripe.dispute, other]),
    }),
  }),
  events: ({ data: { object } }) => eventsOf(object),
  examples: sampleEvents.map((body) => ({ body, source: `${stripe.SOURCE}, Stripe.Event` })),
});

function eventsOf(about: stripe.Intent | stripe.Refund | stripe.Dispute | z.output<typeof other>) {
  if (!('id' in about)) return [];
  if (about.object === 'payment_intent') return paymentEvents(about);
  if (about.object === 'refund') return refundEvents(about);
  return disputeEvents(about);
}

/** Words of an inquiry, before which no bank has taken money, are none of the table. */
function disputeEvents({ id, status: word, payment_intent: payment, amount, currency }: stripe.Dispute) {
  if (!Object.hasOwn(statuses.rows, word)) return [];
  return statuses.events(id, undefined, { word, providerReference: payment, amount: moneyOf(amount, currency) });
}

/** Cards by Stripe: checked against its official types, not yet against its live API. */
export const stripeConnector = defineConnector({
  id: 'card-stripe',
  contract: 1,
  version: manifest.version,
  title: 'Cards, Stripe',
  settings,
  endpoints: stripe.api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [serve(card, flows)],
  *check() {
    const answer = yield* call(stripe.getBalance, undefined);
    return answer.reply === 'read'
      ? { works: true }
      : { works: false, why: answer.body.error.message ?? 'Stripe refused the key.' };
  },
});
