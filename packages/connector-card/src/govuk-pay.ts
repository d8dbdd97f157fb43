import {
  call,
  type ContextOf,
  declined,
  defineConnector,
  type FollowUpFlows,
  notFound,
  ofThisPayment,
  type OriginalPayment,
  type Outcome,
  type ProviderEvent,
  redirect,
  type Steps,
  unknown,
  withGivenBack,
} from '@railyard/core';
import { atMost } from '@railyard/core/formats';
import manifest from '../package.json' with { type: 'json' };
import * as pay from './govuk-pay-endpoints.ts';
import {
  api,
  captureStatuses,
  moneyOf,
  refundStatuses,
  settings,
  statuses,
  voidStatuses,
} from './govuk-pay-endpoints.ts';
import * as samples from './govuk-pay.samples.ts';
import { cardHosted } from './methods.ts';

type Purchase = ContextOf<pay.Settings, typeof cardHosted, 'purchase'>;

// Meaning of replies.

/** A surcharge that the payer paid on top is no part of the order (docs.payments.service.gov.uk/corporate_card_surcharges). */
const factsOf = ({ payment_id, reference, amount, state }: pay.Standing) => ({
  word: state.status,
  code: state.code ?? undefined,
  providerReference: payment_id,
  merchantReference: reference,
  amount: moneyOf(amount),
});

/** Each address is for one visit: every reply has a new one (`/making_payments/#resume-an-incomplete-payment`). */
function shownFacts(said: pay.Payment) {
  const url = said._links.next_url?.href;
  return { ...factsOf(said), show: url === undefined ? undefined : redirect({ url }) };
}

const outcomeOf = (said: pay.Payment, merchantReference: string): Outcome =>
  statuses.read(shownFacts(said), { merchantReference });

/** Under which an outcome keeps the provider's name of a refund. */
const named = (refund_id: string) => `refund-${refund_id}`;

const refundOutcome = ({ refund_id, amount, status }: pay.Refund): Outcome =>
  refundStatuses.read({
    word: status,
    providerReference: refund_id,
    amount: moneyOf(amount),
    connectorState: { [named(refund_id)]: 'known' },
  });

const refundEvent = (said: pay.Refund, providerReference: string): ProviderEvent => ({
  kind: 'refund',
  id: `${said.refund_id}/${said.status}`,
  providerReference,
  provider: { status: said.status },
  outcome: refundOutcome(said),
});

const RESULTS: Readonly<Record<string, 'won' | 'lost'>> = { won: 'won', lost: 'lost' };

const disputeEvent = ({ dispute_id, payment_id, amount, status }: pay.Dispute): ProviderEvent => {
  const result = RESULTS[status];
  return {
    kind: 'chargeback',
    id: dispute_id,
    providerReference: payment_id,
    amount: moneyOf(amount),
    provider: { status },
    ...(result !== undefined && { result }),
  };
};

/** Those of our requests that may have been sent twice; the one that was paid counts before one that waits, and that before one that ended. */
function* idOf(reference: string): Steps<string | undefined> {
  const { results } = yield* call(pay.findPayments, reference);
  const rank = ({ state: { status } }: pay.Standing) => {
    if (status === 'success' || status === 'capturable') return 0;
    return ['created', 'started', 'submitted'].includes(status) ? 1 : 2;
  };
  return results.toSorted((a, b) => rank(a) - rank(b))[0]?.payment_id;
}

/** The items of a list that are of a payment, and whether the list was read to its end. */
interface Listed<T> {
  readonly told: readonly T[];
  readonly isWhole: boolean;
}

/**
 * All pages of the list, up to a most and up to one that is refused or fails: what else the payment says must not wait for it. The list does
 * not say in which order they come.
 */
