import type { Outcome, Show } from '@railyard/core';
import type { Payment, PaymentReference } from '../../storage/index.ts';

/** Money that was paid in time may be on its way for a while. */
const GRACE_MS = 3_600_000;

/** More than a database holds. */
const TOO_LATE = Date.UTC(10_000, 0);

/**
 * An end before the payment began is none: a placeholder of the provider's, seconds taken for milliseconds, a clock that is off, or local time
 * that says that it is in UTC. What it hides, or ends, could still be paid.
 */
const isEnd = (until: Date, began: Date) => until > began && until.getTime() < TOO_LATE;

/** Until when the payer can pay what an outcome says; undefined where it does not say. */
export function payableUntil(outcome: Outcome, { createdAt }: Pick<Payment, 'createdAt'>): Date | undefined {
  if (outcome.status !== 'pending') return undefined;
  const text = outcome.payableUntil ?? outcome.show?.validUntil;
  const until = text === undefined ? undefined : new Date(text);
  return until !== undefined && isEnd(until, createdAt) ? until : undefined;
}

/** The view that an outcome gives the payer, without an end that is none. */
export function shownBy(outcome: Outcome | undefined, { createdAt }: Pick<Payment, 'createdAt'>): Show | undefined {
  const show = outcome?.status === 'pending' ? outcome.show : undefined;
  if (show?.validUntil === undefined || isEnd(new Date(show.validUntil), createdAt)) return show;
  const { validUntil: _none, ...endless } = show;
  return endless;
}

type Code = Pick<PaymentReference, 'providerReference' | 'watched' | 'payableUntil'>;

/**
 * When nothing that a payer was shown can bring money any more, older codes included: milliseconds since 1970. Undefined where a provider
 * does not say how long it can be paid, or has given no reference yet.
 */
export function payableEnd(codes: readonly Code[]): number | undefined {
  const watched = codes.filter((each) => each.watched);
  const ends = watched.flatMap(({ payableUntil: until }) => (until === null ? [] : [until.getTime() + GRACE_MS]));
  return watched.length === 0 || ends.length < watched.length ? undefined : Math.max(...ends);
}

/** Whether another code than this can still be paid. */
export function isOtherPayable(codes: readonly Code[], reference: string, now: number): boolean {
  return codes.some(
    (each) =>
      each.watched &&
      each.providerReference !== reference &&
      each.payableUntil !== null &&
      each.payableUntil.getTime() + GRACE_MS > now,
  );
}
