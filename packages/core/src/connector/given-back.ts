import type { StatusReport } from './define-connector.ts';
import type { ProviderEvent } from './notification.ts';
import type { Outcome } from './outcome.ts';

/**
 * The report of a lookup whose reply also lists the money that went back: refunds of ours, refunds made at the provider, and what the bank took.
 * They count only beside money that came, so an outcome without any stands alone.
 */
export function withGivenBack(outcome: Outcome, back: readonly ProviderEvent[]): StatusReport {
  if (back.length === 0 || outcome.status !== 'settled') return outcome;
  const { providerReference, amount, provider } = outcome;
  const id = `${providerReference}/settled/${amount.text}`;
  return { events: [{ kind: 'payment', id, providerReference, outcome, ...(provider && { provider }) }, ...back] };
}
