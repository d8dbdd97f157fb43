import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { PoolClient, QueryConfig } from 'pg';
import { DatabaseUnavailableError, failureOf, isOutdated, isUndoneForAnother } from './database-failure.ts';
import { type PreparedNames, preparedNames } from './prepared-names.ts';
import type { StatementConnections } from './server-pool.ts';

/**
 * kysely's dialect for a server: its statements are prepared where they come often, and a failure says when the server is what failed. A
 * statement outside a transaction shares a connection with others.
 */
export class ServerDialect extends PostgresDialect {
  readonly #connections: StatementConnections;

  constructor(connections: StatementConnections) {
    super({ pool: connections.pool });
    this.#connections = connections;
  }

  override createDriver(): Driver {
    return new ServerDriver(this.#connections);
  }
}

class ServerDriver implements Driver {
  readonly #connections: StatementConnections;
  readonly #names = preparedNames();

  constructor(connections: StatementConnections) {
    this.#connections = connections;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<ServerConnection> {
    return new ServerConnection(this.#connections, this.#names);
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
    await Promise.all([this.#connections.shared?.close(), this.#connections.pool.end()]);
  }
}

/** A connection of the pool, taken for a transaction or where none is shared; without it statements share one. */
class ServerConnection implements DatabaseConnection {
  readonly #connections: StatementConnections;
  readonly #names: PreparedNames;
  #own: PoolClient | undefined;
  #isSpoiled = false;
  #isInTransaction = false;

  constructor(connections: StatementConnections, names: PreparedNames) {
    this.#connections = connections;
    this.#names = names;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { command, rowCount, rows } = await this.#again(() => this.#query(sql, [...parameters]));
    return CHANGES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
  }

  /** A statement that was undone for another one did nothing, so it is asked again; within a transaction all of that is undone. */
  async #again<R>(ask: () => Promise<R>): Promise<R> {
    for (let left = UNDONE_AGAIN; ; left -= 1)
      try {
        return await ask();
      } catch (error) {
        const failure = failureOf(error);
        if (left === 0 || this.#isInTransaction || !isUndoneForAnother(failure)) throw failure;
      }
  }

  async #query(text: string, values: unknown[]) {
    const name = this.#names.of(text);
    if (name === undefined) return this.#send({ text, values });
    try {
      return await this.#send({ name, text, values });
    } catch (error) {
      if (!isOutdated(error)) throw error;
      this.#names.forget(text);
      return this.#send({ text, values });
    }
  }

  async #send(statement: QueryConfig) {
    const { shared } = this.#connections;
    if (shared === undefined || this.#isInTransaction) return (await this.#hold()).query(statement);
    return shared.query(statement);
  }

  async #hold(): Promise<PoolClient> {
    try {
      return (this.#own ??= await this.#connections.pool.connect());
    } catch (error) {
      // Without a connection nothing was asked, whatever the reason.
      throw new DatabaseUnavailableError('none', error);
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
    const own = await this.#hold();
    const { command } = await own.query(text).catch((error: unknown) => {
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
    this.#own?.release(this.#isSpoiled);
  }
}

/** So often; what then still stands in the way is no chance. */
const UNDONE_AGAIN = 3;

const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
