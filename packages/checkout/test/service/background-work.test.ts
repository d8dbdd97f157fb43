import { describe, expect, test } from 'vitest';
import { RETRY_PLAN_SECONDS } from '../../src/callbacks/deliver.ts';
import { createChanges } from '../../src/http/changes.ts';
import { createLog, type Log } from '../../src/log.ts';
import { MAX_POLLS, nextPollMs } from '../../src/payments/poll-plan.ts';
import { startWorkers, type Work } from '../../src/work/workers.ts';

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

  test('begin sooner where nobody knows what happened', () => {
    expect([nextPollMs(0, true), nextPollMs(0, false)]).toEqual([2000, 20_000]);
  });

  test('end', () => {
    expect([nextPollMs(MAX_POLLS, true), nextPollMs(MAX_POLLS + 1, false)]).toEqual([null, null]);
  });
});

test('callbacks are tried again for more than three days', () => {
  expect([...RETRY_PLAN_SECONDS]).toEqual([...RETRY_PLAN_SECONDS].toSorted((a, b) => a - b));
  expect(RETRY_PLAN_SECONDS.reduce((sum, each) => sum + each, 0)).toBeGreaterThan((3 * 24 * HOUR) / 1000);
});

/** Work that is run by the test: each run takes the next answer. Its own rhythm never comes. */
function workOf(answers: (number | Error)[]) {
  const runs: number[] = [];
  let wake: () => void = () => {};
  const work: Work<{ log: Log }> = {
    name: 'test',
    everyMs: 2 ** 31 - 1,
    run: async () => {
      runs.push(runs.length + 1);
      wake();
      const answer = answers.shift() ?? 0;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const until = async (count: number) => {
    while (runs.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { work, runs, until };
}

function start(work: Work<{ log: Log }>) {
  const lines: string[] = [];
  const workers = startWorkers({ log: createLog({ write: (line) => lines.push(line) }) }, [work]);
  return { workers, lines };
}

describe('a worker', () => {
  test('looks again at once as long as it finds something', async () => {
    const { work, runs, until } = workOf([3, 1, 0]);
    const { workers } = start(work);
    await until(3);
    await workers.stop();
    expect(runs).toHaveLength(3);
  });

  test('works when it is poked, also while it is at work', async () => {
    const { work, until } = workOf([]);
    const { workers } = start(work);
    workers.poke('test');
    await until(2);
    workers.poke('test');
    await until(3);
    workers.poke('nobody');
    await workers.stop();
  });

  test('logs a failure without ending', async () => {
    const { work, until } = workOf([new Error('the disk is full')]);
    const { workers, lines } = start(work);
    await until(1);
    workers.poke('test');
    await until(2);
    await workers.stop();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'work-failed', work: 'test', error: 'the disk is full' },
    ]);
  });

  test('is waited for when it stops, and works no more', async () => {
    let finish: () => void = () => {};
    const under = new Promise<number>((resolve) => (finish = () => resolve(5)));
    let runs = 0;
    const work: Work<{ log: Log }> = { name: 'test', everyMs: 1, run: () => ((runs += 1), under) };
    const { workers } = start(work);
    let ended = false;
    const stopped = workers.stop().then(() => (ended = true));
    await Promise.resolve();
    expect(ended).toBe(false);
    finish();
    await stopped;
    expect(runs).toBe(1);
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
    changes.tell('b');
    await waiting[1];
    expect(heard).toEqual(['b']);
    changes.tell('a');
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
