import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { CamelCasePlugin, Kysely, PGliteDialect, sql } from 'kysely';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { takeProcessLock } from './process-lock.ts';
import type { Schema } from './schema/index.ts';

/** All access goes through it: kysely hands the one connection of PGlite to one query or transaction at a time. */
export type Db = Kysely<Schema>;

export interface Database {
  /**
   * Inside `db.transaction().execute(async (trx) => …)` use `trx` only: a query on `db` in there would wait for the connection that the
   * transaction holds, for ever.
   */
  readonly db: Db;
  /** Waits for the queries under way, writes a checkpoint and lets the directory go. */
  close(): Promise<void>;
}

/** Kysely over a PGlite instance, with this service's naming. Does not migrate. */
export function kyselyOver(pglite: PGlite): Db {
  return new Kysely<Schema>({
    dialect: new PGliteDialect({ pglite }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

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
    async close() {
      await sql`CHECKPOINT`.execute(db);
      await db.destroy();
    },
  };
}

/**
 * Opens the embedded database and brings its tables up to date. What is kept when something goes wrong: docs/storage.md.
 *
 * @param where a directory, made for its owner only if it is missing; or `'memory'`, gone when it is closed
 * @throws DirectoryInUseError if another process has the directory open
 * @throws DatabaseTooNewError if a newer version of this service wrote it
 * @example const { db, close } = await openDatabase({ dataDir: '.railyard' });
 */
export async function openDatabase(where: 'memory' | { readonly dataDir: string }): Promise<Database> {
  if (where === 'memory') return openMigrated(await PGlite.create());
  // Requests and payers' details are in it: nobody else on the machine may look inside.
  mkdirSync(where.dataDir, { recursive: true, mode: 0o700 });
  const lock = takeProcessLock(join(where.dataDir, 'database.lock'));
  try {
    const opened = await openMigrated(await PGlite.create(join(where.dataDir, 'database')));
    return {
      db: opened.db,
      async close() {
        try {
          await opened.close();
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
 * Gives the space of outdated rows back to the tables, and refreshes the planner's numbers. The embedded database does not do this by
 * itself; it takes the connection while it works, so run it when little happens, once a day.
 */
export async function vacuum(db: Db): Promise<void> {
  await sql`VACUUM (ANALYZE)`.execute(db);
}
