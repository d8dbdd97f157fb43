import type { Outcome } from '@railyard/core';
import type { PaymentReference } from '../../storage/index.ts';

/** Money that was paid in time may be on its way for a while. */
const GRACE_MS = 3_600_000;

/** An end outside is none: a placeholder of the provider's, seconds taken for milliseconds, or more than a database holds. */
const ENDS = { from: Date.UTC(2000, 0), to: Date.UTC(10_000, 0) };

/** Until when the payer can pay what an outcome says; undefined where it does not say. */
export function payableUntil(outcome: Outcome): Date | undefined {
  if (outcome.status !== 'pending') return undefined;
  const text = outcome.payableUntil ?? outcome.show?.validUntil;
  const until = text === undefined ? undefined : new Date(text);
  return until !== undefined && until.getTime() >= ENDS.from && until.getTime() < ENDS.to ? until : undefined;
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
