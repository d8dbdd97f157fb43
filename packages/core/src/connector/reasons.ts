import { DECLINE_REASONS, type DeclineCode } from './decline-codes.ts';
import { type Outcome, unknown } from './outcome.ts';

/** Why a provider declines, by its own code: whether another attempt may succeed, and why; `reason` as in `declined`. */
export type Reasons = ReadonlyMap<
  string,
  { readonly kind: 'soft' | 'hard'; readonly code: DeclineCode; readonly reason?: string }
>;

/**
 * A decline with the reason that the provider's code gives. A code that is not known leaves it as it is, and so does any other outcome.
 *
 * @example withReason(statuses.read({ word, code, reference, amount }), reasons, code)
 */
export function withReason(outcome: Outcome, reasons: Reasons, code: string | undefined): Outcome {
  const known = code === undefined ? undefined : reasons.get(code);
  if (outcome.status !== 'declined' || known === undefined) return outcome;
  return { ...outcome, reason: DECLINE_REASONS[known.code], ...known };
}

/**
 * A refusal whose code says that the provider has a request under this reference or key already. It says nothing about that request, not
 * even when we sent it once: the outcome is unknown, and it is looked up. Any other refusal stays one.
 *
 * @example unlessTakenBefore(declined('hard', 'declined_by_provider', { provider: { code } }), new Set(['duplicate_reference']))
 */
export function unlessTakenBefore(refusal: Outcome, codes: ReadonlySet<string>): Outcome {
  const { provider } = refusal;
  if (refusal.status !== 'declined' || provider?.code === undefined || !codes.has(provider.code)) return refusal;
  return unknown('The provider has a request under this reference already.', { provider });
}
