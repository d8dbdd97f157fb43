import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../src/log/log.ts';
import { batchPoller, type ItemQueue, itemPoller } from '../../src/work/pollers.ts';

interface Item {
  readonly id: number;
  readonly place: string;
}

/** Work over a list of due items; those at `slow` end when they are let go. */
function rig(due: Item[], change: Partial<ItemQueue<Item>> = {}) {
  const done: number[] = [];
  const lines: string[] = [];
  let wakes = 0;
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const poller = itemPoller<Item>(createLog({ write: (line) => lines.push(line) }), {
    name: 'callbacks',
    take: async (limit, busy) => {
      const taken = due.filter((item) => !busy.keys.includes(item.place)).slice(0, limit);
      for (const item of taken) due.splice(due.indexOf(item), 1);
      return taken;
    },
    key: (item) => item.place,
    id: (item) => String(item.id),
    handle: async (item) => {
      if (item.place.startsWith('slow')) await gate;
      done.push(item.id);
    },
    wakeOthers: () => (wakes += 1),
    ...change,
  });
  return { done, lines, poller, letGo, wakes: () => wakes };
}

const items = (place: string, from: number, count: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: from + index, place }));

/** Lets everything happen that needs no time. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Work of one key with so many places, of which each item ends when the test ends it. */
function busyRig(perKey: number) {
  const ends: (() => void)[] = [];
  const due = items('busy', 0, 40);
  let asked = 0;
  const { poller } = rig([], {
    places: { all: 40, perKey },
    isExhaustive: true,
    take: async (limit, { keys }) => {
      asked += 1;
      return keys.includes('busy') ? [] : due.splice(0, limit);
    },
    handle: () => new Promise<void>((resolve) => ends.push(resolve)),
  });
  const end = async () => {
    ends.shift()?.();
    await settle();
    await settle();
    return [ends.length, asked];
  };
  return { poller, end, ends, due, asked: () => asked };
}

afterEach(() => void vi.useRealTimers());

