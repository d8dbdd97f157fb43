import {
  call,
  type ContextOf,
  declined,
  defineConnector,
  type FollowUpFlows,
  isZero,
  type Money,
  notFound,
  type Outcome,
  pending,
  type ProviderEvent,
  settled,
  type Steps,
  unknown,
  visit,
  withGivenBack,
} from '@railyard/core';
import { atMost } from '@railyard/core/formats';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { walletVipps } from './methods.ts';
import * as vipps from './vipps-endpoints.ts';
import { api, moneyOf, settings, statuses } from './vipps-endpoints.ts';
import * as samples from './vipps.samples.ts';

type Purchase = ContextOf<vipps.Settings, typeof walletVipps, 'purchase'>;

// Meaning of replies.

/** A payment stays AUTHORIZED when it is captured or let go of. */
function wordOf({ state, aggregate }: vipps.Standing): string {
  if (state !== 'AUTHORIZED') return state;
  if (!isZero(moneyOf(aggregate.capturedAmount))) return 'CAPTURED';
  return isZero(moneyOf(aggregate.cancelledAmount)) ? 'RESERVED' : 'CANCELLED';
}

/** The amount that was captured, else the one that is held, else the one that was asked for. */
function amountOf({ amount, aggregate: { capturedAmount, authorizedAmount } }: vipps.Standing) {
  const amounts = [capturedAmount, authorizedAmount].map(moneyOf);
  return amounts.find((each) => !isZero(each)) ?? moneyOf(amount);
}

/** Vipps has no name of its own for a payment that a request could carry: it goes by ours. */
const factsOf = (said: vipps.Standing) => ({
  word: wordOf(said),
  providerReference: said.reference,
  merchantReference: said.reference,
  amount: amountOf(said),
});

const outcomeOf = (said: vipps.Standing, merchantReference: string): Outcome =>
  statuses.read(factsOf(said), { merchantReference });

/** A capture, a cancellation or a refund goes by the key of its request; one that was made in the portal by Vipps's reference. */
const referenceOf = ({ idempotencyKey, pspReference }: vipps.Event) => idempotencyKey ?? pspReference;

const movementOutcome = (said: vipps.Event): Outcome =>
  said.success
    ? settled(referenceOf(said), moneyOf(said.amount), { provider: { status: said.name } })
    : declined('soft', 'declined_by_provider', {
        providerReference: referenceOf(said),
        provider: { status: said.name },
      });

const eventId = ({ name, pspReference, idempotencyKey }: vipps.Event) =>
  `${name}/${pspReference}/${idempotencyKey ?? ''}`;

const movementEvent = (kind: vipps.Changing, said: vipps.Event): ProviderEvent => ({
  kind,
  id: eventId(said),
  providerReference: said.reference,
  merchantReference: said.reference,
  outcome: movementOutcome(said),
});

/** The payer has approved the payment, which ends their visit wherever they are. */
const approved = (reference: string, id: string): ProviderEvent => ({
  kind: 'returned',
  id,
  providerReference: reference,
  merchantReference: reference,
  values: {},
});

/** The key of the cancellation of a payment whose payer goes another way. */
const withdrawal = (reference: string) => `withdraw-${reference}`;

/** The amount that a capture, or a refund, has left to be moved. */
const leftOf = ({
  authorizedAmount,
  capturedAmount,
  cancelledAmount,
  refundedAmount,
}: vipps.Standing['aggregate']) => ({
  capture: authorizedAmount.value - capturedAmount.value - cancelledAmount.value,
  refund: capturedAmount.value - refundedAmount.value,
});

interface Change {
  readonly reference: string;
  readonly key: string;
  readonly amount: Money;
}

/** A reply says what was moved in all: a change took place where exactly its amount is gone. Otherwise the log is asked. */
function changed(said: vipps.Standing, kind: 'capture' | 'refund', change: Change, remaining: Money): Outcome {
  const { reference, key, amount } = change;
  const left = remaining.minor - amount.minor;
  const isOurs = said.reference === reference && said.amount.currency === amount.currency;
  const isMade = isOurs && said.state === 'AUTHORIZED' && BigInt(leftOf(said.aggregate)[kind]) === left;
  return isMade ? settled(key, amount) : unknown('The provider’s amounts do not show it.');
}

/** Nothing of it was captured, and all that was held is free. */
const isReleased = (
  { reference, state, aggregate: { authorizedAmount, cancelledAmount } }: vipps.Standing,
  ours: string,
) => reference === ours && state === 'AUTHORIZED' && cancelledAmount.value === authorizedAmount.value;

// The connector.

/** The payer may come back before they have decided, and go on in the app: so often they are sent there again. */
const MOST_VISITS = 10;
/** `paymentDescription` has three letters at the fewest. */
const FEWEST_LETTERS = 3;

