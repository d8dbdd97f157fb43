import { createHash, randomUUID } from 'node:crypto';
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
import { Client, Pool, types, type ClientConfig, type PoolClient, type QueryConfig } from 'pg';
import type { Db } from './sql.ts';
import { Socket } from 'node:net';
import { DatabaseUnavailableError, SilentServerError, failureOf, isOutdated, isUndoneForAnother } from './failure.ts';
import type { JobsDatabase } from './embedded.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** Columns as the schema names them: `merchantKey` for `merchant_key`. */
export class ColumnNames extends CamelCasePlugin {
  constructor() {
    super({ maintainNestedObjectKeys: true });
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

/** int8 as the embedded database gives it: a number where it is exact. */
function readInt8(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

/** Values come out of the server as they come out of the embedded database. */
const getTypeParser: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === types.builtins.INT8 && format !== 'binary' ? readInt8 : types.getTypeParser(oid, format);

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
    types: { getTypeParser },
  });
  // Only its message goes on: the error carries the client, and that the password.
  pool.on('error', ({ message }) => onLost(message));
  // The pool listens only to idle connections; one in use that breaks between two queries would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** One connection for migrations, without a time limit: they also wait for another process's migrations. */
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

/** The job library's own connections: a few for its jobs, and one that listens for new jobs. */
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
  /** Sends a message to the other processes; `false` where none listens. */
  say(message: string): boolean;
  stop(): Promise<void>;
}

export interface ChangeListener {
  /** Another process changed this payment. */
  readonly onChange: (paymentId: string) => void;
  /** Something may have been missed. */
  readonly onGap: () => void;
  /** Another process sent a message. */
  readonly onSaid?: (message: string) => void;
}

const CHANNEL = 'railyard_changes';
/** Of messages, each with its sender before it. */
const MESSAGES = 'railyard_messages';
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
    say(message) {
      if (!listening.hasOthers()) return false;
      void sql`SELECT pg_notify(${MESSAGES}, ${`${me} ${message}`})`.execute(db).catch(() => undefined);
      return true;
    },
    async stop() {
      waiting.clear();
      await Promise.all([sending, listening.stop()]);
    },
  };
}

/** Keeps one connection that listens, and replaces it when it breaks. */
function listen(address: ServerAddress, me: string, { onChange, onGap, onSaid }: ChangeListener) {
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
    opened.on('notification', ({ channel, payload = '' }) => {
      const [from = '', ...ids] = payload.split(' ');
      if (from === me) return;
      others.heard(from);
      if (channel === MESSAGES) onSaid?.(payload.slice(from.length + 1));
      else if (ids[0] === HELLO) say(me);
      else for (const id of ids) onChange(id);
    });
    opened.once('end', () => {
      clearInterval(heartbeat);
      others.disconnected();
      if (!stopped) reconnecting = setTimeout(start, RECONNECT_MS);
    });
    await opened.connect();
    await opened.query(`LISTEN ${CHANNEL}`);
    await opened.query(`LISTEN ${MESSAGES}`);
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

/** kysely's dialect for a server over a pool: it prepares statements that come often, and its errors say when the server is what failed. */
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

/** Statements that come only now and then are not worth a place in the memory of every connection. */
const OFTEN = 3;
/** Names that are given, which is how many statements each connection has prepared at most. */
const MOST_NAMES = 400;
/** Texts whose times are counted. A text with a list in it differs by the length of the list. */
const MOST_TEXTS = 4 * MOST_NAMES;

/**
 * The names by which a server keeps statements prepared: to plan one costs the server as much as to carry it out. A name is the digest of its
 * text: a pooler that leads a statement to another process's connection finds the same text under it or none, and never carries out another one.
 * PostgreSQL cuts names after 63 bytes.
 */
class StatementNames {
  readonly #times = new Map<string, number>();
  readonly #names = new Map<string, string>();
  readonly #renewals = new Map<string, number>();

  /** The name of a statement, from the third time on that it comes. */
  of(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const times = (this.#times.get(text) ?? 0) + 1;
    if (this.#times.has(text) || this.#times.size < MOST_TEXTS) this.#times.set(text, times);
    if (times < OFTEN || this.#names.size >= MOST_NAMES) return undefined;
    this.#times.delete(text);
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
    const renewals = this.#renewals.get(text);
    const name = `railyard_${digest}${renewals === undefined ? '' : `_${renewals}`}`;
    this.#names.set(text, name);
    return name;
  }

  /** The statement's next name is another one: under this one the server keeps columns that its table no longer has. */
  renew(text: string): void {
    if (this.#names.delete(text)) this.#renewals.set(text, (this.#renewals.get(text) ?? 0) + 1);
  }
}

/**
 * A value as `pg` takes it. A time is written in UTC: `pg` writes it in the local zone, whose offset it cuts to minutes.
 *
 * @throws TypeError for an object, which `pg` would write as JSON: a statement of ours gives JSON as a text
 */
function parameterOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(parameterOf);
  throw new TypeError('A parameter of a statement is a text, a number, a boolean, a time, bytes, or a list of these.');
}

class ServerDriver implements Driver {
  readonly #pool: Pool;
  readonly #names = new StatementNames();

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

interface Answer<R> {
  /** `SELECT`, `INSERT`. */
  readonly command: string;
  /** Rows that were read or changed; `null` where the command counts none. */
  readonly rowCount: number | null;
  readonly rows: R[];
}

/** `pg`'s client; an answer has rows of the statement's type. */
interface Connection extends Pick<PoolClient, 'release'> {
  query<R>(query: QueryConfig): Promise<Answer<R>>;
}

class ServerConnection implements DatabaseConnection {
  readonly #client: Connection;
  readonly #names: StatementNames;
  #isSpoiled = false;
  #isInTransaction = false;

  constructor(client: Connection, names: StatementNames) {
    this.#client = client;
    this.#names = names;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const values = parameters.map(parameterOf);
    const { command, rowCount, rows } = await this.#again(() => this.#query<R>(sql, values));
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

  /** By the extended protocol, in which a server refuses a text that holds several statements. */
  async #query<R>(text: string, values: unknown[]): Promise<Answer<R>> {
    const name = this.#names.of(text);
    const query = { text, values, queryMode: 'extended' } as const;
    if (name === undefined) return this.#client.query(query);
    try {
      return await this.#client.query({ ...query, name });
    } catch (error) {
      if (!isOutdated(error)) throw error;
      this.#names.renew(text);
      return this.#client.query(query);
    }
  }

  async begin(text: string): Promise<void> {
    await this.#command(text);
    this.#isInTransaction = true;
  }

  /** @returns the server's command tag */
  end(text: 'commit' | 'rollback'): Promise<string> {
    this.#isInTransaction = false;
    return this.#command(text);
  }

  async #command(text: string): Promise<string> {
    const { command } = await this.#client.query({ text }).catch((error: unknown) => {
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
