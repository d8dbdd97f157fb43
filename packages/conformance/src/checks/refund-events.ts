import type { Outcome, ProviderEvent } from '@railyard/core';
import { type Check, notApplicable } from '../check.ts';
import type { Finding } from '../finding.ts';
import { leavesOf } from '../leaves.ts';
import { arrived, eventsIn } from '../notified.ts';
import { baselines } from '../play/judge.ts';
import { everyWalk, outcomesOf, runsOf } from '../runs.ts';
import type { Subject } from '../subject.ts';

/** The facts that distinguish a notification of a refund from one of a payment. */
interface Known {
  /** The references under which refund flows answer with the examples of their endpoints, and no other flow does. */
  readonly refunds: ReadonlySet<string>;
  /** Whether a payment that was paid is found under one reference, which its outcomes name. */
  readonly oneReference: boolean;
}

/** An example of a notification, its texts and its events. */
interface Example {
  readonly texts: readonly string[];
  readonly events: readonly ProviderEvent[];
}

async function knownOf(subject: Subject): Promise<Known> {
  const answers = subject.cases
    .flatMap((one) => runsOf(one))
    .flatMap((each) =>
      everyWalk(each)
        .flatMap(outcomesOf)
        .map(({ providerReference: reference }) => ({ isRefund: each.flow === 'refund', reference })),
    );
  const referencesOf = (refunds: boolean) =>
    answers.flatMap(({ isRefund, reference }) => (isRefund === refunds && reference !== undefined ? [reference] : []));
  const others = new Set(referencesOf(false));
  const paid = (await baselines(subject)).all
    .filter(({ story }) => story.case.flows.refund !== undefined)
    .map(({ played }) => played.payment)
    .filter(({ state }) => state.state === 'settled');
  return {
    refunds: new Set(referencesOf(true).filter((each) => !others.has(each))),
    oneReference: paid.length > 0 && paid.every(({ references }) => references.length === 1),
  };
}

function examplesOf(subject: Subject): readonly Example[] {
  const { notifications } = subject.connector;
  return (notifications?.examples ?? []).map(({ body }) => ({
    texts: leavesOf(arrived(notifications?.codec ?? 'json', body)).flatMap(({ value }) =>
      typeof value === 'string' ? [value] : [],
    ),
    events: eventsIn(subject, body) ?? [],
  }));
}

/** Whether a text is a name with the word in it, `refund.settled` or `PARTIALLY_REFUNDED`; sentences and addresses are not. */
function saysRefund(text: string): boolean {
  if (!/^[\w.:-]{1,40}$/.test(text)) return false;
  const words = text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return (
    words.some((word) => /^refund(?:s|ed|ing)?$/.test(word)) && !words.some((word) => /^(?:no|non|not)$/.test(word))
  );
}

/** The evidence that an example reports a refund, in words. */
function signOf({ texts, events }: Example, { refunds, oneReference }: Known): string | undefined {
  const shown = texts.find((text) => refunds.has(text));
  if (shown !== undefined) return `it shows "${shown}", under which the refund flow answers`;
  const word = texts.find(saysRefund);
  if (word !== undefined) return `it says "${word}"`;
  if (events.some(({ kind }) => kind === 'refund')) return 'it reports a refund';
  const foreign = oneReference ? events.find((event) => event.kind === 'payment' && isOfAnother(event)) : undefined;
  return foreign === undefined
    ? undefined
    : 'its outcome has another reference than the payment, and a payment of this connector has one only';
}

function isOfAnother(event: Extract<ProviderEvent, { kind: 'payment' | 'refund' }>): boolean {
  return event.outcome.providerReference !== undefined && event.outcome.providerReference !== event.providerReference;
}

/** The problem of the events of an example that reports a refund. */
function problemOf({ texts, events }: Example, { refunds }: Known): string | undefined {
  if (events.length === 0)
    return "It is read as no event. Report it as { kind: 'refund' }, with the payment's reference and with the refund's own in the outcome.";
  const reported = events.filter((event) => event.kind === 'refund');
  const shown = texts.filter((text) => refunds.has(text));
  // A payment beside a refund may be known by two references of its own.
  const own = new Set([...shown, ...reported.map(({ outcome }) => outcome.providerReference)]);
  const isOfRefund = ({ outcome }: { readonly outcome: Outcome }) =>
    outcome.providerReference !== undefined && own.has(outcome.providerReference);
  for (const event of events)
    if (event.kind === 'payment' && event.outcome.status !== 'unknown' && (reported.length === 0 || isOfRefund(event)))
      return `Its event of the kind payment makes the payment ${event.outcome.status}. Report it as { kind: 'refund' }, with the payment's reference and with the refund's own in the outcome.`;
  for (const { providerReference: reference, outcome } of reported) {
    if (outcome.providerReference === undefined) continue;
    const isOther =
      shown.length > 0
        ? !shown.includes(outcome.providerReference)
        : refunds.size > 0 && outcome.providerReference === reference;
    if (isOther)
      return `The outcome of its event has the reference "${outcome.providerReference}". Give it the refund's own, under which the refund flow answers: else the refund that was asked for is not found.`;
  }
  return undefined;
}

export const refundEventChecks: readonly Check[] = [
  {
    id: 'refunds-are-reported-as-refunds',
    level: 'required',
    title:
      'a notification of a refund is read as a refund under its own reference, and leaves the paid payment as it is',
    async run(subject) {
      const { notifications, serves } = subject.connector;
      if (notifications === undefined) return notApplicable('The connector takes no notifications.');
      if (serves.every(({ flows }) => flows.refund === undefined)) return notApplicable('No method takes refunds.');
      const known = await knownOf(subject);
      const signs = examplesOf(subject).map((example) => ({ example, sign: signOf(example, known) }));
      if (signs.every(({ sign }) => sign === undefined))
        return notApplicable('No example of a notification reports a refund.');
      return signs.flatMap(({ example, sign }, index): Finding[] => {
        const problem = sign === undefined ? undefined : problemOf(example, known);
        return problem === undefined
          ? []
          : [{ path: 'notifications.events', says: `Example ${index + 1} reports a refund: ${sign}. ${problem}` }];
      });
    },
  },
];
