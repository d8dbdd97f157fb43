import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { DatabaseUnavailableError, failureOf, isOutdated, isUndoneForAnother } from './database-failure.ts';
import { type PreparedNames, preparedNames } from './prepared-names.ts';

/**
 * kysely's dialect for a server over a pool: its statements are prepared where they come often, and a failure says when the server is
 * what failed.
 */
export class ServerDialect extends PostgresDialect {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): Driver {
    return new ServerDriver(this.#pool);
  }
}

class ServerDriver implements Driver {
  readonly #pool: Pool;
  readonly #names = preparedNames();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<ServerConnection> {
    try {
      return new ServerConnection(await this.#pool.connect(), this.#names);
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

class ServerConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #names: PreparedNames;
  #isSpoiled = false;
  #isInTransaction = false;

  constructor(client: PoolClient, names: PreparedNames) {
    this.#client = client;
    this.#names = names;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.#again(() => this.#query(sql, [...parameters]));
    return CHANGES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
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
    const name = this.#names.of(text);
    if (name === undefined) return this.#client.query(text, values);
    try {
      return await this.#client.query({ name, text, values });
    } catch (error) {
      if (!isOutdated(error)) throw error;
      this.#names.forget(text);
      return this.#client.query(text, values);
    }
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
