import { describe, expect, test } from 'vitest';
import { createChanges } from '../../src/http/basics/server.ts';
import { MAX_POLLS, nextPollMs } from '../../src/payments/change/plan.ts';

const HOUR = 3_600_000;

describe('lookups', () => {
  const waits = (unknown: boolean) => Array.from({ length: MAX_POLLS }, (_, polls) => nextPollMs(polls, unknown) ?? 0);

  test('are further and further apart, at most an hour', () => {
    for (const unknown of [true, false]) {
      const plan = waits(unknown);
      expect(plan).toEqual(plan.toSorted((a, b) => a - b));
      expect(plan.at(-1)).toBe(HOUR);
    }
  });

  test('begin sooner where the outcome is unknown', () => {
    expect([nextPollMs(0, true), nextPollMs(0, false)]).toEqual([2000, 20_000]);
  });

  test('end', () => {
    expect([nextPollMs(MAX_POLLS, true), nextPollMs(MAX_POLLS + 1, false)]).toEqual([null, null]);
  });
});

describe('who waits for news of a payment', () => {
  const never = 2 ** 31 - 1;

  test('hears of its payment and of no other', async () => {
    const changes = createChanges();
    const heard: string[] = [];
    const waiting = ['a', 'b'].map((id) =>
      changes.next(id, never, new AbortController().signal).then(() => heard.push(id)),
    );
    changes.publish('b');
    await waiting[1];
    expect(heard).toEqual(['b']);
    changes.publish('a');
    await waiting[0];
  });

  test('waits no longer once the service stops, before or after', async () => {
    const changes = createChanges();
    const stopping = new AbortController();
    const waiting = changes.next('a', never, stopping.signal);
    stopping.abort();
    await waiting;
    await changes.next('a', never, stopping.signal);
  });
});
