import { TOO_MANY_REQUESTS } from '@railyard/core/driver';

const UNAVAILABLE = 503;

/**
 * The wait that `Retry-After` asks for, in milliseconds: seconds or an HTTP date (RFC 9110, 10.2.3). Only 429 and 503 count; a value that cannot
 * be read asks for no wait.
 */
export function requestedWaitMs(status: number, retryAfter: string | undefined, nowMs: number): number {
  if (retryAfter === undefined || (status !== TOO_MANY_REQUESTS && status !== UNAVAILABLE)) return 0;
  const text = retryAfter.trim();
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1000;
  // `Date.parse` takes much that is no HTTP date; those begin with the name of a day.
  const at = /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - nowMs);
}
