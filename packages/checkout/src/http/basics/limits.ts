import type { Log } from '../../log/log.ts';
import type { Directory } from '../../merchants/directory.ts';
import type { PageTokens } from '../../sessions/page-token.ts';
import type { SignatureDeps } from '../../signatures.ts';
import type { Stores } from '../../storage/index.ts';
import type { ErrorBody } from '@railyard/core/protocol';
import { isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimitsConfig } from '../../deployment/config.ts';
import type { HeadedAnswer } from '../../idempotency.ts';

/** Needed to read a request, limit its sender and judge its signature. */
export interface HttpDeps {
  readonly stores: SignatureDeps['stores'] & Pick<Stores, 'issuedIds'>;
  readonly directory: Directory;
  readonly limits: RateLimits;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly pageTokens: PageTokens;
}

/** A request whose body arrived when there was no place left for it. Nothing was done. */
export class OverloadedError extends Error {}

type Kind = keyof Exclude<RateLimitsConfig, false>;

/** Counts the requests of a sender. */
export interface RateLimits {
  /** @returns seconds to wait, or `undefined` where the request is within the limit */
  wait(kind: Kind, sender: string): Promise<number | undefined>;
  /** Gives back the point of a request that turned out not to be limited. */
  giveBack(kind: Kind, sender: string): Promise<void>;
  /** Takes a point for a request that has been answered already. */
  count(kind: Kind, sender: string): Promise<void>;
  /** @returns seconds to wait where no point is left, or `undefined`; takes none */
  spent(kind: Kind, sender: string): Promise<number | undefined>;
}

/** Counts in this process: with several processes, each gives its sender as much. */
export function createRateLimits(config: RateLimitsConfig): RateLimits {
  if (config === false) return NO_LIMITS;
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
        return secondsOf(refused);
      }
    },
    async giveBack(kind, sender) {
      await limiters.get(kind)?.reward(sender);
    },
    async count(kind, sender) {
      await limiters.get(kind)?.penalty(sender);
    },
    async spent(kind, sender) {
      const counted = await limiters.get(kind)?.get(sender);
      return counted != null && counted.remainingPoints <= 0 ? secondsOf(counted) : undefined;
    },
  };
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));

const nothing = () => Promise.resolve(undefined);
const NO_LIMITS: RateLimits = { wait: nothing, giveBack: nothing, count: nothing, spent: nothing };

/** The answer to a merchant who asks too much. */
export function tooMany(seconds: number): HeadedAnswer<ErrorBody> {
  const error_message = `Too many requests. Send this one again in ${seconds} seconds.`;
  return {
    status: 429,
    headers: { 'retry-after': String(seconds) },
    body: { http_code: 429, error_code: '429', error_message },
  };
}

/** A declined attempt counts for one address at one merchant, across sessions. */
export const declinerOf = (merchantKey: string, address: string | undefined): string =>
  `${merchantKey} ${senderOf(address)}`;

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
