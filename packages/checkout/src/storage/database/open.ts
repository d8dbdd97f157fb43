import { Kysely, PGliteDialect, sql, type Dialect } from 'kysely';
import { milliseconds, type Db, type SqlClock } from './sql.ts';
import { CHAIN_HOLD_MS } from '../chains.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import {
  ColumnNames,
  ServerDialect,
  migrationPool,
  probeConfig,
  serverChangeBus,
  serverJobs,
  statementPool,
  type ChangeBus,
  type ChangeListener,
  type ServerAddress,
} from './server.ts';
import { embeddedJobs, keepToOwner, startEmbedded, takeProcessLock, type JobsDatabase } from './embedded.ts';
import { requireKeptSessions } from '../kept-sessions.ts';
import { migrations } from '../migrations/index.ts';
import type { Schema } from '../tables.ts';
import { DEFAULT_MIGRATION_TABLE, Migrator, type Migration } from 'kysely/migration';

/** The database was written by a newer version of this service, so reading it with this one could lose what that one keeps there. */
export class DatabaseTooNewError extends Error {
  override readonly name = 'DatabaseTooNewError';
  readonly unknownMigrations: readonly string[];

  constructor(unknownMigrations: readonly string[]) {
    super(
      `The database was made by a newer version of this service: it has the migration ${unknownMigrations.join(', ')}, which this version ` +
        'does not know. Start the newer version, or restore a copy of the database from before the upgrade.',
    );
    this.unknownMigrations = unknownMigrations;
  }
}

async function appliedNames<DB>(db: Kysely<DB>): Promise<string[]> {
  const table = await sql<{
    exists: boolean;
  }>`SELECT to_regclass(${DEFAULT_MIGRATION_TABLE}) IS NOT NULL AS "exists"`.execute(db);
  if (table.rows[0]?.exists !== true) return [];
  const applied = await sql<{
    name: string;
  }>`SELECT name FROM ${sql.table(DEFAULT_MIGRATION_TABLE)} ORDER BY name`.execute(db);
  return applied.rows.map((row) => row.name);
}

/**
 * Brings the database up to the newest migration; all of them in one transaction. Doing it again changes nothing.
 *
 * @returns the names of the migrations that were applied now
 * @throws DatabaseTooNewError if the database has a migration that `known` has not
 */
export async function migrate<DB>(db: Kysely<DB>, known: Readonly<Record<string, Migration>>): Promise<string[]> {
  const applied = await appliedNames(db);
  const unknownMigrations = applied.filter((name) => !Object.hasOwn(known, name));
  if (unknownMigrations.length > 0) throw new DatabaseTooNewError(unknownMigrations);
  // The migrator reads the catalogue of all tables twice before it finds nothing to do: a sixth of a start on the embedded database.
  if (applied.length === Object.keys(known).length) return [];
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...known }) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const failed = results.find((result) => result.status === 'Error');
    throw new Error(`The migration ${failed?.migrationName ?? ''} failed; nothing was changed.`, { cause: error });
  }
  return results.map((result) => result.migrationName);
}

export interface Database {
  /**
   * Inside `db.transaction().execute(async (trx) => …)` use `trx` only: a query on `db` in there would wait for the connection that the
   * transaction holds, for ever.
   */
  readonly db: Db;
  /** Whether other processes may be at work on it. The embedded database belongs to one. */
  readonly shared: boolean;
  /** Publishes changes and messages to the other processes and receives theirs, until the database is closed. */
  readonly changeBus: (listener: ChangeListener) => Pick<ChangeBus, 'publish' | 'say'>;
  /** For the job library. Stop that before `close`. */
  readonly jobs: JobsDatabase;
  /** Waits for the queries under way. The embedded database writes a checkpoint and lets its directory go. */
  close(): Promise<void>;
}

/** Kysely with this service's naming. Does not migrate. */
const kyselyWith = (dialect: Dialect): Db => new Kysely<Schema>({ dialect, plugins: [new ColumnNames()] });

/** Kysely over a PGlite instance. Does not migrate. */
export const kyselyOver = (pglite: PGlite): Db => kyselyWith(new PGliteDialect({ pglite }));

/** Kysely over a PostgreSQL server. Does not migrate. */
export const kyselyOnServer = (address: ServerAddress): Db => kyselyWith(new ServerDialect(statementPool(address)));

/** The embedded database belongs to one process. */
const noBus: ChangeBus = { publish: () => undefined, say: () => false, stop: () => Promise.resolve() };

async function openMigrated(pglite: PGlite): Promise<Database> {
  const db = kyselyOver(pglite);
  try {
    await migrate(db, migrations);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    db,
    shared: false,
    changeBus: () => noBus,
    jobs: embeddedJobs(pglite, db),
    async close() {
      await sql`CHECKPOINT`.execute(db);
      await db.destroy();
    },
  };
}