function* purchase({ payment, urls }: Purchase): Steps<Outcome> {
  const { merchantReference: reference, auth, amount, order } = payment;
  const description = order.description.length < FEWEST_LETTERS ? undefined : atMost(order.description, 100, 'utf-16');
  const made = yield* call(vipps.createPayment, { reference, amount, description, returnUrl: urls.return });
  if (made.reply === 'refused') return api.refusal(made.body);
  const { redirectUrl: url, reference: said } = made.body;
  if (said !== reference) return unknown('The provider’s reply refers to a different payment.');
  const reason = 'The provider gave no address where the payer could pay.';
  if (url === undefined) return declined('soft', 'provider_error', { reason, providerReference: reference });
  for (let visits = 0; visits < MOST_VISITS; visits += 1) {
    // The values that the payer brings back say nothing: Vipps is asked.
    yield* visit({ purpose: 'approve', url, reference, mayTurnBack: true, until: z.object({}) });
    const answer = yield* call(vipps.getPayment, reference);
    if (answer.reply === 'absent') return api.notFound(answer.body);
    const outcome = outcomeOf(answer.body, reference);
    if (outcome.status === 'authorized' && !auth) return yield* sold(reference, amount, outcome.amount);
    if (outcome.status !== 'pending') return outcome;
  }
  return pending(reference);
}

/** The capture of a sale goes by the payment's own reference. Where Vipps refuses it, what is held is let go of. */
function* sold(reference: string, { currency }: Money, amount: Money): Steps<Outcome> {
  if (amount.currency !== currency) return unknown('The provider’s reply names another currency.');
  const captured = yield* call(vipps.capturePayment, { reference, key: reference, amount });
  if (captured.reply === 'made') {
    const outcome = outcomeOf(captured.body, reference);
    return outcome.status === 'authorized' ? unknown('The provider’s amounts do not show the capture.') : outcome;
  }
  const refusal = api.refusal(captured.body);
  if (refusal.status !== 'declined') return refusal;
  const freed = yield* call(vipps.cancelPayment, { reference, key: withdrawal(reference) });
  const isFree = freed.reply === 'made' && isReleased(freed.body, reference);
  return isFree
    ? { ...refusal, providerReference: reference }
    : unknown('The capture was refused, and the money is held.');
}

const flows = {
  purchase,

  *status({ payment }) {
    const { merchantReference: reference, auth } = payment;
    const answer = yield* call(vipps.getPayment, reference);
    if (answer.reply === 'absent') return api.notFound(answer.body);
    const { body } = answer;
    const word = wordOf(body);
    const report = statuses.report(factsOf(body), { merchantReference: reference }, `${reference}/${word}`);
    if ('events' in report) return report;
    // Approved, and its flow has not gone on yet: it captures a sale.
    if (report.status === 'authorized' && !auth) return { events: [approved(reference, `${reference}/${word}`)] };
    if (report.status !== 'settled' || isZero(moneyOf(body.aggregate.refundedAmount))) return report;
    const log = yield* call(vipps.listEvents, reference);
    const made = log.reply === 'found' ? log.body : [];
    const incomplete = log.reply === 'found' ? undefined : 'Vipps did not give the log of the payment.';
    const refunds = made.filter(({ reference: of, name }) => of === reference && name === vipps.NAMES.refund);
    return withGivenBack(
      report,
      reference,
      refunds.map((each) => movementEvent('refund', each)),
      incomplete,
    );
  },

  *withdraw({ payment }) {
    const { merchantReference: reference } = payment;
    const answer = yield* call(vipps.cancelPayment, { reference, key: withdrawal(reference) });
    if (answer.reply === 'made') {
      const { body } = answer;
      if (body.state !== 'AUTHORIZED') return outcomeOf(body, reference);
      // The payer had approved it: it is over where all that was held is free again.
      return isReleased(body, reference)
        ? declined('hard', 'cancelled', { providerReference: reference })
        : pending(reference);
    }
    return yield* api.outcome(vipps.getPayment, reference, ({ body }) => {
      const outcome = outcomeOf(body, reference);
      return outcome.status === 'authorized' ? pending(reference) : outcome;
    });
  },

  capture: {
    /** Vipps keeps the rest of a capture in parts held until it is cancelled, and no void follows a capture of ours. */
    partial: false,
    *flow({ payment: { merchantReference: reference }, id: key, amount, remaining }) {
      const change = { reference, key, amount };
      return yield* api.outcome(vipps.capturePayment, change, ({ body }) =>
        changed(body, 'capture', change, remaining),
      );
    },
  },

  *void({ payment: { merchantReference: reference }, id: key, held }) {
    if (!held) return declined('hard', 'not_supported', { reason: 'Vipps takes a sale back by a refund.' });
    return yield* api.outcome(vipps.cancelPayment, { reference, key }, ({ body }) =>
      isReleased(body, reference)
        ? settled(key, moneyOf(body.aggregate.cancelledAmount))
        : unknown('The provider’s amounts do not show it.'),
    );
  },

  refund: {
    partial: true,
    *flow({ payment: { merchantReference: reference }, id: key, amount, remaining }) {
      const change = { reference, key, amount };
      return yield* api.outcome(vipps.refundPayment, change, ({ body }) => changed(body, 'refund', change, remaining));
    },
  },

  *modificationStatus({ payment: { merchantReference: reference }, modification: { name, id } }) {
    const kind = name === 'capture' || name === 'refund' ? name : 'void';
    return yield* api.outcome(vipps.listEvents, reference, ({ body }) => {
      const made = vipps.changeIn(body, kind, { reference, key: id });
      return made === undefined ? notFound() : movementOutcome(made);
    });
  },
} satisfies FollowUpFlows<vipps.Settings> & { readonly purchase: (context: Purchase) => Steps<Outcome> };

