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
import { type Prepared, type PreparedNames, preparedNames } from './prepared-names.ts';
import { type StatementAnswer, type OnConnection, PreparedQuery } from './prepared-query.ts';
import { rowShape } from './row-shape.ts';
import { wireValue } from './wire-value.ts';

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

type Answer<R> = Omit<StatementAnswer<R>, 'columns'>;

/** By connection: the statements that it has prepared. */
const prepared = new WeakMap<PoolClient, OnConnection>();

function preparedOn(client: PoolClient): OnConnection {
  const known: OnConnection = prepared.get(client) ?? new Map();
  prepared.set(client, known);
  return known;
}

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
    const { command, count, rows } = await this.#again(() => this.#query<R>(sql, parameters));
    return CHANGES.has(command) ? { rows, numAffectedRows: BigInt(count ?? 0) } : { rows };
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

  async #query<R>(text: string, values: readonly unknown[]): Promise<Answer<R>> {
    const statement = this.#names.of(text);
    if (statement === undefined) return this.#ask(text, values);
    try {
      return await this.#askPrepared(statement, text, values);
    } catch (error) {
      if (!isOutdated(error)) throw error;
      this.#names.forget(text);
      return this.#ask(text, values);
    }
  }

  async #askPrepared<R>(statement: Prepared, text: string, values: readonly unknown[]): Promise<Answer<R>> {
    const asked = { name: statement.name, text, values };
    const query = new PreparedQuery<R>(asked, preparedOn(this.#client), this.#nameOf, statement.columns);
    const answer = await this.#client.query(query).answer;
    statement.columns = answer.columns;
    return answer;
  }

  /** Rows come as lists, and are made into objects once. */
  async #ask<R>(text: string, values: readonly unknown[]): Promise<Answer<R>> {
    const answer = await this.#client.query<unknown[]>({ text, values: values.map(wireValue), rowMode: 'array' });
    if (Array.isArray(answer))
      throw new Error('A query holds one statement; this one held several, which were carried out.');
    const { command, rowCount, fields } = answer;
    const names = fields.map(({ name }) => name);
    const shape = answer.rows.length === 0 ? undefined : rowShape(names, this.#nameOf);
    return {
      command,
      count: rowCount ?? undefined,
      rows: shape === undefined ? [] : answer.rows.map((row) => shape.rowOf<R>(row)),
    };
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
