/** Seconds from one attempt to the next; the first goes out at once. After the last one the callback is dead and can be replayed. */
export const RETRY_PLAN_SECONDS = [5, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400, 86_400] as const;

/** Waits differ by up to this share, so that what failed together does not come back together. */
const JITTER = 0.2;

/** A receiver may ask for a longer wait, but not for ever. */
const LONGEST_WAIT_MS = 86_400_000;

/**
 * How long to wait before the next attempt.
 *
 * @param tries attempts that were made since the plan last began
 * @param random from 0 to 1
 * @param askedMs what the receiver asked for; never less than that
 * @returns undefined when the plan is used up
 */
export function nextWaitMs(tries: number, random: number, askedMs = 0): number | undefined {
  const seconds = RETRY_PLAN_SECONDS[tries - 1];
  if (seconds === undefined) return undefined;
  const planned = seconds * 1000 * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.max(planned, Math.min(askedMs, LONGEST_WAIT_MS)));
}

/**
 * The wait that `Retry-After` asks for, in milliseconds: seconds or an HTTP date (RFC 9110, 10.2.3). Only 429 and 503 count; a
 * value that cannot be read asks for no wait.
 */
export function requestedWaitMs(status: number, retryAfter: string | undefined, nowMs: number): number {
  if (retryAfter === undefined || (status !== 429 && status !== 503)) return 0;
  const text = retryAfter.trim();
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1000;
  // `Date.parse` takes much that is no HTTP date; those begin with the name of a day.
  const at = /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - nowMs);
}
