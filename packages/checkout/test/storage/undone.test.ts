import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { databaseClock, DatabaseUnavailableError, paymentsStore, type Transition } from '../../src/storage/index.ts';
import type { Schema } from '../../src/storage/tables.ts';

/** A server that answers every statement with this code. */
function failingWith(code: string) {
  const cause = new DatabaseError('undone', 6, 'error');
  cause.code = code;
  const error = new DatabaseUnavailableError('none', cause);
  class FailingDriver extends DummyDriver {
    override acquireConnection() {
      const executeQuery = () => Promise.reject(error);
      return Promise.resolve({
        executeQuery,
        streamQuery: () => {
          throw error;
        },
      });
    }
  }
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new FailingDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

const transition: Transition = {
  paymentId: crypto.randomUUID(),
  expectedVersion: 1,
  change: { state: 'pending', unknown: false },
  event: { kind: 'pending', data: {} },
};

const write = (code: string) => paymentsStore(failingWith(code), databaseClock).applyTransition(transition);

test.each(['40001', '40P01'])(
  'a change that the server undid for another one (%s) is answered as undone',
  async (code) => {
    expect(await write(code)).toEqual({ result: 'undone' });
  },
);

test('a change that the server had no room for fails', async () => {
  await expect(write('53300')).rejects.toBeInstanceOf(DatabaseUnavailableError);
});
