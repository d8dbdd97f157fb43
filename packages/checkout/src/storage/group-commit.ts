/** How rows share a statement. */
export interface GroupCommit<Row, Result> {
  /** Writes rows in one statement. @returns the result of each row */
  readonly write: (rows: readonly Row[]) => Promise<(row: Row) => Result>;
  /** Of two rows with one key the second goes with a later statement, perhaps beside the first: one statement cannot write a row twice. */
  readonly key: (row: Row) => string;
  /** Rows of one statement are alike; unless given, all are. */
  readonly likeness?: (row: Row) => string;
  /** Statements under way at once. */
  readonly lanes: number;
  /**
   * While a statement is under way, the next one begins when so many rows wait, or when the first of them has waited so long: fewer statements
   * cost less, and one that hangs holds up others for moments. Where rows come more often than every `ms` and most find a statement under way,
   * the next one waits where none is, too: until so long after the last one began. Unless given, it begins at once.
   */
  readonly patience?: { readonly rows: number; readonly ms: number };
  /** Rows of one statement at most. */
  readonly most: number;
  /** Whether the statement failed by what one of its rows holds. It changed nothing, so each row is then written by itself. */
  readonly isFaultOfRow: (error: unknown) => boolean;
  /** Milliseconds that never go back; the system's monotonic clock unless given; for tests. */
  readonly now?: () => number;
}

interface Waiting<Row, Result> {
  readonly row: Row;
  /** When it came. */
  readonly at: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Rows that arrive while statements are under way share the next one: a commit, a round trip and a plan are paid once for many. Each row is
 * answered after the commit of its own statement, so a result means what it means without the group. Where rows seldom meet, none waits.
 *
 * @returns writes a row; rejects with the error of its statement
 * @example const insert = groupCommit({ write: insertAll, key: ({ id }) => id, lanes: 2, most: 64, isFaultOfRow });
 */
export function groupCommit<Row, Result>(group: GroupCommit<Row, Result>): (row: Row) => Promise<Result> {
  let waiting: Waiting<Row, Result>[] = [];
  let underWay = 0;
  let isAwaited = false;

  const writeTogether = async (together: readonly Waiting<Row, Result>[]): Promise<void> => {
    try {
      const resultOf = await group.write(together.map(({ row }) => row));
      for (const { row, resolve } of together) resolve(resultOf(row));
    } catch (error) {
      if (together.length > 1 && group.isFaultOfRow(error)) for (const each of together) await writeTogether([each]);
      else for (const { reject } of together) reject(error);
    }
  };
  const { rows = 1, ms = 0 } = group.patience ?? {};
  let soon: NodeJS.Timeout | undefined;
  const now = group.now ?? (() => performance.now());
  const pace = paceOf(ms);
  /** How long until the row that came first need not wait for others any more. */
  const dueInMs = (first: Waiting<Row, Result>) => {
    const at = now();
    return Math.min(first.at + ms - at, underWay === 0 ? pace.waitMs(at) : Infinity);
  };
  const mayBegin = () => {
    const [first] = waiting;
    return first !== undefined && underWay < group.lanes && (waiting.length >= rows || dueInMs(first) <= 0);
  };
  const pump = () => {
    isAwaited = false;
    while (mayBegin()) {
      const { together, left } = share(waiting, group);
      waiting = left;
      underWay += 1;
      pace.began(now());
      void writeTogether(together).finally(() => {
        underWay -= 1;
        pump();
      });
    }
    pumpWhenDue();
  };
  const pumpWhenDue = () => {
    clearTimeout(soon);
    soon = undefined;
    const [first] = waiting;
    // The end of a statement pumps where all lanes are taken.
    if (first !== undefined && underWay < group.lanes) soon = setTimeout(pump, Math.max(0, Math.ceil(dueInMs(first))));
  };
  return (row) =>
    new Promise((resolve, reject) => {
      const at = now();
      waiting.push({ row, at, resolve, reject });
      pace.came(at, underWay > 0);
      if (isAwaited) return;
      // When the next statement is due depends on the first row that waits, so the others set no timer.
      if (!mayBegin()) return waiting.length === 1 ? pumpWhenDue() : undefined;
      // Requests that were read in the same turn of the event loop go together.
      isAwaited = true;
      setImmediate(pump);
    });
}

/** How many rows the averages cover. */
const COUNTED = 32;
/**
 * Rows begin to wait when `many` of them, as a share, find a statement under way. They stop when fewer than `few` do, a lower share because
 * there are fewer statements to be found while rows wait. So it ends for a few callers of whom each sends a row when the last one is answered:
 * their rows come together, and none finds a statement.
 */
const FINDING = { many: 0.6, few: 0.2 };

/** Says when to wait for more rows: where they come more often than every `ms` and find statements under way, until so long after the last one began. */
function paceOf(ms: number) {
  let between = COUNTED * ms;
  let finding = 0;
  let isWaitedFor = false;
  let last = -Infinity;
  let begun = -Infinity;
  return {
    /** @param finds whether a statement is under way */
    came(at: number, finds: boolean): void {
      // One that comes after a long while counts like a few times `ms`, so that it is soon forgotten.
      between += (Math.min(at - last, COUNTED * ms) - between) / COUNTED;
      finding += (Number(finds) - finding) / COUNTED;
      isWaitedFor = between < ms && finding >= (isWaitedFor ? FINDING.few : FINDING.many);
      last = at;
    },
    began(at: number): void {
      begun = at;
    },
    waitMs: (at: number): number => (isWaitedFor ? begun + ms - at : 0),
  };
}

/** The rows of the next statement, in the order in which they came, and those that wait for a later one. */
function share<Row, Result>(
  waiting: readonly Waiting<Row, Result>[],
  { key, likeness = () => '', most }: GroupCommit<Row, Result>,
): { readonly together: readonly Waiting<Row, Result>[]; readonly left: Waiting<Row, Result>[] } {
  if (waiting.length === 1) return { together: waiting, left: [] };
  const together = new Map<string, Waiting<Row, Result>>();
  const left: Waiting<Row, Result>[] = [];
  const met = new Set<string>();
  const [first] = waiting;
  const kind = first && kindOf(first.row, likeness);
  for (const each of waiting) {
    const its = key(each.row);
    if (together.size < most && !met.has(its) && kindOf(each.row, likeness) === kind) together.set(its, each);
    else left.push(each);
    met.add(its);
  }
  return { together: [...together.values()], left };
}

/** A row that cannot be compared goes with its like, and its statement says why. */
function kindOf<Row>(row: Row, likeness: (row: Row) => string): string | undefined {
  try {
    return likeness(row);
  } catch {
    return undefined;
  }
}
