import type { ReceivedNotification, Transport } from '@railyard/runtime';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Log, LogLine } from '../log/log.ts';
import { createBreakers } from '../payments/runs/breakers.ts';

/** Questions of one account under way at once. Anybody can bring one about, so that more of them must not keep payments waiting. */
const MOST = 4;
/** Notifications of a sender that the provider said were not its own; after so many in a minute nothing is asked about more. */
const DISOWNED = { points: 10, duration: 60 } as const;

/**
 * Questions to providers whether they sent a notification. Strangers bring them about, so they have breakers of their own: those of payments
 * stay closed whatever happens here. The credentials are those of payments, because a provider gives only so many.
 */
export interface Questions {
  /** Asks, or answers that the provider cannot be asked now: a genuine notification is then sent again. */
  ask(
    mid: string,
    sender: string,
    question: (transport: Transport) => Promise<ReceivedNotification>,
  ): Promise<ReceivedNotification>;
}

/** @param monotonic milliseconds that never go back */
export function createQuestions(
  inner: Transport,
  { monotonic, log }: { readonly monotonic: () => number; readonly log: Log },
): Questions {
  const named = (line: LogLine): LogLine => ({ ...line, kind: 'notifications' });
  const breakers = createBreakers(inner, {
    monotonic,
    log: {
      info: (line) => log.info(named(line)),
      warn: (line) => log.warn(named(line)),
      error: (line) => log.error(named(line)),
    },
  });
  const underWay = new Map<string, number>();
  const disowned = new RateLimiterMemory(DISOWNED);
  return {
    async ask(mid, sender, question) {
      const key = `${mid} ${sender}`;
      const spent = (await disowned.get(key))?.consumedPoints ?? 0;
      if (spent >= DISOWNED.points) return unavailable('The provider disowned too many of this sender.');
      const count = underWay.get(mid) ?? 0;
      if (count >= MOST) return unavailable('Too many questions of this account are under way.');
      underWay.set(mid, count + 1);
      try {
        const received = await question(breakers.transport(mid));
        if (received.kind === 'refused' && received.why === 'signature') await disowned.penalty(key, 1);
        return received;
      } finally {
        const left = (underWay.get(mid) ?? 1) - 1;
        if (left === 0) underWay.delete(mid);
        else underWay.set(mid, left);
      }
    },
  };
}

const unavailable = (detail: string): ReceivedNotification => ({ kind: 'refused', why: 'unavailable', detail });
