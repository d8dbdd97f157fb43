import * as fc from '../../../test/support/properties.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type GroupCommit, groupCommit } from '../src/storage/database/many-rows.ts';

interface Row {
  readonly key: string;
  readonly value: number;
}

class BadRowError extends Error {}

/** A table whose statements end, in their order, when the test ends them. The result of a row is its value doubled. */
function heldTable(
  limits: Partial<Pick<GroupCommit<Row, number>, 'lanes' | 'patience' | 'most' | 'likeness' | 'now'>> = {},
) {
  const statements: (readonly Row[])[] = [];
  const held: ((error?: Error) => void)[] = [];
  const insert = groupCommit<Row, number>({
    write: (rows) =>
      new Promise((resolve, reject) => {
        statements.push(rows);
        held.push((error) => (error === undefined ? resolve(({ value }) => value * 2) : reject(error)));
      }),
    key: ({ key }) => key,
    lanes: 1,
    most: 10,
    isFaultOfRow: (error) => error instanceof BadRowError,
    ...limits,
  });
  const end = async (error?: Error) => {
    held.shift()?.(error);
    await nextTurn();
  };
  const endNewest = async () => {
    held.pop()?.();
    await nextTurn();
  };
  return {
    insert,
    end,
    endNewest,
    underWay: () => held.length,
    values: () => statements.map((rows) => rows.map((each) => each.value)),
  };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
const nextTurns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
};
const row = (value: number, key = String(value)): Row => ({ key, value });

