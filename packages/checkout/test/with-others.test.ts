import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { DatabaseUnavailableError } from '../src/storage/index.ts';
import { withOthers } from '../src/storage/database/shared-statements.ts';

/** A table that writes rows together, and each of those that it leaves out by itself. */
function table(together: (rows: readonly string[]) => readonly string[]) {
  const statements: string[] = [];
  const write = withOthers<string, string>({
    key: (row) => row,
    together: (rows) => {
      statements.push(rows.join('+'));
      return Promise.resolve().then(() => new Map(together(rows).map((row) => [row, `${row} with others`])));
    },
    alone: (row) => {
      statements.push(row);
      return row === 'bad' ? Promise.reject(new Error('It is bad.')) : Promise.resolve(`${row} alone`);
    },
  });
  const writeAll = (rows: readonly string[]) => Promise.allSettled(rows.map(write));
  return { statements, writeAll };
}

const done = (value: string) => ({ status: 'fulfilled', value });
const failedWith = (reason: Error) => ({ status: 'rejected', reason });

test('rows of one moment share a statement, and one that it leaves out is written by itself', async () => {
  const { statements, writeAll } = table((rows) => rows.filter((row) => row !== 'b'));
  expect(await writeAll(['a', 'b', 'c'])).toEqual(['a with others', 'b alone', 'c with others'].map(done));
  expect(statements).toEqual(['a+b+c', 'b']);
});

test('where the fault of a row undoes the statement, each is written by itself, and only that row fails', async () => {
  const fault = new DatabaseError('of a row', 1, 'error');
  fault.code = '23514';
  const { statements, writeAll } = table(() => {
    throw fault;
  });
  expect(await writeAll(['a', 'bad', 'c'])).toEqual([
    done('a alone'),
    failedWith(new Error('It is bad.')),
    done('c alone'),
  ]);
  expect(statements).toEqual(['a+bad+c', 'a', 'bad', 'c']);
});

test('where the database is not available nothing is asked again: what became of the rows may not be known', async () => {
  const away = new DatabaseUnavailableError('unknown', new Error('lost'));
  const { statements, writeAll } = table(() => {
    throw away;
  });
  expect(await writeAll(['a', 'b'])).toEqual([failedWith(away), failedWith(away)]);
  expect(statements).toEqual(['a+b']);
});

test('what the database undid for the sake of others is written one by one', async () => {
  const cause = new DatabaseError('undone', 1, 'error');
  cause.code = '40001';
  const { statements, writeAll } = table(() => {
    throw new DatabaseUnavailableError('none', cause);
  });
  expect(await writeAll(['a', 'b'])).toEqual([done('a alone'), done('b alone')]);
  expect(statements).toEqual(['a+b', 'a', 'b']);
});

test('an error after the statement was done is that of its rows: none of them is written again', async () => {
  const error = new TypeError('A row cannot be read.');
  const { statements, writeAll } = table(() => {
    throw error;
  });
  expect(await writeAll(['a', 'b'])).toEqual([failedWith(error), failedWith(error)]);
  expect(statements).toEqual(['a+b']);
});
