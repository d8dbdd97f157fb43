import { isRefused } from './failure.ts';

/*
 * Shared statements: rows of many payers that are written in the same moment go into one statement, so that a commit, a round trip and a plan are
 * paid once for all of them. Without this a payment costs the database about twice the time.
 *
 * There are no timers: a row never waits where it could be written. A group has a few lanes, and each lane carries one statement at a time. A group
 * is always in one of these modes:
 *
 * - IDLE: no row waits. Some lanes may carry statements.
 *   A row arrives: it waits, and the mode is GATHERING.
 *
 * - GATHERING: rows wait, a lane is free, and the next statement begins at the end of this turn of the event loop (`setImmediate`). Requests that
 *   the process read from its sockets in one turn meet here.
 *   A row arrives: it waits with the others.
 *   The turn ends: each free lane takes rows (see below). If rows are left, the mode is FULL, otherwise IDLE.
 *
 * - FULL: rows wait, and every lane carries a statement.
 *   A row arrives: it waits with the others.
 *   A statement ends: its lane takes rows at once. If rows are left, the mode stays FULL, otherwise it is IDLE.
 *
 * There is no mode of being stopped: a service that stops waits for its requests, and each request waits for its row.
 *
 * The rows that a lane takes are the oldest one and, in the order of their arrival, all that may go with it:
 * - rows with another key. One statement cannot write a row of the database twice, so the second row of a key goes with a later statement;
 * - `most` rows, so that a statement stays short.
 *
 * Each row is answered after the commit of its own statement, so its result means what it means without the group. A statement that fails changed
 * nothing. What happens then depends on why it failed:
 * - A fault of a row (a value that the database refuses): each row is written by itself, and only the faulty one fails.
 * - Anything else (the server is away, the answer was lost): every row of the statement fails with that error, and none is written again.
 *   Its caller knows what a lost answer means (see `beginDurably`).
 *
 * Locks. Payers must not wait for each other: if a statement of many rows waited for one locked payment, all of its payers would. So `withOthers` takes
 * two statements. The shared one leaves out locked rows (SKIP LOCKED) and returns no result for them; such a row is then written `alone`, by a
 * statement that waits for the lock.
 */

/** How rows share a statement. */
export interface GroupCommit<Row, Result> {
  /** Writes rows in one statement. @returns the result of each row */
  readonly write: (rows: readonly Row[]) => Promise<(row: Row) => Result>;
  /** Of two rows with one key the second goes with a later statement, perhaps beside the first. */
  readonly key: (row: Row) => string;
  /** Statements under way at once. */
  readonly lanes: number;
  /** Rows of one statement at most. */
  readonly most: number;
  /** Whether the statement failed by a value of one of its rows. It changed nothing, so each row is then written by itself. */
  readonly isFaultOfRow: (error: unknown) => boolean;
}

interface Waiting<Row, Result> {
  readonly row: Row;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Rows of one moment share a statement.
 *
 * @returns writes a row; rejects with the error of its statement
 * @example const insert = groupCommit({ write: insertAll, key: ({ id }) => id, lanes: 2, most: 64, isFaultOfRow });
 */
export function groupCommit<Row, Result>(group: GroupCommit<Row, Result>): (row: Row) => Promise<Result> {
  let waiting: Waiting<Row, Result>[] = [];
  let underWay = 0;
  let isGathering = false;

  const writeTogether = async (together: readonly Waiting<Row, Result>[]): Promise<void> => {
    try {
      const resultOf = await group.write(together.map(({ row }) => row));
      for (const { row, resolve } of together) resolve(resultOf(row));
    } catch (error) {
      if (together.length > 1 && group.isFaultOfRow(error)) for (const each of together) await writeTogether([each]);
      else for (const { reject } of together) reject(error);
    }
  };
  const fillLanes = () => {
    while (waiting.length > 0 && underWay < group.lanes) {
      const { together, left } = share(waiting, group);
      waiting = left;
      underWay += 1;
      void writeTogether(together).finally(() => {
        underWay -= 1;
        fillLanes();
      });
    }
  };
  return (row) =>
    new Promise((resolve, reject) => {
      waiting.push({ row, resolve, reject });
      if (isGathering || underWay >= group.lanes) return;
      isGathering = true;
      setImmediate(() => {
        isGathering = false;
        fillLanes();
      });
    });
}

/** The rows of the next statement, in the order of their arrival, and the rows that wait for a later one. */
function share<Row, Result>(
  waiting: readonly Waiting<Row, Result>[],
  { key, most }: GroupCommit<Row, Result>,
): { readonly together: readonly Waiting<Row, Result>[]; readonly left: Waiting<Row, Result>[] } {
  if (waiting.length === 1) return { together: waiting, left: [] };
  const together = new Map<string, Waiting<Row, Result>>();
  const left: Waiting<Row, Result>[] = [];
  const met = new Set<string>();
  for (const each of waiting) {
    const its = key(each.row);
    if (together.size < most && !met.has(its)) together.set(its, each);
    else left.push(each);
    met.add(its);
  }
  return { together: [...together.values()], left };
}

/** Two ways to write rows of one kind. */
interface Ways<Row, Result> {
  /** Of two rows with one key the second goes with a later statement. */
  readonly key: (row: Row) => string;
  /**
   * Writes rows in one statement, which leaves out rows whose payment, session, run or callback is locked.
   *
   * @returns the results by key; of a row without one nothing was decided
   */
  readonly together: (rows: readonly Row[]) => Promise<ReadonlyMap<string, Result>>;
  /** Writes a row in every case, also if it waits. */
  readonly alone: (row: Row) => Promise<Result>;
}

/** Enough that a slow statement does not hold up every payment; with more lanes fewer rows share a statement. */
const LANES = 2;
const MOST_TOGETHER = 32;

/**
 * Rows of one moment share a statement. What cannot be written with others is written by itself, so that no row
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
    most: MOST_TOGETHER,
    isFaultOfRow: () => false,
  });
  return async (row) => {
    const written = await write(row);
    return written === undefined ? alone(row) : written.result;
  };
}
