import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** One migration as a list of statements, because PGlite takes one statement at a time. They run in one transaction. */
export function statements(list: readonly string[]): Migration {
  return {
    async up(db) {
      for (const statement of list) await sql.raw(statement).execute(db);
    },
  };
}
