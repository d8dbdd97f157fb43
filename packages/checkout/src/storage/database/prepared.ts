import { types, type Connection, type FieldDef, type Submittable } from 'pg';
import { DatabaseUnavailableError } from './failure.ts';
import { createHash } from 'node:crypto';

/** Statements that come only now and then are not worth a place in the memory of every connection. */
const OFTEN = 3;
/** Names that are given, which is how many statements each connection has prepared at most. */
const MOST_NAMES = 400;
/** Texts whose times are counted. A text with a list in it differs by the length of the list. */
const MOST_TEXTS = 4 * MOST_NAMES;

/** A statement that a server keeps prepared. */
export interface Prepared {
  readonly name: string;
  /** Of its rows, since it was answered. */
  columns?: Columns;
}

/**
 * The name tells its text, in every process and version: a pooler that leads a statement to another process's connection finds the same text under
 * it or none, and never carries out another one. PostgreSQL cuts names after 63 bytes.
 */
const nameOf = (text: string, renewals: number): string => {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return renewals === 0 ? `railyard_${digest}` : `railyard_${digest}_${renewals}`;
};

/** The names by which a server keeps statements prepared: to plan one costs the server as much as to carry it out. */
export interface PreparedNames {
  /** A statement, from the third time on that it comes. */
  of(text: string): Prepared | undefined;
  /** Its next name is another one, because under this one a server has it as it was. */
  forget(text: string): void;
}

export function preparedNames(): PreparedNames {
  const times = new Map<string, number>();
  const names = new Map<string, Prepared>();
  const renewals = new Map<string, number>();
  return {
    of(text) {
      const known = names.get(text);
      if (known !== undefined) return known;
      const count = (times.get(text) ?? 0) + 1;
      if (times.has(text) || times.size < MOST_TEXTS) times.set(text, count);
      if (count < OFTEN || names.size >= MOST_NAMES) return undefined;
      times.delete(text);
      const prepared = { name: nameOf(text, renewals.get(text) ?? 0) };
      names.set(text, prepared);
      return prepared;
    },
    forget(text) {
      if (names.delete(text)) renewals.set(text, (renewals.get(text) ?? 0) + 1);
    },
  };
}

/** The rows of a statement as objects. */
export interface RowShape {
  /** As the database names them. */
  readonly columns: readonly string[];
  /** @param values in the order of the columns */
  rowOf<R>(values: readonly unknown[]): R;
}

/**
 * Rows of the same columns are copies of one object. An object to which dozens of names are added one by one, as kysely's plugin does it, becomes a
 * table of hashes for JavaScript's engine: to make it takes twice as long, and to copy it five times.
 *
 * @param nameOf the name of a column in the object
 */
export function rowShape(columns: readonly string[], nameOf: (column: string) => string): RowShape {
  const names = columns.map(nameOf);
  const empty = JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))));
  return {
    columns,
    rowOf(values) {
      const row = { ...empty };
      names.forEach((name, at) => {
        row[name] = values[at];
      });
      return row;
    },
  };
}

export const hasColumns = ({ columns }: RowShape, fields: readonly { readonly name: string }[]): boolean =>
  columns.length === fields.length && fields.every(({ name }, at) => name === columns[at]);

const INT8 = 20;

/** int8 as the embedded database gives it: a number where it is exact. */
function readInt8(text: string): number | bigint {
  const value = BigInt(text);
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

/** Values come out of the server as they come out of the embedded database. */
export const serverTypes: { getTypeParser: typeof types.getTypeParser } = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? readInt8 : types.getTypeParser(oid, format),
};

/**
 * A value as a parameter of a statement. PostgreSQL reads text by the parameter's type, and bytes as they are.
 *
 * @throws TypeError for an object: its statement gives it as JSON text
 */
export function wireValue(value: unknown): string | Buffer | null {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'undefined':
      return null;
  }
  if (value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value)) return `{${value.map(element).join(',')}}`;
  throw new TypeError('A parameter of a statement is a text, a number, a boolean, a time, bytes, or a list of these.');
}

/** Within an array (PostgreSQL: Array Value Input). */
function element(value: unknown): string {
  if (Array.isArray(value)) return String(wireValue(value));
  const wire = wireValue(value);
  if (wire === null) return 'NULL';
  const text = typeof wire === 'string' ? wire : `\\x${wire.toString('hex')}`;
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`)}"`;
}

/** The columns of a statement's rows, and how their texts are read. */
export interface Columns {
  readonly shape: RowShape;
  readonly readers: readonly ((text: string) => unknown)[];
}

/**
 * The statements that one connection has prepared, by name. Without columns: it is not known whether the server has it. A prepared statement keeps
 * its columns: where they would be others now it fails ("cached plan must not change result type").
 */
export type OnConnection = Map<string, { readonly text: string; readonly columns?: Columns }>;

