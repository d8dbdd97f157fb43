import { sql, toJsonText, type Piece } from './sql.ts';

type Type = 'boolean' | 'double precision' | 'integer' | 'json' | 'numeric' | 'text' | 'uuid';

/** Each value is a column of a row of `given g`. A statement about one row has the same text as one about many whose columns are equal. */
export interface RowColumns {
  /** A value as a piece of SQL. */
  of(type: Type, value: unknown): Piece<unknown>;
  /** Of the columns, in their order. */
  readonly types: readonly Type[];
  /** By the names of the columns. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Columns by their position: what names them is made once. */
const columns: { readonly name: string; readonly ofRow: Piece<unknown> }[] = [];
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
  };
}

/**
 * Rows of equal columns, as a part of a statement.
 *
 * @param keys the type of their keys
 */
export function givenRows(keys: 'text' | 'uuid', rows: readonly RowColumns[]): Piece<unknown> {
  const [first] = rows;
  if (first === undefined) throw new Error('A statement about given rows needs one.');
  const [before = '', after = ''] = givenText(keys, first).split('$1');
  return sql`${sql.raw(before)}${rowsText(rows)}${sql.raw(after)}`;
}

/** The rows as the parameter of a statement. */
const rowsText = (rows: readonly RowColumns[]): string => toJsonText(rows.map(({ values }) => values));

/**
 * The text of that part, with the rows as `$1`. A server that plans assumes a hundred rows of a function, for which it would read a table from
 * beginning to end, or an index of all that is under way, with what has ended since. Of those within two bounds it assumes one in two hundred
 * (PostgreSQL, `DEFAULT_RANGE_INEQ_SEL`), and finds each row by its key. Every key has between 1 and 1000 bytes.
 */
function givenText(keys: 'text' | 'uuid', { types }: RowColumns): string {
  const columns = types.map((type, index) => `, c${index + 1} ${type}`).join('');
  return `SELECT * FROM json_to_recordset($1::text::json) AS g (key ${keys}${columns}) WHERE octet_length(g.key::text) BETWEEN 1 AND 1000`;
}
