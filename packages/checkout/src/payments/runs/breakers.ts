import type { HttpResult, Transport } from '@railyard/runtime';
import type { Log } from '../../log/log.ts';

/** An account whose calls failed so often, one after the other, is not called for a while. */
const FAILURES = 5;
/** How long at first; after each probe that fails, twice as long, up to the longest. */
const FIRST_MS = 10_000;
const LONGEST_MS = 60_000;

/**
 * A circuit breaker for each account (MID), in this process's memory. Time-outs, broken connections and 5xx count as failures; whatever
 * else a provider answers, it answers. While the breaker is open nothing is sent, so what was to be sent provably was not.
 */
export interface Breakers {
  /** How requests to an account leave. */
  transport(mid: string): Transport;
  /** Milliseconds until a request to the account may leave; 0 where it may. */
  waitMs(mid: string): number;
  /** Accounts to which nothing may be sent now. */
  blocked(): string[];
  /** Whether any account is not called as usual. */
  broken(): boolean;
}

interface Breaker {
  failures: number;
  /** Unset while it is closed. */
  open?: { readonly forMs: number; readonly until: number; probing: boolean } | undefined;
}

/** Is told of breakers that open and close; nothing waits for it. */
export interface BreakerListener {
  opened(mid: string, why: string): void;
  closed(mid: string): void;
}

/** @param monotonic milliseconds that never go back */
export function createBreakers(
  inner: Transport,
  { monotonic, log, heard }: { readonly monotonic: () => number; readonly log: Log; readonly heard?: BreakerListener },
): Breakers {
  const breakers = new Map<string, Breaker>();
  const of = (mid: string): Breaker => {
    const known = breakers.get(mid) ?? { failures: 0 };
    breakers.set(mid, known);
    return known;
  };
  const waitMs = (mid: string): number => {
    const open = breakers.get(mid)?.open;
    if (open === undefined) return 0;
    const left = open.until - monotonic();
    return left > 0 ? left : open.probing ? FIRST_MS : 0;
  };
  const openFor = (mid: string, breaker: Breaker, forMs: number, why: string) => {
    const isFirst = breaker.open === undefined;
    breaker.open = { forMs, until: monotonic() + forMs, probing: false };
    log.error({ event: 'breaker-opened', mid, tries: breaker.failures, due: forMs, why });
    heard?.opened(mid, why);
    if (isFirst) log.error({ event: 'needs-attention', finding: 'breaker-open', mid, why });
  };
  const failed = (mid: string, breaker: Breaker, wasProbe: boolean, why: string) => {
    breaker.failures += 1;
    if (wasProbe && breaker.open !== undefined)
      openFor(mid, breaker, Math.min(2 * breaker.open.forMs, LONGEST_MS), why);
    else if (breaker.open === undefined && breaker.failures >= FAILURES) openFor(mid, breaker, FIRST_MS, why);
  };
  const answered = (mid: string, breaker: Breaker) => {
    breaker.failures = 0;
    if (breaker.open === undefined) return;
    breaker.open = undefined;
    log.info({ event: 'breaker-closed', mid });
    heard?.closed(mid);
  };
  /** Takes the place of the probe where the breaker is half-open. */
  const begin = (mid: string, { open }: Breaker): boolean => {
    if (open === undefined) return false;
    open.probing = true;
    log.info({ event: 'breaker-half-open', mid });
    return true;
  };
  return {
    transport: (mid) => ({
      async send(request) {
        if (waitMs(mid) > 0) return { kind: 'not-sent', why: NOT_CALLED };
        const breaker = of(mid);
        const isProbe = begin(mid, breaker);
        let why: string | undefined = 'The transport failed.';
        try {
          const result = await inner.send(request);
          why = failureOf(result);
          return result;
        } finally {
          if (why === undefined) answered(mid, breaker);
          else failed(mid, breaker, isProbe, why);
        }
      },
    }),
    waitMs,
    blocked: () => [...breakers.keys()].filter((mid) => waitMs(mid) > 0),
    broken: () => [...breakers.values()].some(({ open }) => open !== undefined),
  };
}

const NOT_CALLED = `The last ${FAILURES} calls of this account failed, so it is not called for a while.`;

function failureOf(result: HttpResult): string | undefined {
  if (result.kind !== 'reply') return result.why;
  return result.status >= 500 ? `The provider answered ${result.status}.` : undefined;
}
