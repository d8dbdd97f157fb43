import { sql } from 'kysely';
import type { Db } from '../../src/storage/index.ts';

export interface ColumnText {
  /** `table.column` */
  readonly place: string;
  readonly text: string;
}

/** Every value of every column of the database, the job library's tables included, as text. */
export async function allColumns(db: Db): Promise<ColumnText[]> {
  const names = await sql<{ place: string; table: string; column: string }>`
    SELECT table_name || '.' || column_name AS place, format('%I.%I', table_schema, table_name) AS table, quote_ident(column_name) AS column
    FROM information_schema.columns WHERE table_schema NOT IN ('pg_catalog', 'information_schema')`.execute(db);
  const found = [];
  for (const { place, table, column } of names.rows) {
    const { rows } = await sql<{
      text: string | null;
    }>`SELECT ${sql.raw(column)}::text AS text FROM ${sql.raw(table)}`.execute(db);
    found.push(...rows.map(({ text }) => ({ place, text: text ?? '' })));
  }
  return found;
}
