import {
  CompiledQuery,
  sql as kysely,
  type Expression,
  type Kysely,
  type OperationNode,
  type QueryResult,
  type RawBuilder,
} from 'kysely';
import type { Schema } from '../tables.ts';

/** All access goes through it: kysely hands a connection (PGlite has but one) to one query or transaction at a time. */
export type Db = Kysely<Schema>;

/** In one statement, so that no other waits long. */
export const BATCH_LIMIT = 1000;

/** Repeats a statement that changes `BATCH_LIMIT` rows at most until nothing is left. @returns how many rows */
export async function inBatches(db: Db, statement: RawBuilder<unknown>): Promise<number> {
  let count = 0;
  for (;;) {
    const changed = Number((await statement.execute(db)).numAffectedRows ?? 0n);
    count += changed;
    if (changed < BATCH_LIMIT) return count;
  }
}

/** Values that survive JSON unchanged. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/**
 * JSON as it is kept in a text column.
 *
 * @throws TypeError for what JSON cannot carry: undefined at the top, a bigint, a cycle
 */
export function toJsonText(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError('This value cannot be written as JSON.');
  return text;
}

/** Reads what `toJsonText` wrote. */
export function fromJsonText(text: string): JsonValue {
  const value: JsonValue = JSON.parse(text);
  return value;
}

/**
 * A piece of SQL with the values that stand in it: what kysely's `sql` makes, without its nodes, for statements that come with every payment. In a
 * statement of kysely's it is an expression like any other.
 */
export class Piece<T = unknown> implements Expression<T> {
  readonly texts: readonly string[];
  /** One between every two texts: a piece, or a value that becomes a parameter. */
  readonly values: readonly unknown[];

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts;
    this.values = values;
  }

  get expressionType(): T | undefined {
    return undefined;
  }

  toOperationNode(): OperationNode {
    const [first = '', ...rest] = this.texts;
    const parts = rest.flatMap((text, at) => [kysely`${this.values[at]}`, kysely.raw(text)]);
    return kysely.join([kysely.raw(first), ...parts], kysely``).toOperationNode();
  }
}

export function sql<T = unknown>(texts: TemplateStringsArray, ...values: readonly unknown[]): Piece<T> {
  return new Piece<T>(texts, values);
}

/** A text as it is. */
sql.raw = (text: string): Piece => new Piece([text], []);

/** Values with commas between them. */
sql.list = (values: readonly unknown[]): Piece =>
  new Piece(['', ...values.slice(1).map(() => ', '), ...(values.length === 0 ? [] : [''])], values);

/** A statement as it is sent. */
export interface PlainStatement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/**
 * The text of a statement, with its values as parameters. Kysely's own way asks each plugin about each piece and copies it.
 *
 * @param before parameters of a text that is put before it
 * @throws Error where a value is one of kysely's: what kysely quotes is compiled by kysely
 */
export function plainStatement(statement: Piece, before = 0): PlainStatement {
  const parameters: unknown[] = [];
  const write = ({ texts: [first = '', ...others], values }: Piece): string => {
    let text = first;
    for (const [at, value] of values.entries()) {
      text += value instanceof Piece ? write(value) : `$${before + parameters.push(parameterOf(value))}`;
      text += others[at] ?? '';
    }
    return text;
  };
  return { text: write(statement), parameters };
}

function parameterOf(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'toOperationNode' in value)
    throw new Error('A statement that is written out holds nothing of kysely.');
  return value;
}

/** Executes a statement that is written out. */
export function executePlain<Row>(db: Db, statement: Piece<Row>): Promise<QueryResult<Row>> {
  const { text, parameters } = plainStatement(statement);
  return db.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]));
}

/** "Now" as a piece of SQL. */
export type SqlClock = () => Piece<Date>;

const now = sql<Date>`now()`;

/** The database's own clock: with several processes on one database it is the only one that all of them share. For production. */
export const databaseClock: SqlClock = () => now;

/** A clock that is read by the caller. For tests. @example clockFrom(() => new Date('2026-01-01T00:00:15Z')) */
export const clockFrom =
  (read: () => Date): SqlClock =>
  () =>
    sql<Date>`${read()}::timestamptz`;

/** A length of time, to be added to a clock's now. */
export const milliseconds = (ms: number): Piece<string> =>
  sql<string>`make_interval(secs => ${ms}::double precision / 1000)`;
