import { expect, test } from 'vitest';
import { createLog } from '../../src/log.ts';
import type { ServiceContext } from '../../src/service-context.ts';
import { pooled, type PooledWork } from '../../src/work/pooled.ts';

type Context = Pick<ServiceContext, 'log'>;

interface Item {
  readonly id: number;
  readonly place: string;
}

/** Work over a list of due items; those at `slow` end when they are let go. */
function rig(due: Item[], change: Partial<PooledWork<Item, Context>> = {}) {
  const done: number[] = [];
  const lines: string[] = [];
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const work = pooled<Item, Context>({
    name: 'test',
    everyMs: 1,
    take: async (_context, limit, busy) => {
      const taken = due.filter((item) => !busy.includes(item.place)).slice(0, limit);
      for (const item of taken) due.splice(due.indexOf(item), 1);
      return taken;
    },
    key: (item) => item.place,
    handle: async (_context, item) => {
      if (item.place === 'slow') await gate;
      done.push(item.id);
    },
    ...change,
  });
  const context: Context = { log: createLog({ write: (line) => lines.push(line) }) };
  const run = async () => {
    while ((await work.run(context)) > 0) await Promise.resolve();
  };
  return { done, lines, run, settle: () => work.settle?.(), letGo };
}

const items = (place: string, from: number, count: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: from + index, place }));

test('one place that hangs does not hold up the others', async () => {
  const { done, run, settle, letGo } = rig([...items('slow', 0, 100), ...items('quick', 100, 50)]);
  await run();
  expect(done).toEqual(items('quick', 100, 50).map((item) => item.id));
  letGo();
  await settle();
});

test('is waited for when it is settled', async () => {
  const { done, run, settle, letGo } = rig(items('slow', 0, 3));
  await run();
  let over = false;
  const settled = Promise.resolve(settle()).then(() => (over = true));
  await Promise.resolve();
  expect(over).toBe(false);
  letGo();
  await settled;
  expect(done).toEqual([0, 1, 2]);
});

test('logs an item that fails and goes on with the others', async () => {
  const { lines, run, settle } = rig(items('quick', 0, 6), {
    handle: async (_context, item) => {
      if (item.id === 0) throw new Error('the disk is full');
    },
  });
  await run();
  await settle();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ event: 'work-failed', error: 'the disk is full' }]);
});
