import { randomBytes, randomUUID } from 'node:crypto';
import { kyTransport, memoryCredentials } from '@railyard/runtime';
import { callbackSender } from '../../src/callbacks/sender.ts';
import { type CheckoutConfig, createLog } from '../../src/index.ts';
import { parseConfig } from '../../src/deployment/config.ts';
import { createDirectory } from '../../src/merchants/directory.ts';
import { pageTokens } from '../../src/sessions/page-token.ts';
import { createSealer } from '../../src/secrets/index.ts';
import { createRateLimits } from '../../src/http/basics/limits.ts';
import { unmatchedHints } from '../../src/payments/change/deps.ts';
import { createQuestions } from '../../src/notifications/questions.ts';
import { createBreakers } from '../../src/payments/runs/breakers.ts';
import { paymentQueues } from '../../src/payments/change/deps.ts';
import { runsUnderWay } from '../../src/payments/runs/deps.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import { cardVault, createEnteredCodes, createSecurityCodes } from '../../src/cards/index.ts';
import { clockFrom, type Db, storesOf } from '../../src/storage/index.ts';

/** What the service works with, without its server and its workers: for what must happen between two of its steps. */
export function serviceContext(db: Db, given: CheckoutConfig, now: () => number) {
  const config = parseConfig(given);
  const sealer = createSealer([randomBytes(32)]);
  const vault = cardVault(sealer, randomBytes(32));
  const sqlClock = clockFrom(() => new Date(now()));
  const transport = kyTransport();
  const sender = callbackSender({ network: config.callbackNetwork });
  const log = createLog({ write: () => undefined });
  const context: ServiceDeps = {
    config,
    directory: createDirectory(config),
    db,
    sqlClock,
    now,
    monotonic: now,
    newId: randomUUID,
    random: () => 0.5,
    stores: storesOf(db, sqlClock),
    sealer,
    vault,
    securityCodes: createSecurityCodes(),
    enteredCodes: createEnteredCodes(vault, () => false, log),
    pageTokens: pageTokens(randomBytes(32)),
    unmatchedHints: unmatchedHints(),
    queues: paymentQueues(),
    limits: createRateLimits(false),
    transport,
    questions: createQuestions(transport, { monotonic: now, log }),
    breakers: createBreakers(transport, { monotonic: now, log }),
    callbackSender: sender,
    credentials: memoryCredentials(now),
    log,
    logCall: () => undefined,
    drift: () => undefined,
    owner: randomUUID(),
    underWay: runsUnderWay(now),
    stopping: new AbortController().signal,
    changed: () => undefined,
    wake: () => undefined,
    wakeOthers: () => undefined,
  };
  return { context, close: () => Promise.all([transport.close(), sender.close()]) };
}
