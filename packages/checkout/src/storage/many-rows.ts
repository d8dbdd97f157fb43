import { CompiledQuery } from 'kysely';
import type { Db } from './db.ts';
import { toJsonText } from './json-text.ts';
import type { Piece } from './piece.ts';
import { plainStatement, type PlainStatement } from './plain-statement.ts';
import { givenText, rowsText, type RowColumns } from './row-values.ts';

/** A statement about one row, which is one about many rows where those are given. */
export interface ManyRows<Result> {
  readonly row: RowColumns;
  /** The parts behind the given rows: behind `WITH given AS (…),`. */
  readonly parts: Piece<Result>;
}

/** The rows of a statement are alike if its text is the same for each, and if its parameters beside them are. */
export function likenessOf(statement: ManyRows<unknown>): string {
  const { number, parameters } = writtenOf(statement);
  return toJsonText([number, parameters]);
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
  readonly number: number | string;
}

/** Each statement is written out once. */
const written = new WeakMap<ManyRows<unknown>, Written>();

function writtenOf(statement: ManyRows<unknown>): Written {
  const known = written.get(statement);
  if (known !== undefined) return known;
  const { text, parameters } = plainStatement(statement.parts, 1);
  const made = { ...meet(text, statement.row), parameters };
  written.set(statement, made);
  return made;
}

type Met = Pick<Written, 'text' | 'number'>;

/** Texts that were met, by their parts and the types of their columns, so that rows compare by a number: the limit is beyond what there are. */
const texts = new Map<string, Map<string, Met>>();
const MOST_TEXTS = 1000;
let met = 0;

function meet(parts: string, row: RowColumns): Met {
  const types = row.types.join();
  const known = texts.get(parts)?.get(types);
  if (known !== undefined) return known;
  const text = `WITH given AS (${givenText('uuid', row)}), ${parts}`;
  if (met >= MOST_TEXTS) return { text, number: text };
  const made = { text, number: (met += 1) };
  const ofParts = texts.get(parts) ?? new Map<string, Met>();
  texts.set(parts, ofParts.set(types, made));
  return made;
}