function* disputesOf({ payment_id: id, created_date }: pay.Payment): Steps<Listed<pay.Dispute>> {
  const found: pay.Dispute[] = [];
  let isWhole = false;
  for (let page = 1; !isWhole && page <= MOST_PAGES; page += 1) {
    const answer = yield* call(pay.listDisputes, { from_date: `${created_date.slice(0, 19)}Z`, page });
    if (answer.reply !== 'found') break;
    isWhole = page * pay.PAGE >= answer.body.total;
    found.push(...answer.body.results.filter(({ payment_id }) => payment_id === id));
  }
  return { told: found.toSorted((a, b) => a.created_date.localeCompare(b.created_date)), isWhole };
}
const MOST_PAGES = 20;

/** The list is asked where the payment says that something of it went back. */
function* refundsOf(said: pay.Payment): Steps<Listed<pay.Refund>> {
  const available = pay.availableOf(said);
  if (available !== undefined && available.minor === moneyOf(said.total_amount ?? said.amount).minor)
    return { told: [], isWhole: true };
  const listed = yield* call(pay.listRefunds, said.payment_id);
  return listed.reply === 'found' && listed.body.payment_id === said.payment_id
    ? { told: listed.body._embedded.refunds, isWhole: true }
    : { told: [], isWhole: false };
}