/** Brings a server's database up to date. Of several processes that start at once one migrates and the others wait for it. */
async function migrateServer(address: ServerAddress): Promise<void> {
  const db = kyselyWith(new ServerDialect(migrationPool(address)));
  try {
    const found = await sql<{ encoding: string; version: number }>`
      SELECT current_setting('server_encoding') AS encoding, current_setting('server_version_num')::integer / 10000 AS version`.execute(
      db,
    );
    const { encoding = '', version = 0 } = found.rows[0] ?? {};
    if (version < OLDEST_SERVER)
      throw new Error(`The server is PostgreSQL ${version}; it must be ${OLDEST_SERVER} or newer.`);
    if (encoding !== 'UTF8') throw new Error(`The database's encoding is ${encoding}; it must be UTF8.`);
    await migrate(db, migrations);
  } finally {
    await db.destroy();
  }
}

/** The oldest that its makers still supported when this was written. */
const OLDEST_SERVER = 14;

/**
 * Opens a database and brings its tables up to date. What is kept when something goes wrong: docs/storage.md.
 *
 * @param where a PostgreSQL server; or a directory for the embedded database, made for its owner only if it is missing; or `'memory'`, gone
 * when it is closed
 * @throws DirectoryInUseError if another process has the directory open
 * @throws ReadableByOthersError if other users may read the directory and this process may not change that
 * @throws DatabaseTooNewError if a newer version of this service wrote it
 * @throws DatabaseUnavailableError if the server cannot be reached
 * @throws SharedSessionsError if a pooler stands before it that does not keep sessions
 * @example const { db, close } = await openDatabase({ dataDir: '.railyard' });
 */
export async function openDatabase(where: 'memory' | { readonly dataDir: string } | ServerAddress): Promise<Database> {
  if (where === 'memory') return openMigrated(await startEmbedded());
  if ('url' in where) {
    await requireKeptSessions(probeConfig(where));
    await migrateServer(where);
    const db = kyselyOnServer(where);
    const listening: ChangeBus[] = [];
    return {
      db,
      shared: true,
      changeBus(listener) {
        const bus = serverChangeBus(db, where, listener);
        listening.push(bus);
        return bus;
      },
      jobs: serverJobs(where),
      async close() {
        await Promise.all(listening.map((bus) => bus.stop()));
        await db.destroy();
      },
    };
  }
  // Requests and payers' details are in it: other users of the machine may not look inside.
  mkdirSync(where.dataDir, { recursive: true, mode: 0o700 });
  const lock = takeProcessLock(join(where.dataDir, 'database.lock'));
  try {
    keepToOwner(where.dataDir);
    const opened = await openMigrated(await startEmbedded(join(where.dataDir, 'database')));
    // The embedded database makes its files readable for everyone.
    keepToOwner(where.dataDir);
    return {
      ...opened,
      async close() {
        try {
          await opened.close();
          keepToOwner(where.dataDir);
        } finally {
          lock.release();
        }
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Gives the space of outdated rows back to the tables, and refreshes the planner's numbers. Only for the embedded database: a server does
 * this by itself (autovacuum). It takes the connection while it works, so run it when little happens, once a day. The few rows
 * of the jobs change all the time and take no time.
 */
export async function vacuum(db: Db, what: 'all' | 'jobs'): Promise<void> {
  await (what === 'all' ? sql`VACUUM (ANALYZE)` : sql`VACUUM (ANALYZE) railyard_jobs.job_common`).execute(db);
}

/**
 * Releases everything that a former process was at work on: runs being executed, callbacks being sent, notifications and
 * repeatable requests being handled, chains being looked at. All of it is due at once. Only for a process that has the database to itself: with several
 * processes each hold runs out by its time.
 */
export async function releaseHolds(db: Db, clock: SqlClock): Promise<void> {
  const now = clock();
  await sql`UPDATE flow_runs SET lease_owner = NULL, lease_until = ${now} WHERE state = 'running' AND lease_owner IS NOT NULL`.execute(
    db,
  );
  await sql`UPDATE callbacks SET claimed_until = NULL WHERE state = 'waiting' AND claimed_until > ${now}`.execute(db);
  await sql`UPDATE provider_notifications SET next_try_at = ${now} WHERE state = 'received' AND next_try_at > ${now}`.execute(
    db,
  );
  await sql`UPDATE idempotency_keys SET held_until = ${now} WHERE status IS NULL AND held_until > ${now}`.execute(db);
  // A chain that is due within a hold anyway comes a little early, and nothing is due then.
  await sql`UPDATE chains SET poll_at = ${now} WHERE poll_at > ${now} AND poll_at <= ${now} + ${milliseconds(CHAIN_HOLD_MS)}`.execute(
    db,
  );
}
