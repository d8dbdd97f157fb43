import { type Outcome, type ProviderEvent, type StatusReport, unknown } from '@railyard/core';

/** Stands where something stood that cannot be kept. */
const REPLACEMENT = '\uFFFD';

/** A text without what no database keeps: NUL, and halves of surrogate pairs, which have no UTF-8. */
export const storableText = (text: string): string =>
  text.replaceAll('\0', REPLACEMENT).replace(/\p{Surrogate}/gu, REPLACEMENT);

/** Deeper than any provider's answer; a deeper value could overflow the stack of the code that walks through it. */
const DEEPEST = 64;

/**
 * A value of a provider as it can be kept: see `storableText`, for texts and names alike.
 *
 * @throws RangeError when it is nested too deep
 */
export function storable(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) throw new RangeError(`A value of a provider is nested deeper than ${DEEPEST} levels.`);
  if (Array.isArray(value)) return value.map((each) => storable(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [storableText(name), storable(each, depth + 1)]),
  );
}

/**
 * Whether a provider knows a payment by exactly this text. One with something that cannot be kept, or with what stands in its place, would ask
 * for another payment later.
 */
const isName = (text: string | undefined): boolean =>
  text === undefined || (text === storableText(text) && !text.includes(REPLACEMENT));

const namesOf = ({ providerReference: reference, agreement, connectorState }: Outcome) => [
  reference,
  ...[agreement, connectorState].flatMap((values) => Object.entries(values ?? {}).flat()),
];

/** Whether an event can be found again by its names. */
export const isNamed = (event: ProviderEvent): boolean =>
  [event.id, event.providerReference, event.merchantReference].every(isName) &&
  (!('outcome' in event) || namesOf(event.outcome).every(isName));

/** An outcome as it can be kept. One whose reference cannot is not understood: whether money moved is for a lookup under a name of ours. */
export function storableOutcome(outcome: Outcome): Outcome {
  if (!namesOf(outcome).every(isName)) return unknown('The provider answered a reference that cannot be kept.');
  return withStorableTexts(outcome);
}

/** A lookup's report as it can be kept. */
export function storableReport(report: StatusReport): StatusReport {
  if (!('events' in report)) return storableOutcome(report);
  if (!report.events.every(isNamed)) return unknown('The provider reported events under names that cannot be kept.');
  const { incomplete } = report;
  return {
    events: report.events.map(storableEvent),
    ...(incomplete !== undefined && { incomplete: storableText(incomplete) }),
  };
}

/** An event as it can be kept. */
export const storableEvent = (event: ProviderEvent): ProviderEvent => withStorableTexts(event);

/** The same value with other texts: nothing is added, left out or of another kind. */
function withStorableTexts<T extends object>(value: T): T {
  const copy: T = { ...value };
  for (const key of Object.keys(copy)) {
    const own: unknown = Reflect.get(copy, key);
    Reflect.set(copy, key, storable(own));
  }
  return copy;
}
