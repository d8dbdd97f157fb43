import type { ErrorBody } from '@railyard/core/protocol';
import { isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimitsConfig } from '../../deployment/rate-limits.ts';
import type { HeadedAnswer } from '../../idempotency/headed-answer.ts';

type Kind = keyof Exclude<RateLimitsConfig, false>;

/** Counts what a sender asks. */
export interface RateLimits {
  /** @returns seconds to wait, or `undefined` where the request is within the limit */
  wait(kind: Kind, sender: string): Promise<number | undefined>;
}

/** Counts in this process: with several processes, each gives its sender as much. */
export function createRateLimits(config: RateLimitsConfig): RateLimits {
  if (config === false) return { wait: () => Promise.resolve(undefined) };
  const limiters = new Map(
    Object.entries(config).map(([kind, { requests, seconds }]) => [
      kind,
      new RateLimiterMemory({ points: requests, duration: seconds }),
    ]),
  );
  return {
    async wait(kind, sender) {
      try {
        await limiters.get(kind)?.consume(sender);
        return undefined;
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        return Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      }
    },
  };
}

/** The answer to a merchant who asks too much. */
export function tooMany(seconds: number): HeadedAnswer<ErrorBody> {
  const error_message = `Too many requests. Send this one again in ${seconds} seconds.`;
  return {
    status: 429,
    headers: { 'retry-after': String(seconds) },
    body: { http_code: 429, error_code: '429', error_message },
  };
}

/** Whom an address counts for: of IPv6 the network, because one sender has all of its addresses. */
export function senderOf(address: string | undefined): string {
  if (address === undefined || !isIPv6(address)) return address ?? 'unknown';
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':');
}
