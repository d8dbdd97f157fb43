const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** After this many lookups without an answer a person is told; the payment stays pending. */
export const MAX_POLLS = 40;

/**
 * Milliseconds until the provider is asked again: soon where nobody knows what happened, later where the payer is simply
 * not done; always further apart, at most an hour.
 */
export function nextPollMs(polls: number, unknown: boolean): number | null {
  if (polls >= MAX_POLLS) return null;
  const first = unknown ? 2 * SECOND : 20 * SECOND;
  return Math.min(first * 2 ** Math.min(polls, 12), HOUR);
}
