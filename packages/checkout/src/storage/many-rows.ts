import { type RawBuilder, sql } from 'kysely';
import type { Db } from './db.ts';
import { toJsonText } from './json-text.ts';
import { givenRows, type RowColumns } from './row-values.ts';

/** A statement about one row, which is one about many rows where those are given. */
export interface ManyRows<Result> {
  readonly row: RowColumns;
  of(given: RawBuilder<unknown>): RawBuilder<Result>;
}

/**
 * Executes the statements of rows with UUIDs for keys, one for all that are alike: whose text is the same, and whose parameters beside the rows are.
 *
 * @returns what all of them return
 */
export async function executeTogether<Result>(
  db: Db,
  statements: readonly ManyRows<Result>[],
): Promise<readonly Result[]> {
  const groups = new Map<string, ManyRows<Result>[]>();
  for (const statement of statements) {
    const { sql: text, parameters } = statement.of(sql``).compile(db);
    const likeness = toJsonText([text, statement.row.types, parameters]);
    const group = groups.get(likeness);
    if (group === undefined) groups.set(likeness, [statement]);
    else group.push(statement);
  }
  const results = await Promise.all(
    [...groups.values()].map(async (group) => {
      const given = givenRows(
        'uuid',
        group.map(({ row }) => row),
      );
      return (await group[0]?.of(given).execute(db))?.rows ?? [];
    }),
  );
  return results.flat();
}
