import type { StatusReport } from './define-connector.ts';
import type { ProviderEvent } from './notification.ts';
import type { Outcome } from './outcome.ts';

/**
 * The report of a lookup whose reply also lists the money that went back: refunds of ours, refunds made at the provider, and what the bank took.
 * They count only beside money that came, so an outcome without any stands alone. Some providers call a hold one for ever, also once it was captured.
 *
 * @param merchantReference of the payment that was looked up: a provider's reference is not known yet where the reply to the payment was lost
 */
export function withGivenBack(
  outcome: Outcome,
  merchantReference: string,
  back: readonly ProviderEvent[],
): StatusReport {
  if (back.length === 0 || (outcome.status !== 'settled' && outcome.status !== 'authorized')) return outcome;
  const { status, providerReference, amount, provider } = outcome;
  const id = `${providerReference}/${status}/${amount.text}`;
  const paid = { kind: 'payment', id, providerReference, outcome, ...(provider && { provider }) } as const;
  return { events: [paid, ...back].map((event) => ({ merchantReference, ...event })) };
}