export interface StatementCall {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface StatementAnswer<R> {
  /** `SELECT`, `INSERT`. */
  readonly command: string;
  /** Rows that were read or changed; `undefined` where the command counts none. */
  readonly count: number | undefined;
  readonly rows: R[];
  readonly columns: Columns;
}

/** Of a statement that answers no rows. */
const NO_COLUMNS: Columns = { shape: rowShape([], (column) => column), readers: [] };

/** @param before the columns of an earlier answer: rows of the same names are copies of the same object */
function columnsOf(
  fields: readonly FieldDef[],
  nameOf: (column: string) => string,
  before: Columns | undefined,
): Columns {
  const isSame = before !== undefined && hasColumns(before.shape, fields);
  const names = fields.map(({ name }) => name);
  return {
    shape: isSame ? before.shape : rowShape(names, nameOf),
    readers: fields.map(({ dataTypeID }) => serverTypes.getTypeParser(dataTypeID, 'text')),
  };
}

/** The statement was carried out, and its rows are not those that it was prepared for: the connection leads to several servers. */
class ChangedColumnsError extends DatabaseUnavailableError {
  constructor() {
    super(
      'unknown',
      new Error('its columns are not those of the prepared statement; give the service a pool that keeps sessions'),
    );
  }
}

/**
 * A prepared statement, asked on one connection of `pg`, which takes any query that submits itself and has these handlers. The columns of its rows
 * are described when the connection prepares it, and then known: `pg`'s own query has them described each time, and reading seventy of them takes
 * as long as reading their values.
 */
export class PreparedQuery<R> implements Submittable {
  readonly answer: Promise<StatementAnswer<R>>;
  /** Ends the query; a client with a time limit puts its own before it. */
  callback: (error: unknown, answer?: StatementAnswer<R>) => void = () => undefined;
  readonly #name: string;
  readonly #text: string;
  readonly #values: (string | Buffer | null)[];
  readonly #known: OnConnection;
  readonly #describe: (fields: readonly FieldDef[]) => Columns;
  readonly #rows: R[] = [];
  #columns = NO_COLUMNS;
  #command = '';
  #count: number | undefined;
  #fault: { readonly error: unknown } | undefined;

  /**
   * @param before the columns of its answer on another connection
   * @throws TypeError for a value that is no parameter
   */
  constructor(
    { name, text, values }: StatementCall,
    known: OnConnection,
    nameOf: (column: string) => string,
    before: Columns | undefined,
  ) {
    this.#name = name;
    this.#text = text;
    this.#values = values.map(wireValue);
    this.#known = known;
    this.#describe = (fields) => columnsOf(fields, nameOf, before);
    this.answer = new Promise((resolve, reject) => {
      this.callback = (error, answer) => {
        if (answer === undefined || error !== undefined) reject(error);
        else resolve(answer);
      };
    });
  }

  /** @returns an error where nothing is sent; `pg` hands it to `handleError` */
  submit(connection: Connection): Error | undefined {
    const known = this.#known.get(this.#name);
    if (known !== undefined && known.text !== this.#text)
      return new Error(`Two statements have the name ${this.#name}.`);
    // All parts leave together, as in `pg`'s `Query.submit`.
    connection.stream.cork();
    try {
      if (known?.columns === undefined) this.#prepare(connection, known !== undefined);
      else this.#columns = known.columns;
      connection.bind({ portal: '', statement: this.#name, values: this.#values }, true);
      if (known?.columns === undefined) connection.describe({ type: 'P', name: '' }, true);
      connection.execute(null, true);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return undefined;
  }

  #prepare(connection: Connection, mayBeThere: boolean): void {
    // To close one that the server does not have is no error (PostgreSQL: Extended Query).
    if (mayBeThere) connection.close({ type: 'S', name: this.#name }, true);
    connection.parse({ name: this.#name, text: this.#text, types: [] }, true);
    this.#known.set(this.#name, { text: this.#text });
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#columns = this.#describe(fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { shape, readers } = this.#columns;
    try {
      if (fields.length !== readers.length) throw new ChangedColumnsError();
      this.#rows.push(shape.rowOf<R>(fields.map((text, at) => (text === null ? null : readers[at]?.(text)))));
    } catch (error) {
      // The connection goes on: the rest of the answer is still to come.
      this.#fault ??= { error };
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const words = text.split(' ');
    const [command = ''] = words;
    this.#command = command;
    const count = words.at(-1) ?? '';
    this.#count = /^\d+$/.test(count) ? Number(count) : undefined;
  }

  /** A text without a statement. */
  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    const { error } = this.#fault ?? {};
    // After a fault they are described once more.
    this.#known.set(this.#name, { text: this.#text, ...(this.#fault === undefined && { columns: this.#columns }) });
    this.callback(error, { command: this.#command, count: this.#count, rows: this.#rows, columns: this.#columns });
  }

  handleError(error: unknown): void {
    this.callback(error);
  }
}