/** The firewall of the provider refuses these signs (`/api_reference/#gov-uk-pay-api-error-codes`, P0920). */
const REFUSED_SIGNS = /[<>"\\|]/g;

const knownOf = (state: Readonly<Record<string, string>>) =>
  Object.keys(state).flatMap((name) => (name.startsWith(named('')) ? [name.slice(named('').length)] : []));

// The connector.

const flows = {
  *purchase({ payment, urls }: Purchase) {
    const { merchantReference: reference, amount, auth, order } = payment;
    const made = yield* call(pay.createPayment, {
      reference,
      amount,
      description: atMost(order.description.replaceAll(REFUSED_SIGNS, ' '), 255, 'utf-16'),
      return_url: urls.return,
      delayed_capture: auth,
    });
    return made.reply === 'refused' ? api.refusal(made.body) : outcomeOf(made.body, reference);
  },

  *status({ payment }) {
    const { merchantReference: reference } = payment;
    const id = payment.providerReference ?? (yield* idOf(reference));
    if (id === undefined) return notFound();
    const answer = yield* call(pay.getPayment, id);
    if (answer.reply === 'absent') return api.notFound(answer.body);
    const { body } = answer;
    const asked = { merchantReference: reference };
    const report = statuses.report(shownFacts(body), asked, `${id}/${body.state.status}`);
    if ('events' in report || report.status !== 'settled') return report;
    const made = yield* refundsOf(body);
    const disputed = yield* disputesOf(body);
    return withGivenBack(
      report,
      reference,
      [...made.told.map((each) => refundEvent(each, id)), ...disputed.told.map(disputeEvent)],
      made.isWhole && disputed.isWhole ? undefined : 'GOV.UK Pay did not list all refunds and disputes.',
    );
  },

  /** The provider decides: a payment that it does not cancel may have been paid. */
  *withdraw({ payment: { providerReference: id, merchantReference: reference } }) {
    yield* call(pay.cancelPayment, id);
    return yield* api.outcome(pay.getPayment, id, ({ body }) => outcomeOf(body, reference));
  },

  capture: {
    partial: false,
    *flow({ payment, id }) {
      const answer = yield* call(pay.capturePayment, payment.providerReference);
      return yield* moved(payment, id, captureStatuses, answer);
    },
  },

  *void({ payment, id, held }) {
    if (!held) return declined('hard', 'not_supported', { reason: 'GOV.UK Pay takes a payment back by a refund.' });
    const answer = yield* call(pay.cancelPayment, payment.providerReference);
    return yield* moved(payment, id, voidStatuses, answer);
  },

  refund: {
    partial: true,
    *flow({ payment: { providerReference: payment_id, connectorState }, amount }) {
      const now = yield* call(pay.getPayment, payment_id);
      const isOurs = now.reply === 'found' && now.body.payment_id === payment_id;
      const available = isOurs ? pay.availableOf(now.body) : undefined;
      if (available === undefined || available.minor < amount.minor)
        return declined('soft', 'amount_not_accepted', { reason: 'GOV.UK Pay has less of it left to refund.' });
      const asked = { payment_id, amount, available, known: knownOf(connectorState) };
      return yield* api.outcome(pay.createRefund, asked, ({ body }) => refundOutcome(body));
    },
  },

  *modificationStatus({ payment, modification }) {
    const { name, id, amount, providerReference: refund_id } = modification;
    if (name !== 'refund') return yield* moved(payment, id, name === 'capture' ? captureStatuses : voidStatuses);
    const { providerReference: payment_id, connectorState } = payment;
    if (refund_id !== undefined)
      return yield* api.outcome(pay.getRefund, { payment_id, refund_id }, ({ body }) =>
        ofThisPayment(refundOutcome(body), { providerReference: refund_id }),
      );
    return yield* api.outcome(pay.listRefunds, payment_id, ({ body }) => {
      const made = pay.unnamed(body._embedded.refunds, { amount, known: knownOf(connectorState) });
      return made === undefined ? notFound() : refundOutcome(made);
    });
  },
} satisfies FollowUpFlows<pay.Settings> & { readonly purchase: (context: Purchase) => Steps<Outcome> };

type Answered =
  | { readonly reply: 'made' }
  | { readonly reply: 'refused'; readonly body: { readonly code: string; readonly description?: string | undefined } };

/** A capture and a cancellation have no name: the state of the payment says whether they took place. */
type Named = Pick<OriginalPayment, 'providerReference' | 'merchantReference'>;

function* moved(payment: Named, id: string, table: typeof captureStatuses, answer?: Answered): Steps<Outcome> {
  return yield* api.outcome(pay.getPayment, payment.providerReference, ({ body }) => {
    const facts = { ...factsOf(body), code: undefined, providerReference: id };
    const outcome = table.read(facts, { merchantReference: payment.merchantReference });
    return answer?.reply === 'refused' && outcome.status === 'pending' ? api.refusal(answer.body) : outcome;
  });
}

const WEBHOOKS = 'https://docs.payments.service.gov.uk/webhooks/';

/** A message may be older than the one before, and its payment older than its event. */
const notifications = api.notifications({
  address: 'at-provider',
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    header: 'pay-signature',
    encoding: 'hex',
    key: ({ webhook_secret }) => webhook_secret,
  },
  vectors: [
    {
      headers: { 'pay-signature': 'a678c8326237dc08acabed4ec3948ee82f94c4b35cdc44b68f26fa8ef595efff' },
      body: 'We captured a £10 payment! 💷',
      settings: { webhook_secret: 'This is my secret key! 🔑' },
      source: 'https://github.com/alphagov/pay-webhooks, WebhookMessageSignatureGeneratorTest',
    },
  ],
  body: pay.message,
  events: ({ id, resource }) => {
    if ('refund_id' in resource) return [refundEvent(resource, resource.payment_id)];
    const facts = factsOf(resource);
    const { providerReference, merchantReference, word } = facts;
    if (statuses.read(facts).status !== 'authorized') return statuses.events(id, merchantReference, facts);
    const outcome = unknown('A hold may have ended since: it is looked up.', { providerReference });
    return [{ kind: 'payment', id, providerReference, merchantReference, provider: { status: word }, outcome }];
  },
  examples: [samples.tellsPayment, samples.tellsRefund].map((body) => ({ body, source: WEBHOOKS })),
});

/** GOV.UK Pay: checked against the official description, not yet against the live API. */
export const govukPayConnector = defineConnector({
  id: 'govuk-pay',
  contract: 1,
  version: manifest.version,
  title: 'GOV.UK Pay',
  settings,
  endpoints: api.endpoints,
  statuses,
  effectStatuses: { refund: refundStatuses, capture: captureStatuses, void: voidStatuses },
  notifications,
  serves: (serve) => [serve(cardHosted, flows)],
  /** Asks for payments that were never made. */
  *check() {
    yield* call(pay.findPayments, 'railyard-doctor');
    return { works: true };
  },
});
