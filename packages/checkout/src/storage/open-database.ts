import type { Db } from './db.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { type Dialect, Kysely, type KyselyPlugin, PGliteDialect, sql } from 'kysely';
import { AskedNames, ColumnNames } from './column-names.ts';
import { ServerDialect } from './server-driver.ts';
import { startEmbedded } from './embedded-engine.ts';
import { embeddedJobs, type JobsDatabase } from './embedded-jobs.ts';
import { requireKeptSessions } from './kept-sessions.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { keepToOwner } from './owner-only.ts';
import { takeProcessLock } from './process-lock.ts';
import type { Schema } from './schema/index.ts';
import { type ChangeBus, type ChangeListener, serverChangeBus } from './server-change-bus.ts';
import { migrationPool, probeConfig, serverJobs, type ServerAddress, statementPool } from './server-pool.ts';

export interface Database {
  /**
   * Inside `db.transaction().execute(async (trx) => …)` use `trx` only: a query on `db` in there would wait for the connection that the
   * transaction holds, for ever.
   */
  readonly db: Db;
  /** Whether other processes may be at work on it. The embedded database belongs to one. */
  readonly shared: boolean;
  /** Publishes changes to the other processes and receives theirs, until the database is closed. */
  readonly changeBus: (listener: ChangeListener) => Pick<ChangeBus, 'publish'>;
  /** For the job library. Stop that before `close`. */
  readonly jobs: JobsDatabase;
  /** Waits for the queries under way. The embedded database writes a checkpoint and lets its directory go. */
  close(): Promise<void>;
}

/** Kysely with this service's naming. Does not migrate. */
function kyselyWith(dialect: Dialect, names: KyselyPlugin): Db {
  return new Kysely<Schema>({ dialect, plugins: [names] });
}

/** Kysely over a PGlite instance. Does not migrate. */
export const kyselyOver = (pglite: PGlite): Db => kyselyWith(new PGliteDialect({ pglite }), new ColumnNames());

/** Kysely over a PostgreSQL server. Does not migrate. Its rows have the schema's names, also for what leaves out the plugins. */
export function kyselyOnServer(address: ServerAddress): Db {
  const names = new AskedNames();
  return kyselyWith(new ServerDialect(statementPool(address), (column) => names.of(column)), names);
}

/** The embedded database belongs to one process. */
const noBus: ChangeBus = { publish: () => undefined, stop: () => Promise.resolve() };

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
  const db = kyselyWith(new ServerDialect(migrationPool(address), (column) => column), new ColumnNames());
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
