import { randomUUID } from 'node:crypto';
import { kyTransport, memoryCredentials } from '@railyard/runtime';
import { type CheckoutConfig, createLog } from '../../src/index.ts';
import { parseConfig } from '../../src/config/config.ts';
import { createDirectory } from '../../src/config/directory.ts';
import { pageKey, pageTokens } from '../../src/config/page-token.ts';
import type { ServiceContext } from '../../src/service-context.ts';
import {
  callbacksStore,
  clockFrom,
  type Db,
  notificationsStore,
  paymentsStore,
  runsStore,
  sessionsStore,
} from '../../src/storage/index.ts';

/** What the service works with, without its server and its workers: for what must happen between two of its steps. */
export function serviceContext(db: Db, given: CheckoutConfig, now: () => number) {
  const config = parseConfig(given);
  const sqlClock = clockFrom(() => new Date(now()));
  const transport = kyTransport();
  const context: ServiceContext = {
    config,
    directory: createDirectory(config),
    db,
    sqlClock,
    now,
    newId: randomUUID,
    stores: {
      sessions: sessionsStore(db, sqlClock),
      payments: paymentsStore(db, sqlClock),
      runs: runsStore(db, sqlClock),
      callbacks: callbacksStore(db, sqlClock),
      notifications: notificationsStore(db, sqlClock),
    },
    pageTokens: pageTokens(pageKey('memory')),
    transport,
    credentials: memoryCredentials(now),
    log: createLog({ write: () => undefined }),
    logCall: () => undefined,
    owner: randomUUID(),
    stopping: new AbortController().signal,
    changed: () => undefined,
  };
  return { context, close: () => transport.close() };
}
