import { randomUUID } from 'node:crypto';
import { createAdaptorServer } from '@hono/node-server';
import { kyTransport, memoryCredentials, type Transport } from '@railyard/runtime';
import type { AddressInfo } from 'node:net';
import { type CheckoutConfig, parseConfig } from './config/config.ts';
import { createDirectory } from './config/directory.ts';
import { pageKey, pageTokens } from './config/page-token.ts';
import { createApp } from './http/app.ts';
import { createChanges } from './http/changes.ts';
import { createLog, type Log } from './log.ts';
import type { ServiceContext } from './service-context.ts';
import {
  callbacksStore,
  databaseClock,
  notificationsStore,
  openDatabase,
  paymentsStore,
  runsStore,
  sessionsStore,
} from './storage/index.ts';
import { startWorkers } from './work/workers.ts';
import { works } from './work/works.ts';

/** A running checkout. */
export interface Checkout {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Takes no new requests, lets those under way finish, and closes the database. */
  stop(): Promise<void>;
}

export interface CheckoutOptions {
  /** Where the log goes; standard output unless given. */
  readonly log?: Log;
  /** How requests leave; HTTP unless given. */
  readonly transport?: Transport;
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
  const log = options.log ?? createLog();
  const database = await openDatabase(config.dataDir === 'memory' ? 'memory' : { dataDir: config.dataDir });
  const stopping = new AbortController();
  const http = kyTransport();
  const changes = createChanges();
  const { db } = database;
  const context: ServiceContext = {
    config,
    directory,
    db,
    sqlClock: databaseClock,
    now: Date.now,
    newId: randomUUID,
    stores: {
      sessions: sessionsStore(db, databaseClock),
      payments: paymentsStore(db, databaseClock),
      runs: runsStore(db, databaseClock),
      callbacks: callbacksStore(db, databaseClock),
      notifications: notificationsStore(db, databaseClock),
    },
    pageTokens: pageTokens(pageKey(config.dataDir)),
    transport: options.transport ?? http,
    credentials: memoryCredentials(Date.now),
    log,
    logCall: (line) => log.info(line),
    owner: randomUUID(),
    stopping: stopping.signal,
    changed: (paymentId) => {
      changes.tell(paymentId);
      workers.poke('callbacks');
    },
  };
  const workers = startWorkers(context, works);
  const server = createAdaptorServer({ fetch: createApp(context, changes).fetch });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, () => resolve());
  });
  return {
    url: addressOf(server.address()),
    async stop() {
      stopping.abort();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      await workers.stop();
      await http.close();
      await database.close();
    },
  };
}

function addressOf(address: AddressInfo | string | null): string {
  if (typeof address !== 'object' || address === null) throw new Error('The server has no address.');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
