import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { Pool, PoolClient, QueryArrayResult } from 'pg';
import { DatabaseUnavailableError, failureOf, isOutdated, isUndoneForAnother } from './database-failure.ts';
import { type Prepared, type PreparedNames, preparedNames } from './prepared-names.ts';
import { hasColumns, rowShape, type RowShape } from './row-shape.ts';

/** The name of a column in the rows that a driver gives. */
type NameOf = (column: string) => string;

/**
 * kysely's dialect for a server over a pool: its statements are prepared where they come often, a failure says when the server is what failed, and
 * its rows have the names that it is given for their columns.
 */
export class ServerDialect extends PostgresDialect {
  readonly #pool: Pool;
  readonly #nameOf: NameOf;

  constructor(pool: Pool, nameOf: NameOf) {
    super({ pool });
    this.#pool = pool;
    this.#nameOf = nameOf;
  }

  override createDriver(): Driver {
    return new ServerDriver(this.#pool, this.#nameOf);
  }
}

class ServerDriver implements Driver {
  readonly #pool: Pool;
  readonly #nameOf: NameOf;
  readonly #names = preparedNames();

  constructor(pool: Pool, nameOf: NameOf) {
    this.#pool = pool;
    this.#nameOf = nameOf;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<ServerConnection> {
    try {
      return new ServerConnection(await this.#pool.connect(), this.#names, this.#nameOf);
    } catch (error) {
      // Without a connection nothing was asked, whatever the reason.
      throw new DatabaseUnavailableError('none', error);
    }
  }

  async beginTransaction(connection: ServerConnection, { isolationLevel }: TransactionSettings): Promise<void> {
    await connection.begin(
      isolationLevel === undefined ? 'begin' : `start transaction isolation level ${isolationLevel}`,
    );
  }

  async commitTransaction(connection: ServerConnection): Promise<void> {
    // PostgreSQL answers COMMIT with ROLLBACK where a statement of the transaction has failed.
    if ((await connection.end('commit')) === 'ROLLBACK')
      throw new Error('The transaction was rolled back: one of its statements had failed.');
  }

  async rollbackTransaction(connection: ServerConnection): Promise<void> {
    await connection.end('rollback').catch((error: unknown) => {
      connection.spoil();
      throw error;
    });
  }

  async releaseConnection(connection: ServerConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

type Answer = QueryArrayResult<unknown[]>;

class ServerConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #names: PreparedNames;
  readonly #nameOf: NameOf;
  #isSpoiled = false;
  #isInTransaction = false;

  constructor(client: PoolClient, names: PreparedNames, nameOf: NameOf) {
    this.#client = client;
    this.#names = names;
    this.#nameOf = nameOf;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { answer, prepared } = await this.#again(() => this.#query(sql, [...parameters]));
    const { command, rowCount } = answer;
    const rows = answer.rows.length === 0 ? [] : this.#rowsOf<R>(answer, prepared);
    return CHANGES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
  }

  #rowsOf<R>({ fields, rows }: Answer, prepared: Prepared | undefined): R[] {
    const known = prepared?.shape;
    const shape: RowShape =
      known !== undefined && hasColumns(known, fields)
        ? known
        : rowShape(
            fields.map(({ name }) => name),
            this.#nameOf,
          );
    if (prepared !== undefined) prepared.shape = shape;
    return rows.map((values) => shape.rowOf<R>(values));
  }

  /** A statement that was undone for another one did nothing, so it is asked again; within a transaction all of that is undone. */
  async #again<R>(ask: () => Promise<R>): Promise<R> {
    for (let repeats = 0; ; repeats += 1)
      try {
        return await ask();
      } catch (error) {
        const failure = failureOf(error);
        const most = AGAIN_WITHIN_MS[repeats];
        if (most === undefined || this.#isInTransaction || !isUndoneForAnother(failure)) throw failure;
        if (most > 0) await sleep(Math.random() * most);
      }
  }

  async #query(text: string, values: unknown[]) {
    const prepared = this.#names.of(text);
    if (prepared === undefined) return { answer: await this.#ask(text, values), prepared };
    try {
      return { answer: await this.#ask(text, values, prepared.name), prepared };
    } catch (error) {
      if (!isOutdated(error)) throw error;
      this.#names.forget(text);
      return { answer: await this.#ask(text, values), prepared: undefined };
    }
  }

  /** Rows come as lists, and are made into objects once. */
  async #ask(text: string, values: unknown[], name?: string): Promise<Answer> {
    const how = { text, values, rowMode: 'array', ...(name !== undefined && { name }) } as const;
    const answer = await this.#client.query<unknown[]>(how);
    if (Array.isArray(answer))
      throw new Error('A query holds one statement; this one held several, which were carried out.');
    return answer;
  }

  async begin(text: string): Promise<void> {
    await this.#command(text);
    this.#isInTransaction = true;
  }

  /** @returns what the server says that it has done */
  end(text: 'commit' | 'rollback'): Promise<string> {
    this.#isInTransaction = false;
    return this.#command(text);
  }

  async #command(text: string): Promise<string> {
    const { command } = await this.#client.query(text).catch((error: unknown) => {
      throw failureOf(error);
    });
    return command;
  }

  streamQuery(): AsyncGenerator<never> {
    throw new Error('Statements are not streamed.');
  }

  /** It is not used again. */
  spoil(): void {
    this.#isSpoiled = true;
  }

  release(): void {
    this.#client.release(this.#isSpoiled);
  }
}

/**
 * How late each repeat of a statement comes that was undone for another one, at most: first at once; then those that all change the
 * same row, such as the steps of many refunds of one payment, come apart. What stands in the way of the last one is no chance.
 */
const AGAIN_WITHIN_MS = [0, 0, 0, 8, 16, 32, 64, 128, 250, 250, 250, 250] as const;

const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
