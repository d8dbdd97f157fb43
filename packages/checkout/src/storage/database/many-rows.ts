import { isRefused } from './failure.ts';
import { plainStatement, sql, toJsonText, type Db, type Piece, type PlainStatement } from './sql.ts';
import { CompiledQuery } from 'kysely';

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
