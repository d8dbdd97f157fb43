import { sql, type Kysely, type RawBuilder } from 'kysely';
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

/** "Now" as an expression of SQL. */
export type SqlClock = () => RawBuilder<Date>;

const now = sql<Date>`now()`;

/** The database's own clock: several processes on one database share no other clock. For production. */
export const databaseClock: SqlClock = () => now;

/** A clock that is read by the caller. For tests. @example clockFrom(() => new Date('2026-01-01T00:00:15Z')) */
export const clockFrom =
  (read: () => Date): SqlClock =>
  () =>
    sql<Date>`${read()}::timestamptz`;

/** A length of time, to be added to a clock's now. */
export const milliseconds = (ms: number): RawBuilder<string> =>
  sql<string>`make_interval(secs => ${ms}::double precision / 1000)`;
