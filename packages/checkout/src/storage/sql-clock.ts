import { type Piece, sql } from './piece.ts';

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
