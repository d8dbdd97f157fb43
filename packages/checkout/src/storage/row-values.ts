import { type RawBuilder, sql } from 'kysely';
import { toJsonText } from './json-text.ts';
import { MOST_TOGETHER } from './with-others.ts';

type Type = 'boolean' | 'double precision' | 'integer' | 'json' | 'numeric' | 'text' | 'uuid';

/** Where a statement has the values of a row from. */
export interface RowValues {
  /** A value as a piece of SQL. */
  of(type: Type, value: unknown): RawBuilder<unknown>;
  /** Joins the values to the row of this key. */
  joined(key: RawBuilder<unknown>): RawBuilder<unknown>;
}

/** Each value is a parameter of the statement, which is about one row. */
export const parameters: RowValues = {
  of: (type, value) => sql`${type === 'json' ? toJsonText(value) : value}::${sql.raw(type)}`,
  joined: () => sql``,
};

/** Each value is a column of a row of `given g`. A statement about one row has the same text as one about many whose columns are equal. */
export interface RowColumns extends RowValues {
  /** Of the columns, in their order. */
  readonly types: readonly Type[];
  /** By the names of the columns. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Columns by their position: what names them is made once. */
const columns: { readonly name: string; readonly ofRow: RawBuilder<unknown> }[] = [];
const columnAt = (position: number) =>
  (columns[position] ??= { name: `c${position}`, ofRow: sql.raw(`g.c${position}`) });

/**
 * @param key of the row that a statement finds by it
 * @example
 * const row = rowColumns(paymentId);
 * const state = row.of('text', 'pending');
 * sql`WITH given AS (${givenRows('uuid', [row])}) UPDATE payments p SET state = ${state} FROM given g WHERE p.id = g.key`
 */
export function rowColumns(key: string): RowColumns {
  const types: Type[] = [];
  const values: Record<string, unknown> = { key };
  return {
    types,
    values,
    of(type, value) {
      const column = columnAt(types.push(type));
      values[column.name] = value;
      return column.ofRow;
    },
    joined: (of) => sql`JOIN given g ON g.key = ${of}`,
  };
}

/**
 * Rows of equal columns, as a part of a statement. The limit lets a server plan for one row, or for a few: a function that gives rows is assumed to
 * give a hundred, for which it would read a small table from beginning to end.
 *
 * @param keys the type of their keys
 */
export function givenRows(keys: 'text' | 'uuid', rows: readonly RowColumns[]): RawBuilder<unknown> {
  const columns = (rows[0]?.types ?? []).map((type, index) => `, c${index + 1} ${type}`).join('');
  const names = sql.raw(`key ${keys}${columns}`);
  const limit = sql.raw(String(rows.length === 1 ? 1 : Math.max(rows.length, MOST_TOGETHER)));
  return sql`SELECT * FROM json_to_recordset(${toJsonText(rows.map(({ values }) => values))}::text::json) AS g (${names}) LIMIT ${limit}`;
}
