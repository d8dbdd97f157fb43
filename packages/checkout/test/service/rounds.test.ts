import { describe, expect, test } from 'vitest';
import { createLog } from '../../src/log/log.ts';
import { batchRound, type ItemWork, itemRound } from '../../src/work/rounds.ts';

interface Item {
  readonly id: number;
  readonly place: string;
}

/** Work over a list of due items; those at `slow` end when they are let go. */
function rig(due: Item[], change: Partial<ItemWork<Item>> = {}) {
  const done: number[] = [];
  const lines: string[] = [];
  let shares = 0;
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const round = itemRound<Item>(createLog({ write: (line) => lines.push(line) }), {
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
    share: () => (shares += 1),
    ...change,
  });
  return { done, lines, round, letGo, shares: () => shares };
}

const items = (place: string, from: number, count: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: from + index, place }));

/** Lets everything happen that needs no time. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a round', () => {
  test('goes on until nothing is due, however much there is', async () => {
    const { done, round } = rig(items('quick', 0, 500));
    await round.look();
    await round.stop();
    expect(done).toHaveLength(500);
  });

  test('is not held up by one place that hangs', async () => {
    const { done, round, letGo } = rig([...items('slow', 0, 100), ...items('quick', 100, 50)]);
    await round.look();
    await settle();
    expect(done).toEqual(items('quick', 100, 50).map((item) => item.id));
    letGo();
    await round.stop();
  });

  test('takes up what had to wait for a place as soon as that is free', async () => {
    const { done, round, letGo } = rig(items('slow', 0, 10));
    await round.look();
    letGo();
    while (done.length < 10) await settle();
    expect(done).toEqual(items('slow', 0, 10).map((item) => item.id));
    await round.stop();
  });

  test('says which items are under way, so that none of them is taken twice', async () => {
    const asked: (readonly string[])[] = [];
    const due = items('slow', 0, 3);
    const { round, letGo } = rig([], {
      take: async (_limit, { ids }) => {
        asked.push(ids);
        return due.splice(0, 2);
      },
    });
    await round.look();
    expect(asked).toEqual([[], ['0', '1'], ['0', '1', '2']]);
    letGo();
    await round.stop();
  });

  test('asks others for help when it can take no more, and goes on by itself', async () => {
    const due = Array.from({ length: 60 }, (_, id) => ({ id, place: `slow-${id}` }));
    const { done, round, letGo, shares } = rig(due);
    const looked = round.look();
    while (shares() === 0) await settle();
    expect(due).toHaveLength(20);
    letGo();
    await looked;
    await round.stop();
    expect(done).toHaveLength(60);
    expect(shares()).toBeLessThan(3);
  });

  test('serves every caller during one look', async () => {
    let takes = 0;
    const { round } = rig([], { take: async () => ((takes += 1), []) });
    await Promise.all([round.look(), round.look(), round.look()]);
    expect(takes).toBe(2);
    await round.stop();
  });

  test('is waited for when it stops, and begins nothing more', async () => {
    const due = items('slow', 0, 8);
    const { done, round, letGo } = rig(due);
    await round.look();
    let over = false;
    const stopped = round.stop().then(() => (over = true));
    await settle();
    expect(over).toBe(false);
    letGo();
    await stopped;
    await round.look();
    expect(done).toEqual([0, 1, 2, 3]);
    expect(due).toHaveLength(4);
  });

  test('logs an item that fails and goes on with the others', async () => {
    const { lines, round } = rig(items('quick', 0, 6), {
      handle: async (item) => {
        if (item.id === 0) throw new Error('the disk is full');
      },
    });
    await round.look();
    await round.stop();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ event: 'work-failed', error: 'the disk is full' }]);
  });

  test('fails when it cannot look, and looks again the next time', async () => {
    const answers: (Error | Item[])[] = [new Error('no database'), items('quick', 0, 1), []];
    const { done, round } = rig([], {
      take: async () => {
        const answer = answers.shift() ?? [];
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
    await expect(round.look()).rejects.toThrow('no database');
    await round.look();
    await round.stop();
    expect(done).toEqual([0]);
  });
});

test('a batch round goes on until a batch is empty, and stops between two', async () => {
  const batches = [20, 3, 0, 5, 5];
  const round = batchRound('expiry', async () => batches.shift() ?? 0);
  await round.look();
  expect(batches).toEqual([5, 5]);
  await round.stop();
  await round.look();
  expect(batches).toEqual([5, 5]);
});
