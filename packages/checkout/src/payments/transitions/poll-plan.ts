const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** After this many lookups without an answer the operator is notified; the payment stays pending. */
export const MAX_POLLS = 40;

/** So far apart are lookups of a code that can be paid for days. */
const SPARSE_MS = 6 * HOUR;

/**
 * Milliseconds until the provider is asked again: soon where the outcome is unknown, later where the payer has not paid yet;
 * always further apart, at most an hour. As long as it can be paid it is asked about now and then, and once when that ends.
 *
 * @param left milliseconds until nothing can be paid any more, where the provider says it
 */
export function nextPollMs(polls: number, unknown: boolean, left?: number): number | null {
  const first = unknown ? 2 * SECOND : 20 * SECOND;
  const usual = polls >= MAX_POLLS ? null : Math.min(first * 2 ** Math.min(polls, 12), HOUR);
  if (left === undefined || left <= 0) return usual;
  return Math.min(usual ?? SPARSE_MS, left);
}
