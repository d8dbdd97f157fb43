import type { Outcome } from './outcome.ts';

/** Why a provider declines, by its own code: whether another attempt may succeed, and in words. */
export type Reasons = ReadonlyMap<string, { readonly kind: 'soft' | 'hard'; readonly reason: string }>;

/**
 * A decline with the reason that the provider's code gives. A code that is not known leaves it as it is, and so does any other outcome.
 *
 * @example withReason(statuses.read({ word, code, reference, amount }), reasons, code)
 */
export function withReason(outcome: Outcome, reasons: Reasons, code: string | undefined): Outcome {
  const known = code === undefined ? undefined : reasons.get(code);
  return outcome.status !== 'declined' || known === undefined ? outcome : { ...outcome, ...known };
}
