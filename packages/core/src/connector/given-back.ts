import type { ProviderEvent } from './notification.ts';
import type { Outcome } from './outcome.ts';

/** The result of `status`: an outcome, or events where one reference gathers several payments or the reply lists the money that went back. */
export type StatusReport =
  | Outcome
  | {
      readonly events: readonly ProviderEvent[];
      /** Which part the provider did not tell now, in words. It is looked up again, and never taken for empty. */
      readonly incomplete?: string;
    };

/**
 * The report of a lookup whose reply also lists the money that went back: refunds of ours, refunds made at the provider, and what the bank took.
 * They count only beside money that came, so an outcome without any stands alone. Some providers call a hold one for ever, also once it was captured.
 * A dispute is given as it stands now; that it began is told before its result, under the same id.
 *
 * @param merchantReference of the payment that was looked up: a provider's reference is not known yet where the reply to the payment was lost
 * @param incomplete which part the provider did not tell now, in words: a list that failed, or whose pages were not all read
 */
export function withGivenBack(
  outcome: Outcome,
  merchantReference: string,
  back: readonly ProviderEvent[],
  incomplete?: string,
): StatusReport {
  if (outcome.status !== 'settled' && outcome.status !== 'authorized') return outcome;
  if (back.length === 0 && incomplete === undefined) return outcome;
  const { status, providerReference, amount, provider } = outcome;
  const id = `${providerReference}/${status}/${amount.text}`;
  const paid = { kind: 'payment', id, providerReference, outcome, ...(provider && { provider }) } as const;
  const events = [paid, ...back.flatMap(sinceItBegan)].map((event) => ({ merchantReference, ...event }));
  return { events, ...(incomplete !== undefined && { incomplete }) };
}

/** A lookup finds a dispute that is over, and the merchant may not have been told of its beginning. */
function sinceItBegan(event: ProviderEvent): readonly ProviderEvent[] {
  if (event.kind !== 'chargeback' || event.result === undefined) return [event];
  const { result: _result, ...begun } = event;
  return [begun, event];
}
