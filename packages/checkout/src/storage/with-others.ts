import { isRefused } from './database-failure.ts';
import { groupCommit } from './group-commit.ts';

/** Two ways to write rows of one kind. */
interface Ways<Row, Result> {
  /** Of two rows with one key the second goes with a later statement. */
  readonly key: (row: Row) => string;
  /** Rows of one statement are alike; unless given, all are. */
  readonly likeness?: (row: Row) => string;
  /**
   * Writes rows in one statement, which leaves out what is locked: a payment, a session, a run or a callback.
   *
   * @returns the results by key; of a row without one nothing was decided
   */
  readonly together: (rows: readonly Row[]) => Promise<ReadonlyMap<string, Result>>;
  /** Writes a row in every case, also if it waits. */
  readonly alone: (row: Row) => Promise<Result>;
}

/** Statements under way at once, and rows of each: enough that one is made while others commit. */
const LANES = 3;
/**
 * A few times as long as a statement takes: more rows share each, which costs the process and the server less for a row. While none is under way
 * a row waits only if rows come more often than that and most find a statement under way.
 */
const PATIENCE = { rows: 8, ms: 12 } as const;
const MOST_TOGETHER = 32;

/**
 * Rows that arrive while statements are under way share the next one. What cannot be written with others is written by itself, so that no row
 * waits for the lock of another one, or fails by its fault.
 *
 * @returns writes a row; rejects with the error of its statement
 */
export function withOthers<Row, Result>(ways: Ways<Row, Result>): (row: Row) => Promise<Result> {
  const { key, together, alone } = ways;
  const write = groupCommit<Row, { readonly result: Result } | undefined>({
    ...ways,
    async write(rows) {
      try {
        const results = await together(rows);
        return (row) => {
          const result = results.get(key(row));
          return result === undefined ? undefined : { result };
        };
      } catch (error) {
        if (!isRefused(error)) throw error;
        return () => undefined;
      }
    },
    lanes: LANES,
    patience: PATIENCE,
    most: MOST_TOGETHER,
    isFaultOfRow: () => false,
  });
  return async (row) => {
    const written = await write(row);
    return written === undefined ? alone(row) : written.result;
  };
}
