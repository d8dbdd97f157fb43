import {
  fromMinorUnits,
  isOfAnother,
  type LookedUpPayment,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  type ProviderEvent,
  type References,
  refusedBy,
  type StatusReport,
  timestampedHmac,
  withReason,
} from '@railyard/core';
import { factsAt } from '@railyard/core/formats';
import * as z from 'zod';
import * as acquirer from './acquirer-endpoints.ts';
import { FACTS, REFUSALS, settings, SOURCE, statuses, TAKEN_BEFORE } from './acquirer-endpoints.ts';
import { sampleNotifications } from './acquirer.samples.ts';

// Meaning of replies.

const factsOf = (result: acquirer.Result) => ({
  word: result.status,
  providerReference: result.id,
  amount: fromMinorUnits(result.amount, result.currency),
  code: result.response_code,
  message: result.response_message,
  facts: factsAt(FACTS, result),
});

/** A payment's, with what later charges need. */
const paymentFactsOf = ({ agreement_id: agreement, ...payment }: acquirer.Payment) => ({
  ...factsOf(payment),
  agreement: agreement === undefined ? undefined : { agreement },
});

/** The outcome of a modification, under its own reference. */
export const outcomeOf = (result: acquirer.Result, asked: References): Outcome =>
  ofThisPayment(statuses.read(factsOf(result)), asked, result.reference);

export const paymentOutcome = (payment: acquirer.Payment, asked: References): Outcome =>
  ofThisPayment(statuses.read(paymentFactsOf(payment)), asked, payment.reference);

export const refusal = (problem: acquirer.Problem): Outcome =>
  withReason(refusedBy(problem, TAKEN_BEFORE), REFUSALS, problem.code);

export const modified = (answer: acquirer.Modified, merchantReference: string): Outcome =>
  answer.reply === 'refused' ? refusal(answer.body) : outcomeOf(answer.body, { merchantReference });

/** The part of an event that names the payment. */
const about = ({ id, reference }: acquirer.Payment, eventId: string) => ({
  id: eventId,
  providerReference: id,
  ...(reference !== undefined && { merchantReference: reference }),
});

/** One id for all words of a dispute: a lookup that finds its result alone tells its beginning under the same. */
const eventIdOf = ({ id, status }: acquirer.Payment) => `${id}/${status.startsWith('CHARGE') ? 'dispute' : status}`;

/** The payer is back at the acquirer, whether or not the browser found its way to us. */
const broughtBack = (payment: acquirer.Payment): readonly ProviderEvent[] =>
  payment.status === 'AUTHENTICATED' && payment.cres !== undefined
    ? [{ ...about(payment, eventIdOf(payment)), kind: 'returned', values: { cres: payment.cres } }]
    : [];

/** The events in a notification of a payment. */
function eventsOf(payment: acquirer.Payment): readonly ProviderEvent[] {
  const returned = broughtBack(payment);
  return returned.length > 0
    ? returned
    : statuses.events(eventIdOf(payment), payment.reference, paymentFactsOf(payment));
}

/** A lookup says what a notification says, under the same ids. */
export function reportOf(payment: acquirer.Payment, asked: LookedUpPayment): StatusReport {
  const { id: providerReference, reference: merchantReference } = payment;
  const events = isOfAnother(asked, { merchantReference, providerReference }) ? [] : broughtBack(payment);
  return events.length > 0
    ? { events }
    : statuses.report({ ...paymentFactsOf(payment), merchantReference }, asked, eventIdOf(payment));
}

const notifiedModification = acquirer.modification.extend({ type: z.enum(['capture', 'void', 'reversal', 'refund']) });
const KINDS = { capture: 'capture', void: 'void', reversal: 'void', refund: 'refund' } as const;

/** The event of a modification: when it is done, and when it fails, also after it was done. */
const modificationEvent = (
  payment: acquirer.Payment,
  modification: z.output<typeof notifiedModification>,
): ProviderEvent => ({
  ...about(payment, `${modification.id}/${modification.status}`),
  kind: KINDS[modification.type],
  provider: { status: modification.status },
  outcome: outcomeOf(modification, {}),
});

export const notifications = notificationsFor(settings)({
  verify: timestampedHmac(({ webhook_secret }) => webhook_secret),
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  body: z.object({
    event_id: z.string().min(1),
    payment: acquirer.payment.extend({ reference: z.string() }),
    /** The capture, void, reversal or refund that the notification is about; absent: the payment itself. */
    action: notifiedModification.optional(),
    /** Sent a day later, when the schemes have cleared the payment. */
    clearing: z.object({ arn: z.string().min(1), rrn: z.string().min(1).exactOptional() }).optional(),
  }),
  events: ({ payment, action, clearing }) => {
    if (clearing !== undefined) return [{ ...about(payment, `${payment.id}/cleared`), kind: 'facts', facts: clearing }];
    return action === undefined ? eventsOf(payment) : [modificationEvent(payment, action)];
  },
  acknowledge: { status: 204 },
  examples: sampleNotifications.map((body) => ({ body, source: SOURCE })),
});
