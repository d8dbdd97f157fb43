import { type RawBuilder, sql } from 'kysely';
import type { Db } from './db.ts';
import { toJsonText } from './json-text.ts';
import { givenRows, type RowColumns } from './row-values.ts';

/** A statement about one row, which is one about many rows where those are given. */
export interface ManyRows<Result> {
  readonly row: RowColumns;
  of(given: RawBuilder<unknown>): RawBuilder<Result>;
}

/** The rows of a statement are alike if its text is the same for each, and if its parameters beside them are. */
export function likenessOf<Result>(db: Db, { row, of }: ManyRows<Result>): string {
  const { sql: text, parameters } = of(sql``).compile(db);
  return toJsonText([text, row.types, parameters]);
}

/** Executes one statement for rows that are alike and have UUIDs for keys. @returns the rows that it returns */
export async function executeTogether<Result>(
  db: Db,
  statements: readonly ManyRows<Result>[],
): Promise<readonly Result[]> {
  const rows = statements.map(({ row }) => row);
  return (await statements[0]?.of(givenRows('uuid', rows)).execute(db))?.rows ?? [];
}
