import { randomUUID } from 'node:crypto';
import type { Profile } from '@railyard/core';
import { kyTransport, memoryCredentials, type Transport } from '@railyard/runtime';
import { type CheckoutConfig, type ParsedConfig, parseConfig } from './config/config.ts';
import { createDirectory, type Directory } from './config/directory.ts';
import { pageKey, pageTokens } from './config/page-token.ts';
import { createApp } from './http/app.ts';
import { createChanges } from './http/changes.ts';
import { serve } from './http/serve.ts';
import { createLog, type Log } from './log.ts';
import type { ServiceContext } from './service-context.ts';
import {
  callbacksStore,
  clockFrom,
  type Database,
  databaseClock,
  type Db,
  notificationsStore,
  openDatabase,
  paymentsStore,
  releaseHolds,
  runsStore,
  sessionsStore,
  type SqlClock,
} from './storage/index.ts';
import { startWorkers } from './work/workers.ts';
import { createWorks } from './work/works.ts';

/** A running checkout. */
export interface Checkout {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** What a merchant validates requests with, to hear exactly what this service would say; public, without secrets. */
  profile(merchantKey: string): Profile | undefined;
  /** Takes no new requests, lets those under way finish, and closes the database. */
  stop(): Promise<void>;
}

export interface CheckoutOptions {
  /** Where the log goes; standard output unless given. */
  readonly log?: Log;
  /** How requests leave; HTTP unless given. */
  readonly transport?: Transport;
  /** Milliseconds since 1970. The system's clock, and for time windows the database's, unless given; for tests. */
  readonly clock?: () => number;
}

/**
 * Starts the hosted checkout: HTTP API, hosted page, notifications, callbacks and background work.
 *
 * @throws ConfigError for a configuration that cannot be run; DirectoryInUseError when another process uses the data directory.
 * @example const checkout = await startCheckout({ publicUrl: 'http://127.0.0.1:8080', connectors: [pixInstant], mids: [...], merchants: [...] });
 */
export async function startCheckout(given: CheckoutConfig, options: CheckoutOptions = {}): Promise<Checkout> {
  const config = parseConfig(given);
  const directory = createDirectory(config);
  const database = await openDatabase(config.dataDir === 'memory' ? 'memory' : { dataDir: config.dataDir });
  try {
    return await startOn(database, config, directory, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function startOn(
  database: Database,
  config: ParsedConfig,
  directory: Directory,
  options: CheckoutOptions,
): Promise<Checkout> {
  const { db } = database;
  const log = options.log ?? createLog();
  const now = options.clock ?? Date.now;
  const sqlClock = options.clock === undefined ? databaseClock : clockFrom(() => new Date(now()));
  const stopping = new AbortController();
  const http = kyTransport();
  const changes = createChanges();
  const context: ServiceContext = {
    config,
    directory,
    db,
    sqlClock,
    now,
    newId: randomUUID,
    stores: storesOf(db, sqlClock),
    pageTokens: pageTokens(pageKey(config.dataDir)),
    transport: options.transport ?? http,
    credentials: memoryCredentials(now),
    log,
    logCall: (line) => log.info(line),
    owner: randomUUID(),
    stopping: stopping.signal,
    changed: (paymentId) => {
      changes.tell(paymentId);
      workers.poke('callbacks');
    },
  };
  // The embedded database belongs to one process, so whoever was at work on something is gone.
  await releaseHolds(db, sqlClock);
  const workers = startWorkers(context, createWorks());
  const stopWork = async () => {
    stopping.abort();
    await workers.stop();
    await http.close();
  };
  const serving = await serve(createApp(context, changes), config).catch(async (error: unknown) => {
    await stopWork();
    throw error;
  });
  const stop = async () => {
    stopping.abort();
    await serving.close();
    await stopWork();
    await database.close();
  };
  let stopped: Promise<void> | undefined;
  return {
    url: serving.url,
    profile: (merchantKey) => directory.find(merchantKey)?.merchant.profile,
    stop: () => (stopped ??= stop()),
  };
}

function storesOf(db: Db, sqlClock: SqlClock): ServiceContext['stores'] {
  return {
    sessions: sessionsStore(db, sqlClock),
    payments: paymentsStore(db, sqlClock),
    runs: runsStore(db, sqlClock),
    callbacks: callbacksStore(db, sqlClock),
    notifications: notificationsStore(db, sqlClock),
  };
}
