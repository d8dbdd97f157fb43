import { randomUUID } from 'node:crypto';
import {
  CamelCasePlugin,
  PostgresDialect,
  sql,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { Client, Pool, type ClientConfig, type PoolClient } from 'pg';
import type { Db } from './sql.ts';
import { Socket } from 'node:net';
import { DatabaseUnavailableError, SilentServerError, failureOf, isOutdated, isUndoneForAnother } from './failure.ts';
import type { JobsDatabase } from './embedded.ts';
import {
  PreparedQuery,
  preparedNames,
  rowShape,
  serverTypes,
  wireValue,
  type OnConnection,
  type Prepared,
  type PreparedNames,
  type StatementAnswer,
} from './prepared.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** Columns as the schema names them: `merchantKey` for `merchant_key`. */
export class ColumnNames extends CamelCasePlugin {
  constructor() {
    super({ maintainNestedObjectKeys: true });
  }

  /** The name in the schema of a column of the database. */
  of(column: string): string {
    return this.camelCase(column);
  }
}

/** For a driver that gives its rows these names by itself: only what is asked is translated. */
export class AskedNames extends ColumnNames {
  override async transformResult({ result }: Parameters<CamelCasePlugin['transformResult']>[0]) {
    return result;
  }
}

/** A PostgreSQL server. */
export interface ServerAddress {
  /** `postgres://user:password@host:port/database`. A secret: no error and no log line repeats it. */
  readonly url: string;
  /** Connections that this process opens at most. */
  readonly poolSize?: number;
  /** Called with the reason when a connection breaks that nothing is waiting on. The next query opens another one. */
  readonly onLost?: (why: string) => void;
  /** For tests. */
  readonly limits?: Partial<WaitLimits>;
}

const POOL_SIZE = 32;
/** Each queue asks for its next job now and then. */
const JOBS_POOL_SIZE = 4;

/** How long is waited at most. */
export interface WaitLimits {
  /** For a free connection, or for a new one. */
  readonly connectMs: number;
  /** The server ends a statement that takes longer; every statement of the service is short. */
  readonly statementMs: number;
  /** Longer than a statement may take. A server that says nothing for so long is gone, and so is its connection. */
  readonly silenceMs: number;
}

const WAIT_LIMITS: WaitLimits = { connectMs: 5000, statementMs: 10_000, silenceMs: 15_000 };

const APPLICATION = 'railyard-checkout';

function socketThatGivesUp(silenceMs: number): Socket {
  const socket = new Socket();
  return socket.setTimeout(silenceMs, () => socket.destroy(new SilentServerError()));
}

/** Connections for the service's statements. A broken one never ends the process. */
export function statementPool({ url, poolSize = POOL_SIZE, onLost = () => undefined, limits }: ServerAddress): Pool {
  const { connectMs, statementMs, silenceMs } = { ...WAIT_LIMITS, ...limits };
  const pool = new Pool({
    connectionString: url,
    application_name: APPLICATION,
    max: poolSize,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    stream: () => socketThatGivesUp(silenceMs),
    types: serverTypes,
  });
  // Only its message goes on: the error carries the client, and that the password.
  pool.on('error', ({ message }) => onLost(message));
  // The pool listens only to idle connections; one in use that breaks between two queries would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** One connection for migrations, which take as long as they take: they wait for those of another process, too. */
export function migrationPool({ url, limits }: ServerAddress): Pool {
  const { connectMs } = { ...WAIT_LIMITS, ...limits };
  const pool = new Pool({
    connectionString: url,
    application_name: APPLICATION,
    max: 1,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** A connection that asks a question before the service starts. It names no `statement_timeout`, which a pooler may refuse. */
export function probeConfig(address: ServerAddress): ClientConfig {
  const { silenceMs } = { ...WAIT_LIMITS, ...address.limits };
  return { ...listenerConfig(address), query_timeout: silenceMs };
}

/** One connection that listens. */
export function listenerConfig({ url, limits }: ServerAddress): ClientConfig {
  const { connectMs, silenceMs } = { ...WAIT_LIMITS, ...limits };
  return {
    connectionString: url,
    application_name: APPLICATION,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    stream: () => socketThatGivesUp(silenceMs),
  };
}

/** The job library's own connections: a few for its jobs, and one that is notified of new ones. */
export function serverJobs({ url, limits }: ServerAddress): JobsDatabase {
  const { silenceMs } = { ...WAIT_LIMITS, ...limits };
  return {
    connectionString: url,
    application_name: APPLICATION,
    max: JOBS_POOL_SIZE,
    keepAlive: true,
    stream: () => socketThatGivesUp(silenceMs),
  };
}

/** Notifies the other processes on a server that a payment changed. Only a hint, to look at once instead of in a while. */
export interface ChangeBus {
  publish(paymentId: string): void;
  stop(): Promise<void>;
}

export interface ChangeListener {
  /** Another process changed this payment. */
  readonly onChange: (paymentId: string) => void;
  /** Something may have been missed. */
  readonly onGap: () => void;
}

const CHANNEL = 'railyard_changes';
/** A message may have 8000 bytes; an id has 36. */
const IDS_PER_MESSAGE = 200;
const RECONNECT_MS = 1000;
/** More often than a silent connection is given up. */
const HEARTBEAT_MS = 7000;
/** A process that was not heard for so long is gone. */
const GONE_MS = 3 * HEARTBEAT_MS;
/** Added by a process to its sign of life when it begins to listen: the others answer with theirs. */
const HELLO = 'hello';
/** The others answer a process that begins to listen well within this. */
const ANSWER_MS = 1000;

/**
 * Notifies processes by LISTEN and NOTIFY. Changes are sent in a statement of their own, many at once: NOTIFY inside the
 * transaction of each change would let only one of them commit at a time. They are sent only where another process listens: each gives
 * signs of life, and one that begins to listen, anew too, is answered at once.
 */
export function serverChangeBus(db: Db, address: ServerAddress, listener: ChangeListener): ChangeBus {
  const me = randomUUID();
  const listening = listen(address, me, listener);
  const waiting = new Set<string>();
  let sending: Promise<void> | undefined;
  const send = async () => {
    if (!listening.hasOthers()) waiting.clear();
    while (waiting.size > 0) {
      const ids = [...waiting].slice(0, IDS_PER_MESSAGE);
      for (const id of ids) waiting.delete(id);
      // Every waiting request looks again in any case.
      await sql`SELECT pg_notify(${CHANNEL}, ${[me, ...ids].join(' ')})`.execute(db).catch(() => undefined);
    }
    sending = undefined;
  };
  return {
    publish(paymentId) {
      waiting.add(paymentId);
      sending ??= send();
    },
    async stop() {
      waiting.clear();
      await Promise.all([sending, listening.stop()]);
    },
  };
}

/** Keeps one connection that listens; one that breaks is replaced. */
function listen(address: ServerAddress, me: string, { onChange, onGap }: ChangeListener) {
  let stopped = false;
  let client: Client | undefined;
  let reconnecting: NodeJS.Timeout | undefined;
  let connecting: Promise<void> = Promise.resolve();
  const others = otherProcesses();
  const connect = async () => {
    const opened = new Client(listenerConfig(address));
    client = opened;
    const say = (words: string) =>
      void opened.query('SELECT pg_notify($1, $2)', [CHANNEL, words]).catch(() => undefined);
    const heartbeat = setInterval(() => say(me), HEARTBEAT_MS);
    opened.on('error', () => undefined);
    opened.on('notification', ({ payload = '' }) => {
      const [from = '', ...ids] = payload.split(' ');
      if (from === me) return;
      others.heard(from);
      if (ids[0] === HELLO) say(me);
      else for (const id of ids) onChange(id);
    });
    opened.once('end', () => {
      clearInterval(heartbeat);
      others.disconnected();
      if (!stopped) reconnecting = setTimeout(start, RECONNECT_MS);
    });
    await opened.connect();
    await opened.query(`LISTEN ${CHANNEL}`);
    say(`${me} ${HELLO}`);
    others.connected();
    onGap();
  };
  const start = () => {
    connecting = connect().catch(() => client?.end().catch(() => undefined));
  };
  start();
  return {
    hasOthers: others.areThere,
    async stop() {
      stopped = true;
      clearTimeout(reconnecting);
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };
}

/** The other processes that listen, as far as this one knows: while it cannot hear them they may be there. */
function otherProcesses() {
  const lastHeard = new Map<string, number>();
  let alsoUntil = Infinity;
  return {
    heard: (id: string) => void lastHeard.set(id, performance.now()),
    connected: () => (alsoUntil = performance.now() + ANSWER_MS),
    disconnected: () => (alsoUntil = Infinity),
    areThere(): boolean {
      const now = performance.now();
      for (const [id, at] of lastHeard) if (now - at > GONE_MS) lastHeard.delete(id);
      return lastHeard.size > 0 || now < alsoUntil;
    },
  };
}

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
