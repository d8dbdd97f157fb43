import * as fc from '../../../test/support/properties.ts';
import { describe, expect, it } from 'vitest';
import { type GroupCommit, groupCommit } from '../src/storage/database/shared-statements.ts';

interface Row {
  readonly key: string;
  readonly value: number;
}

class BadRowError extends Error {}

/** A table whose statements end, in their order, when the test ends them. The result of a row is its value doubled. */
function heldTable(limits: Partial<Pick<GroupCommit<Row, number>, 'lanes' | 'most'>> = {}) {
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
  return {
    insert,
    end,
    underWay: () => held.length,
    values: () => statements.map((rows) => rows.map((each) => each.value)),
  };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
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
