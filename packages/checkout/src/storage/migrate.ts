import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration';
import type { Migration } from 'kysely/migration';

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
