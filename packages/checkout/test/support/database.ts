import { openAsBlob } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import { kyselyOver } from '../../src/storage/open-database.ts';
import type { Db } from '../../src/storage/open-database.ts';
import { clockFrom } from '../../src/storage/sql-clock.ts';
import type { SqlClock } from '../../src/storage/sql-clock.ts';

/** An in-memory database with all migrations. */
export async function copyOfTemplate(): Promise<Db> {
  const db = kyselyOver(await PGlite.create({ loadDataDir: await openAsBlob(inject('databaseTemplate')) }));
  return db;
}

/** Empties all tables, the ones included that refuse it to the service. */
async function empty(db: Db): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`SET session_replication_role = replica`.execute(connection);
    await sql`TRUNCATE sessions, duplicate_windows, payments, payment_references, payment_events, flow_runs, journal, provider_notifications,
      provider_events, callbacks, callback_attempts`.execute(connection);
    await sql`SET session_replication_role = origin`.execute(connection);
  });
}

export interface TestDatabase {
  readonly db: Db;
}

/** One in-memory database for the tests of a file, emptied before each. @example const database = useDatabase(); // database.db in a test */
export function useDatabase(): TestDatabase {
  let opened: Db | undefined;
  beforeAll(async () => {
    opened = await copyOfTemplate();
  });
  beforeEach(async () => {
    if (opened !== undefined) await empty(opened);
  });
  afterAll(async () => opened?.destroy());
  return {
    get db() {
      if (opened === undefined) throw new Error('The database is there only inside a test.');
      return opened;
    },
  };
}

/** A clock that stands still until it is moved. */
export function testClock(start = '2026-01-01T00:00:00.000Z') {
  let at = Date.parse(start);
  const clock: SqlClock = clockFrom(() => new Date(at));
  return {
    clock,
    now: () => new Date(at),
    advance(ms: number) {
      at += ms;
    },
  };
}
