import type { Connection, FieldDef, Submittable } from 'pg';
import { DatabaseUnavailableError } from './database-failure.ts';
import { hasColumns, type RowShape, rowShape } from './row-shape.ts';
import { serverTypes } from './server-types.ts';
import { wireValue } from './wire-value.ts';

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
