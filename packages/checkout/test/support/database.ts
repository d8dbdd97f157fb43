import { openAsBlob } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, inject } from 'vitest';
import { kyselyOnServer, kyselyOver } from '../../src/storage/database/open.ts';
import type { Db } from '../../src/storage/database/sql.ts';
import { clockFrom } from '../../src/storage/database/sql.ts';
import type { SqlClock } from '../../src/storage/database/sql.ts';
import { serverDatabase } from './server-database.ts';

interface Copy {
  readonly db: Db;
  remove(): Promise<void>;
}

async function embeddedCopy(): Promise<Copy> {
  const db = kyselyOver(await PGlite.create({ loadDataDir: await openAsBlob(inject('databaseTemplate')) }));
  return { db, remove: () => db.destroy() };
}

async function serverCopy(): Promise<Copy> {
  const database = await serverDatabase();
  const db = kyselyOnServer(database);
  return {
    db,
    async remove() {
      await db.destroy();
      await database.remove();
    },
  };
}

/** An empty database with all migrations: in memory, or on the server in the project `checkout-server`. */
const copy = (): Promise<Copy> => (inject('engine') === 'server' ? serverCopy() : embeddedCopy());

/** The same for a test that only destroys it. On the server its files stay until the server goes. */
export const copyOfTemplate = async (): Promise<Db> => (await copy()).db;

const TABLES = [
  'sessions',
  'duplicate_windows',
  'payments',
  'payment_references',
  'payment_events',
  'flow_runs',
  'journal',
  'provider_notifications',
  'provider_events',
  'callbacks',
  'callback_attempts',
  'cards',
  'card_tokens',
  'callback_addresses',
  'disabled_callback_addresses',
  'findings',
  'service_secrets',
  'configurations',
  'modifications',
  'idempotency_keys',
  'reply_drift',
  'schedules',
  'chains',
  'due_days',
  'test_clocks',
  'clock_moves',
  'schedule_wakes',
];

/**
 * Empties all tables, the ones included that refuse it to the service. By DELETE, because for TRUNCATE a server makes the files of each
 * table and index anew and waits for the disk.
 */
export async function emptyTables(db: Db): Promise<void> {
  const deletions = TABLES.map((table) => `${table}_gone AS (DELETE FROM ${table})`);
  await db.connection().execute(async (connection) => {
    await sql`SET session_replication_role = replica`.execute(connection);
    await sql.raw(`WITH ${deletions.join(', ')} SELECT`).execute(connection);
    await sql`SET session_replication_role = origin`.execute(connection);
  });
}

export interface TestDatabase {
  readonly db: Db;
}

/** One database for the tests of a file, emptied before each. @example const database = useDatabase(); // database.db in a test */
export function useDatabase(): TestDatabase {
  let opened: Copy | undefined;
  beforeAll(async () => {
    opened = await copy();
  });
  beforeEach(async () => {
    if (opened !== undefined) await emptyTables(opened.db);
  });
  afterAll(async () => opened?.remove());
  return {
    get db() {
      if (opened === undefined) throw new Error('The database is there only inside a test.');
      return opened.db;
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