describe('a poller', () => {
  test('goes on until nothing is due, however much there is', async () => {
    const { done, poller } = rig(items('quick', 0, 500));
    await poller.poll();
    await poller.stop();
    expect(done).toHaveLength(500);
  });

  test('is not held up by one place that hangs', async () => {
    const { done, poller, letGo } = rig([...items('slow', 0, 100), ...items('quick', 100, 50)]);
    await poller.poll();
    await settle();
    expect(done).toEqual(items('quick', 100, 50).map((item) => item.id));
    letGo();
    await poller.stop();
  });

  test('begins as many of one place as it is to', async () => {
    const due = items('slow', 0, 10);
    const { poller, letGo } = rig(due, { places: { all: 20, perKey: 6 } });
    await poller.poll();
    expect(due).toHaveLength(4);
    letGo();
    await poller.stop();
  });

  test('takes up what had to wait for a place as soon as that is free', async () => {
    const { done, poller, letGo } = rig(items('slow', 0, 10));
    await poller.poll();
    letGo();
    while (done.length < 10) await settle();
    expect(done).toEqual(items('slow', 0, 10).map((item) => item.id));
    await poller.stop();
  });

  test('asks for more of one place once that has room, and not at each end before', async () => {
    const { poller, end, ends, due, asked } = busyRig(2);
    await poller.poll();
    expect([ends.length, asked()]).toEqual([2, 2]);
    expect(await end()).toEqual([3, 4]);
    expect(await end()).toEqual([2, 4]);
    expect(await end()).toEqual([3, 6]);
    due.length = 0;
    while (ends.length > 0) await end();
    await poller.stop();
  });

  test('asks once for several of one place that has many', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { poller, end, ends, due } = busyRig(8);
    await poller.poll();
    expect(await end()).toEqual([7, 2]);
    expect(await end()).toEqual([14, 4]);
    due.length = 0;
    while (ends.length > 0) await end();
    await poller.stop();
  });

  test('asks soon for a place that is free while the others of its key hang', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { poller, end, ends, due } = busyRig(8);
    await poller.poll();
    expect(await end()).toEqual([7, 2]);
    await vi.advanceTimersByTimeAsync(50);
    await settle();
    expect(ends).toHaveLength(15);
    due.length = 0;
    while (ends.length > 0) await end();
    await poller.stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('says which items are under way, so that none of them is taken twice', async () => {
    const asked: (readonly string[])[] = [];
    const due = items('slow', 0, 3);
    const { poller, letGo } = rig([], {
      take: async (_limit, { ids }) => {
        asked.push(ids);
        return due.splice(0, 2);
      },
    });
    await poller.poll();
    expect(asked).toEqual([[], ['0', '1'], ['0', '1', '2']]);
    letGo();
    await poller.stop();
  });

  test('asks others for help when it can take no more, and goes on by itself', async () => {
    const due = Array.from({ length: 60 }, (_, id) => ({ id, place: `slow-${id}` }));
    const { done, poller, letGo, wakes } = rig(due);
    const polled = poller.poll();
    while (wakes() === 0) await settle();
    expect(due).toHaveLength(20);
    letGo();
    await polled;
    await poller.stop();
    expect(done).toHaveLength(60);
    expect(wakes()).toBeLessThan(3);
  });

  test('polls when an item ends that another one of its row waits for', async () => {
    let takes = 0;
    const due = [...items('slow', 0, 2), ...items('quick', 2, 2)];
    const { done, poller, letGo } = rig([], {
      row: ({ id }) => `row ${id}`,
      take: async () => ((takes += 1), due.splice(0, 2)),
      isExhaustive: true,
    });
    await poller.poll();
    expect([takes, poller.awaitEnd('row 0'), poller.awaitEnd('row 9')]).toEqual([1, true, false]);
    letGo();
    while (done.length < 4) await settle();
    await poller.stop();
    expect(takes).toBe(2);
  });

  test('polls when an item ends that has made another one due', async () => {
    let takes = 0;
    const { poller } = rig([], {
      take: async () => ((takes += 1), takes === 1 ? items('quick', 0, 1) : []),
      handle: async () => true,
      isExhaustive: true,
    });
    await poller.poll();
    await settle();
    await poller.stop();
    expect(takes).toBe(2);
  });

  test('goes on in the same place with the item that the end of one brings', async () => {
    const chain = items('chained', 0, 3);
    let takes = 0;
    const { done, poller } = rig([], {
      row: () => 'row',
      take: async () => ((takes += 1), chain.splice(0, 1)),
      handle: async (item) => {
        done.push(item.id);
        // The item that comes next is the one that is awaited.
        if (chain.length > 0) expect(poller.awaitEnd('row')).toBe(true);
        return chain.shift() ?? false;
      },
      isExhaustive: true,
    });
    await poller.poll();
    while (done.length < 3) await settle();
    await poller.stop();
    expect(done).toEqual([0, 1, 2]);
    expect(takes).toBe(1);
  });

  test('polls for what is awaited when the item that came next fails', async () => {
    const chain = items('chained', 0, 2);
    let takes = 0;
    const { poller } = rig([], {
      row: () => 'row',
      take: async () => ((takes += 1), chain.splice(0, 1)),
      handle: async ({ id }) => {
        if (id === 1) throw new Error('the database is away');
        poller.awaitEnd('row');
        return chain.shift() ?? false;
      },
      isExhaustive: true,
    });
    await poller.poll();
    await settle();
    await poller.stop();
    expect(takes).toBe(2);
  });

  test('serves every caller during one poll', async () => {
    let takes = 0;
    const { poller } = rig([], { take: async () => ((takes += 1), []) });
    await Promise.all([poller.poll(), poller.poll(), poller.poll()]);
    expect(takes).toBe(2);
    await poller.stop();
  });

  test('is waited for when it stops, and begins nothing more', async () => {
    const due = items('slow', 0, 8);
    const { done, poller, letGo } = rig(due);
    await poller.poll();
    let over = false;
    const stopped = poller.stop().then(() => (over = true));
    await settle();
    expect(over).toBe(false);
    letGo();
    await stopped;
    await poller.poll();
    expect(done).toEqual([0, 1, 2, 3]);
    expect(due).toHaveLength(4);
  });

  test('logs an item that fails and goes on with the others', async () => {
    const { lines, poller } = rig(items('quick', 0, 6), {
      handle: async (item) => {
        if (item.id === 0) throw new Error('the disk is full');
      },
    });
    await poller.poll();
    await poller.stop();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ event: 'work-failed', error: 'the disk is full' }]);
  });

  test('fails when it cannot poll, and polls again the next time', async () => {
    const answers: (Error | Item[])[] = [new Error('no database'), items('quick', 0, 1), []];
    const { done, poller } = rig([], {
      take: async () => {
        const answer = answers.shift() ?? [];
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
    await expect(poller.poll()).rejects.toThrow('no database');
    await poller.poll();
    await poller.stop();
    expect(done).toEqual([0]);
  });
});

test('a batch poller goes on until a batch is empty, and stops between two', async () => {
  const batches = [20, 3, 0, 5, 5];
  const poller = batchPoller('expiry', async () => batches.shift() ?? 0);
  await poller.poll();
  expect(batches).toEqual([5, 5]);
  await poller.stop();
  await poller.poll();
  expect(batches).toEqual([5, 5]);
});
