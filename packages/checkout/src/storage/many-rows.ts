import { type RawBuilder, sql } from 'kysely';
import type { Db } from './db.ts';
import { toJsonText } from './json-text.ts';
import { executePlain, plainStatement } from './plain-statement.ts';
import { givenRows, type RowColumns } from './row-values.ts';

/** A statement about one row, which is one about many rows where those are given. */
export interface ManyRows<Result> {
  readonly row: RowColumns;
  of(given: RawBuilder<unknown>): RawBuilder<Result>;
}

/** The rows of a statement are alike if its text is the same for each, and if its parameters beside them are. */
export function likenessOf(statement: ManyRows<unknown>): string {
  const known = likenesses.get(statement);
  if (known !== undefined) return known;
  const { text, parameters } = plainStatement(statement.of(sql``));
  const likeness = toJsonText([numberOf(text), statement.row.types, parameters]);
  likenesses.set(statement, likeness);
  return likeness;
}

/** Of statements that have been compared with others. One that goes alone is not. */
const likenesses = new WeakMap<ManyRows<unknown>, string>();

/** Texts that were met, so that rows compare by a short text: the limit is beyond what there are. */
const numbers = new Map<string, number>();
const MOST_NUMBERS = 1000;

function numberOf(text: string): number | string {
  const known = numbers.get(text);
  if (known !== undefined || numbers.size >= MOST_NUMBERS) return known ?? text;
  numbers.set(text, numbers.size);
  return numbers.size - 1;
}

/** Executes one statement for rows that are alike and have UUIDs for keys. @returns the rows that it returns */
export async function executeTogether<Result>(
  db: Db,
  statements: readonly ManyRows<Result>[],
): Promise<readonly Result[]> {
  const rows = statements.map(({ row }) => row);
  const [first] = statements;
  return first === undefined ? [] : (await executePlain(db, first.of(givenRows('uuid', rows)))).rows;
}