/** A change that we asked for has our name of it as its key, a sale's capture the payment's own. One that was made in the portal has none. */
function eventsOf(said: vipps.Event): readonly ProviderEvent[] {
  const { name, reference, idempotencyKey, success } = said;
  if (name === 'AUTHORIZED') return success ? [approved(reference, eventId(said))] : [];
  if (name === vipps.NAMES.refund) return [movementEvent('refund', said)];
  const isOurs = typeof idempotencyKey === 'string' && ![reference, withdrawal(reference)].includes(idempotencyKey);
  if (isOurs && name === vipps.NAMES.capture) return [movementEvent('capture', said)];
  if (isOurs && name === vipps.NAMES.void) return [movementEvent('void', said)];
  if (!success || name === 'CREATED') return [];
  const facts = { word: name, providerReference: reference, amount: moneyOf(said.amount) };
  return statuses.events(eventId(said), reference, facts);
}

const SIGNED = 'HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=';
const SIGNING = 'https://developer.vippsmobilepay.com/docs/APIs/webhooks-api/request-authentication';
const WEBHOOKS = 'https://developer.vippsmobilepay.com/docs/APIs/epayment-api/api-guide/webhooks';

const notifications = api.notifications({
  address: 'at-provider',
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    header: 'authorization',
    prefix: SIGNED,
    encoding: 'base64',
    key: ({ webhook_secret }) => webhook_secret,
    over: ({ method, url, headers, bytes }) => {
      const [, host, path] = /^https?:\/\/([^/]+)(\/.*)$/.exec(url) ?? [];
      const date = headers['x-ms-date'];
      if (host === undefined || path === undefined || date === undefined) return undefined;
      return [`${method}\n${path}\n${date};${host};`, { digest: 'sha256', of: bytes, encoding: 'base64' }];
    },
  },
  vectors: [
    {
      url: 'https://webhook.site/e2cee29b-012e-4f1d-8ef4-e95fd74a7a63',
      headers: {
        'x-ms-date': 'Thu, 30 Mar 2023 08:38:32 GMT',
        authorization: `${SIGNED}agAiSyogQbDHpeucoNwYz+yAr5nJ+v+zasdkSbqzv+U=`,
      },
      body: '{"some-unique-content":"ee6e441b-cc4a-46f8-895d-a5af79bcc233/hello-world"}',
      settings: {
        webhook_secret: 'A0+AeKBRG2KRGvnNwJpQlb6IJFk48CKXCIcrLoHncVJKDILsQSxS6NWCccwWm6r6FhGKhiHTBsG2wo/xU6FY/A==',
      },
      source: SIGNING,
    },
  ],
  body: vipps.event,
  events: (said) => eventsOf(said),
  examples: [
    ...['CREATED', 'AUTHORIZED', 'CAPTURED', 'REFUNDED', 'CANCELLED', 'ABORTED', 'EXPIRED', 'TERMINATED'].map(
      (name) => ({ name }),
    ),
    { name: 'REFUNDED', success: false },
  ].map((said) => ({ body: samples.notification(said), source: WEBHOOKS })),
});

/** Vipps MobilePay: checked against the official description, not yet against the live API. */
export const vippsConnector = defineConnector({
  id: 'vipps',
  contract: 1,
  version: manifest.version,
  title: 'Vipps MobilePay',
  settings,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [serve(walletVipps, flows)],
  /** Asks for a token, and with it for a payment that was never made. */
  *check() {
    yield* call(vipps.getPayment, 'railyard-doctor');
    return { works: true };
  },
});
