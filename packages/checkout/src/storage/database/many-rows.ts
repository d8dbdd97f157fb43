import { plainStatement, sql, toJsonText, type Db, type Piece, type PlainStatement } from './sql.ts';
import { CompiledQuery } from 'kysely';

type Type = 'boolean' | 'double precision' | 'integer' | 'json' | 'numeric' | 'text' | 'uuid';

/** Where a statement has the values of a row from. */
export interface RowValues {
  /** A value as a piece of SQL. */
  of(type: Type, value: unknown): Piece<unknown>;
  /** Joins the values to the row of this key. */
  joined(key: Piece<unknown>): Piece<unknown>;
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
    joined: (of) => sql`JOIN given g ON g.key = ${of}`,
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
export const rowsText = (rows: readonly RowColumns[]): string => toJsonText(rows.map(({ values }) => values));

/**
 * The text of that part, with the rows as `$1`. A server that plans assumes a hundred rows of a function, for which it would read a table from
 * beginning to end, or an index of all that is under way, with what has ended since. Of those within two bounds it assumes one in two hundred
 * (PostgreSQL, `DEFAULT_RANGE_INEQ_SEL`), and finds each row by its key. Every key has between 1 and 1000 bytes.
 */
export function givenText(keys: 'text' | 'uuid', { types }: RowColumns): string {
  const columns = types.map((type, index) => `, c${index + 1} ${type}`).join('');
  return `SELECT * FROM json_to_recordset($1::text::json) AS g (key ${keys}${columns}) WHERE octet_length(g.key::text) BETWEEN 1 AND 1000`;
}

/** A statement about one row, which is one about many rows where those are given. */
export interface ManyRows<Result> {
  readonly row: RowColumns;
  /** The parts behind the given rows: behind `WITH given AS (…),`. */
  readonly parts: Piece<Result>;
}

/** The rows of a statement are alike if its text is the same for each, and if its parameters beside them are. */
export function likenessOf(statement: ManyRows<unknown>): string {
  return writtenOf(statement).likeness;
}

/** Executes one statement for rows that are alike and have UUIDs for keys. @returns the rows that it returns */
export async function executeTogether<Result>(
  db: Db,
  statements: readonly ManyRows<Result>[],
): Promise<readonly Result[]> {
  const [first] = statements;
  if (first === undefined) return [];
  const { text, parameters } = writtenOf(first);
  const rows = rowsText(statements.map(({ row }) => row));
  return (await db.executeQuery<Result>(CompiledQuery.raw(text, [rows, ...parameters]))).rows;
}

interface Written extends PlainStatement {
  readonly likeness: string;
}

/** Each statement is written out once, although it is compared with each that waits beside it. */
const written = new WeakMap<ManyRows<unknown>, Written>();

function writtenOf(statement: ManyRows<unknown>): Written {
  const known = written.get(statement);
  if (known !== undefined) return known;
  const { text: parts, parameters } = plainStatement(statement.parts, 1);
  const text = `WITH given AS (${givenText('uuid', statement.row)}), ${parts}`;
  const made = { text, parameters, likeness: toJsonText([text, parameters]) };
  written.set(statement, made);
  return made;
}
