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
  /** Two pieces with the same key, and with the same keys within, have the same text. */
  readonly key: unknown;
  readonly texts: readonly string[];
  /** One between every two texts: a piece, or a value that becomes a parameter. */
  readonly values: readonly unknown[];

  constructor(key: unknown, texts: readonly string[], values: readonly unknown[]) {
    this.key = key;
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

/** A template is one object however often it is filled in (ECMA-262, GetTemplateObject). */
export function sql<T = unknown>(texts: TemplateStringsArray, ...values: readonly unknown[]): Piece<T> {
  return new Piece<T>(texts, texts, values);
}

/** A text as it is. */
sql.raw = (text: string): Piece => new Piece(text, [text], []);

/** Values with commas between them. */
sql.list = (values: readonly unknown[]): Piece =>
  new Piece(values.length, ['', ...values.slice(1).map(() => ', '), ...(values.length === 0 ? [] : [''])], values);

/** A statement as it is sent. */
export interface PlainStatement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/**
 * The text of a statement that is written out, with its values as parameters. kysely's own way asks each plugin about each piece and copies it,
 * which takes several times as long; a statement that comes with every payment is written out instead, and its text is written once: it is found
 * again by the templates that the statement is made of.
 *
 * @param before parameters of a text that is put before it
 * @throws Error where a value is one of kysely's: what kysely quotes is compiled by kysely
 */
export function plainStatement(statement: Piece, before = 0): PlainStatement {
  const parameters: unknown[] = [];
  const place = follow(step(root, before), statement, parameters);
  if (place === undefined) return { text: write(statement, { text: '', parameters: before }).text, parameters };
  place.text ??= write(statement, { text: '', parameters: before }).text;
  return { text: place.text, parameters };
}

/** Where the pieces of a statement have led to, from its beginning on. */
interface Place {
  readonly next: Map<unknown, Place>;
  /** Of the statement that ends here. */
  text?: string;
}

const root: Place = { next: new Map() };
/** A form of a change has some 150, so that these are a few hundred forms, and 11 MB. What comes after them is written each time. */
const MOST_PLACES = 50_000;
let places = 0;

function step(place: Place | undefined, key: unknown): Place | undefined {
  const known = place?.next.get(key);
  if (known !== undefined || place === undefined || places >= MOST_PLACES) return known;
  places += 1;
  const next: Place = { next: new Map() };
  place.next.set(key, next);
  return next;
}

/** Stands for any parameter. */
const parameter = Symbol('parameter');

function follow(from: Place | undefined, { key, values }: Piece, parameters: unknown[]): Place | undefined {
  let place = step(from, key);
  for (const value of values)
    if (value instanceof Piece) place = follow(place, value, parameters);
    else {
      parameters.push(parameterOf(value));
      place = step(place, parameter);
    }
  return place;
}

function parameterOf(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'toOperationNode' in value)
    throw new Error('A statement that is written out holds nothing of kysely.');
  return value;
}

interface Written {
  text: string;
  /** So far. */
  parameters: number;
}

function write({ texts, values }: Piece, written: Written): Written {
  for (const [at, text] of texts.entries()) {
    written.text += text;
    if (at >= values.length) continue;
    const value = values[at];
    if (value instanceof Piece) write(value, written);
    else written.text += `$${(written.parameters += 1)}`;
  }
  return written;
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
