import { Socket } from 'node:net';
import { type ClientConfig, Pool } from 'pg';
import { SilentServerError } from './database-failure.ts';
import type { JobsDatabase } from './embedded-jobs.ts';
import { serverTypes } from './server-types.ts';

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