describe('rows that share statements', () => {
  it('go together when they come in one turn of the event loop', async () => {
    const table = heldTable();
    const results = Promise.all([1, 2, 3].map((value) => table.insert(row(value))));
    await nextTurn();
    await table.end();
    expect(await results).toEqual([2, 4, 6]);
    expect(table.values()).toEqual([[1, 2, 3]]);
  });

  it('are answered after their own statement, not after one before it', async () => {
    const table = heldTable();
    const first = table.insert(row(1));
    await nextTurn();
    let isAnswered = false;
    const second = table.insert(row(2)).then(() => (isAnswered = true));
    await table.end();
    expect([await first, isAnswered, table.underWay()]).toEqual([2, false, 1]);
    await table.end();
    await second;
    expect(table.values()).toEqual([[1], [2]]);
  });

  it('wait while all lanes are taken, and go together with the next statement', async () => {
    const table = heldTable({ lanes: 2, most: 3 });
    const results: Promise<number>[] = [];
    for (const value of [1, 2, 3, 4, 5, 6]) {
      results.push(table.insert(row(value)));
      await nextTurn();
    }
    expect(table.values()).toEqual([[1], [2]]);
    while (table.underWay() > 0) await table.end();
    expect(await Promise.all(results)).toEqual([2, 4, 6, 8, 10, 12]);
    expect(table.values()).toEqual([[1], [2], [3, 4, 5], [6]]);
  });

  describe('with patience', () => {
    const patience = { rows: 3, ms: 10 };
    afterEach(() => void vi.useRealTimers());

    /** A table whose clock and timers are the test's. */
    function timedTable(limits: Parameters<typeof heldTable>[0] = {}) {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      let at = 0;
      const wait = (ms: number) => void ((at += ms), vi.advanceTimersByTime(ms));
      return { table: heldTable({ lanes: 3, patience, now: () => at, ...limits }), wait };
    }

    it('wait for the statement under way, and go together', async () => {
      const { table } = timedTable({ lanes: 2 });
      const results = Promise.all([1, 2, 3].map(async (value) => (await nextTurns(value), table.insert(row(value)))));
      await nextTurns(5);
      expect(table.values()).toEqual([[1]]);
      await table.end();
      await table.end();
      expect([await results, table.values()]).toEqual([
        [2, 4, 6],
        [[1], [2, 3]],
      ]);
    });

    it('go beside the statement under way when so many wait', async () => {
      const { table } = timedTable({ lanes: 2 });
      const results = Promise.all(
        [1, 2, 3, 4].map(async (value) => (await nextTurns(value), table.insert(row(value)))),
      );
      await nextTurns(6);
      expect(table.values()).toEqual([[1], [2, 3, 4]]);
      while (table.underWay() > 0) await table.end();
      expect(await results).toEqual([2, 4, 6, 8]);
    });

    describe('and often', () => {
      /** Rows every two milliseconds, until they count as often. So many of ten find a statement under way. */
      async function often(find = 10, limits: Parameters<typeof heldTable>[0] = {}) {
        const { table, wait } = timedTable(limits);
        for (let value = 1; value <= 160; value += 1) {
          wait(2);
          void table.insert(row(value));
          await nextTurn();
          // The last one under way is found by the next row.
          const isFound = (value * find) % 10 < find;
          while (table.underWay() > Number(isFound)) await table.endNewest();
        }
        // Of those none waits any more, and a statement has just begun and ended.
        wait(patience.ms);
        while (table.underWay() > 0) await table.end();
        void table.insert(row(161));
        await nextTurn();
        await table.end();
        return { table, before: table.values().length, wait };
      }

      it('wait although no statement is under way, and go when so many wait', async () => {
        const { table, before } = await often();
        for (const value of [101, 102]) void table.insert(row(value));
        await nextTurn();
        expect(table.values().slice(before)).toEqual([]);
        void table.insert(row(103));
        await nextTurn();
        expect(table.values().slice(before)).toEqual([[101, 102, 103]]);
      });

      it('go so long after the statement before began', async () => {
        const { table, before, wait } = await often();
        wait(1);
        void table.insert(row(101));
        await nextTurn();
        wait(patience.ms - 2);
        expect(table.values().slice(before)).toEqual([]);
        wait(1);
        expect(table.values().slice(before)).toEqual([[101]]);
      });

      it('go when the one under way ends, if that is so long after it began', async () => {
        const { table, before, wait } = await often();
        wait(patience.ms);
        void table.insert(row(201));
        await nextTurn();
        expect(table.values().slice(before)).toEqual([[201]]);
        wait(4);
        void table.insert(row(202));
        await nextTurn();
        await table.end();
        wait(patience.ms - 5);
        expect([table.values().slice(before), vi.getTimerCount()]).toEqual([[[201]], 1]);
        wait(1);
        expect([table.values().slice(before), vi.getTimerCount()]).toEqual([[[201], [202]], 0]);
      });

      it('wait where seven of ten find one', async () => {
        const { table, before, wait } = await often(7);
        wait(1);
        void table.insert(row(201));
        await nextTurn();
        expect(table.values().slice(before)).toEqual([]);
      });

      it.each([0, 5])('go at once where %i of ten find a statement under way', async (find) => {
        const { table } = await often(find);
        expect(table.values()).toEqual(Array.from({ length: 161 }, (_, at) => [at + 1]));
      });

      it.each([
        [3, 'still wait', []],
        [2, 'do not wait any more', [[402]]],
      ])('once they wait, and %i of ten find one, they %s', async (find, _what, written) => {
        const { table, wait } = await often();
        for (let value = 201; value <= 400; value += 1) {
          wait(4);
          void table.insert(row(value));
          await nextTurn();
          while (table.underWay() > Number(value % 10 < find)) await table.endNewest();
        }
        wait(patience.ms);
        while (table.underWay() > 0) await table.end();
        void table.insert(row(401));
        await nextTurn();
        wait(patience.ms);
        await table.end();
        const before = table.values().length;
        wait(1);
        void table.insert(row(402));
        await nextTurn();
        expect(table.values().slice(before)).toEqual(written);
      });

      it('wait no longer when those of another kind went before them', async () => {
        const { table, before, wait } = await often(10, { likeness: ({ value }) => String(value > 200 && value % 2) });
        wait(1);
        for (const value of [202, 203]) void table.insert(row(value));
        await nextTurn();
        wait(7);
        void table.insert(row(204));
        await nextTurn();
        await table.end();
        expect(table.values().slice(before)).toEqual([[202, 204]]);
        wait(2);
        expect(table.values().slice(before)).toEqual([[202, 204]]);
        wait(1);
        expect(table.values().slice(before)).toEqual([[202, 204], [203]]);
      });

      it('go at once again when they only wait for each other', async () => {
        const { table, wait } = await often();
        for (let time = 0; time < 60; time += 1) {
          for (const value of [101, 102]) void table.insert(row(value));
          await nextTurn();
          wait(patience.ms);
          await table.end();
        }
        wait(1);
        const before = table.values().length;
        void table.insert(row(103));
        await nextTurn();
        expect(table.values().slice(before)).toEqual([[103]]);
      });

      it('go at once when they have become rare again', async () => {
        const { table, wait } = await often();
        for (const value of [101, 102, 103]) {
          wait(10 * patience.ms);
          void table.insert(row(value));
          await nextTurn();
          while (table.underWay() > 0) await table.end();
        }
        expect(table.values().at(-1)).toEqual([103]);
        wait(1);
        void table.insert(row(104));
        await nextTurn();
        expect(table.values().at(-1)).toEqual([104]);
      });
    });

    it('go beside a statement that hangs when they have waited so long, and not sooner', async () => {
      const { table, wait } = timedTable();
      const results: Promise<number>[] = [];
      for (const value of [1, 2]) {
        results.push(table.insert(row(value)));
        await nextTurn();
      }
      wait(9);
      expect(table.values()).toEqual([[1]]);
      wait(1);
      expect(table.values()).toEqual([[1], [2]]);
      results.push(table.insert(row(3)));
      wait(10);
      expect(table.values()).toEqual([[1], [2], [3]]);
      results.push(table.insert(row(4)));
      await nextTurn();
      expect(vi.getTimerCount()).toBe(0);
      while (table.underWay() > 0) await table.end();
      expect(await Promise.all(results)).toEqual([2, 4, 6, 8]);
    });

    it('go when the first of them has waited so long, whatever came after it', async () => {
      const { table, wait } = timedTable();
      for (const [value, ms] of [
        [1, 0],
        [2, 6],
        [3, 3],
      ] as const) {
        void table.insert(row(value));
        await nextTurn();
        wait(ms);
      }
      expect(table.values()).toEqual([[1]]);
      wait(1);
      expect(table.values()).toEqual([[1], [2, 3]]);
    });

    it('that go with the end of a statement leave no timer', async () => {
      const { table } = timedTable();
      for (const value of [1, 2]) {
        void table.insert(row(value));
        await nextTurn();
      }
      expect(vi.getTimerCount()).toBe(1);
      await table.end();
      expect([table.values(), vi.getTimerCount()]).toEqual([[[1], [2]], 0]);
    });

    it('are each written once, and none waits longer than it may, whenever they come and however long statements take', async () => {
      const rows = fc.array(
        fc.record({
          afterMs: fc.integer({ min: 0, max: 14 }),
          takesMs: fc.integer({ min: 1, max: 40 }),
          key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
        }),
        { minLength: 1, maxLength: 60 },
      );
      await fc.assert(
        fc.asyncProperty(rows, (given) => comeAndGo(given)),
        { numRuns: 60 },
      );
    });

    async function comeAndGo(given: readonly { afterMs: number; takesMs: number; key: string }[]) {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      let at = 0;
      const lanes = 2;
      const ends: { readonly at: number; readonly end: () => void }[] = [];
      const waiting = new Map<number, number>();
      const insert = groupCommit<Row, number>({
        write: (rows) => {
          for (const { value } of rows) waiting.delete(value);
          const takesMs = given[rows[0]?.value ?? 0]?.takesMs ?? 1;
          return new Promise((resolve) => {
            ends.push({ at: at + takesMs, end: () => resolve(({ value }) => value * 2) });
          });
        },
        key: ({ key }) => key,
        lanes,
        patience,
        most: 4,
        isFaultOfRow: () => false,
        now: () => at,
      });
      const results: Promise<number>[] = [];
      let next = given[0]?.afterMs ?? 0;
      while (results.length < given.length || waiting.size > 0 || ends.length > 0) {
        for (const each of ends.filter((one) => one.at === at)) {
          ends.splice(ends.indexOf(each), 1);
          each.end();
        }
        for (; next === at && results.length < given.length; next += given[results.length]?.afterMs ?? 0) {
          const value = results.length;
          waiting.set(value, at);
          results.push(insert(row(value, given[value]?.key)));
        }
        await nextTurn();
        const waited = Array.from(waiting.values(), (since) => at - since);
        if (ends.length < lanes) expect(waited.filter((ms) => ms >= patience.ms)).toEqual([]);
        if (ends.length < lanes) expect(waited.length).toBeLessThan(patience.rows);
        at += 1;
        vi.advanceTimersByTime(1);
      }
      expect(await Promise.all(results)).toEqual(given.map((_, value) => value * 2));
    }

    it('wait as long as they have to, whenever others went', async () => {
      const { table, wait } = timedTable();
      const results = [table.insert(row(1))];
      await nextTurn();
      results.push(table.insert(row(2)));
      await nextTurn();
      wait(6);
      // The statement under way ends: the second goes, and the third waits for it from now on.
      await table.end();
      results.push(table.insert(row(3)));
      await nextTurn();
      wait(9);
      expect(table.values()).toEqual([[1], [2]]);
      wait(1);
      expect(table.values()).toEqual([[1], [2], [3]]);
      while (table.underWay() > 0) await table.end();
      expect([await Promise.all(results), vi.getTimerCount()]).toEqual([[2, 4, 6], 0]);
    });

    it('go beside a statement that hangs also when they are left over from it', async () => {
      const { table, wait } = timedTable();
      for (const each of [row(1, 'a'), row(2, 'a')]) void table.insert(each);
      await nextTurn();
      expect(table.values()).toEqual([[1]]);
      wait(10);
      expect(table.values()).toEqual([[1], [2]]);
    });

    it('that have waited so long when a lane becomes free go at once', async () => {
      const { table, wait } = timedTable();
      const results: Promise<number>[] = [];
      for (const value of [1, 2, 3]) {
        results.push(table.insert(row(value)));
        await nextTurn();
        wait(10);
      }
      results.push(table.insert(row(4)));
      await nextTurn();
      wait(10);
      expect(table.values()).toEqual([[1], [2], [3]]);
      await table.end();
      expect(table.values()).toEqual([[1], [2], [3], [4]]);
      while (table.underWay() > 0) await table.end();
      expect(await Promise.all(results)).toEqual([2, 4, 6, 8]);
    });
  });

  it('go with those that are like them, the others with the next statement', async () => {
    const table = heldTable({ likeness: ({ value }) => String(value % 2) });
    const results = Promise.all([1, 2, 3, 4, 5].map((value) => table.insert(row(value))));
    await nextTurn();
    while (table.underWay() > 0) await table.end();
    expect(await results).toEqual([2, 4, 6, 8, 10]);
    expect(table.values()).toEqual([
      [1, 3, 5],
      [2, 4],
    ]);
  });

  it('that cannot be compared fail with their statement, and hold up no other row', async () => {
    const unlike = (value: number) => {
      if (value < 0) throw new Error('no likeness');
      return '';
    };
    const table = heldTable({ likeness: ({ value }) => unlike(value) });
    const results = Promise.allSettled([-1, 1, 2].map((value) => table.insert(row(value))));
    await nextTurn();
    await table.end(new Error('no statement'));
    while (table.underWay() > 0) await table.end();
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(table.values()).toEqual([[-1], [1, 2]]);
  });

  it('do not overtake those of their key that are unlike others', async () => {
    const table = heldTable({ likeness: ({ value }) => String(value % 2) });
    const results = Promise.all([row(1, 'b'), row(2, 'a'), row(3, 'a')].map(table.insert));
    await nextTurn();
    while (table.underWay() > 0) await table.end();
    expect(await results).toEqual([2, 4, 6]);
    expect(table.values()).toEqual([[1], [2], [3]]);
  });

  it('go one after another when they have one key', async () => {
    const table = heldTable();
    const results = Promise.all([row(1, 'a'), row(2, 'b'), row(3, 'a'), row(4, 'a')].map(table.insert));
    await nextTurn();
    while (table.underWay() > 0) await table.end();
    await results;
    expect(table.values()).toEqual([[1, 2], [3], [4]]);
  });

  it('are written one by one when one of them is at fault, and only that one fails', async () => {
    const table = heldTable();
    const results = Promise.allSettled([1, 2, 3].map((value) => table.insert(row(value))));
    await nextTurn();
    await table.end(new BadRowError());
    await table.end();
    await table.end(new BadRowError());
    await table.end();
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(table.values()).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it('fail together when the database is away, and the next one is written', async () => {
    const table = heldTable();
    const results = Promise.allSettled([1, 2].map((value) => table.insert(row(value))));
    await nextTurn();
    await table.end(new Error('away'));
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = table.insert(row(3));
    await nextTurn();
    await table.end();
    expect(await next).toBe(6);
    expect(table.values()).toEqual([[1, 2], [3]]);
  });

  it('are each written once and get their own result, whatever comes with whatever', async () => {
    const keys = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        keys,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 7 }),
        async (given, lanes, most) => {
          const table = heldTable({ lanes, most });
          const results = Promise.all(given.map((key, value) => table.insert(row(value, String(key)))));
          await nextTurn();
          while (table.underWay() > 0) {
            expect(table.underWay()).toBeLessThanOrEqual(lanes);
            await table.end();
          }
          expect(await results).toEqual(given.map((_, value) => value * 2));
          expect(
            table
              .values()
              .flat()
              .toSorted((a, b) => a - b),
          ).toEqual(given.map((_, value) => value));
          for (const rows of table.values()) {
            expect(rows.length).toBeLessThanOrEqual(most);
            expect(new Set(rows.map((value) => given[value])).size).toBe(rows.length);
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
