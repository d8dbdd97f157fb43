import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Profile } from '@railyard/core/registry';
import { driftLedger, kyTransport, memoryCredentials, type DriftCount, type Transport } from '@railyard/runtime';
import { callbackOperator, type CallbackOperator } from './callbacks/deliver.ts';
import { databasePlace, parseConfig, sealerOf, type CheckoutConfig, type ParsedConfig } from './deployment/config.ts';
import type { GivenCatalogue } from './deployment/catalogue.ts';
import { createDirectory, liveDirectory, walletWarnings } from './merchants/directory.ts';
import { catalogueAccess, firstDirectory, followConfiguration } from './merchants/catalogue.ts';
import { pageKey, pageTokens } from './sessions/page-token.ts';
import { createApp } from './http/app.ts';
import { createChanges, serve } from './http/basics/server.ts';
import { createRateLimits, declinerOf } from './http/basics/limits.ts';
import { secretsOf } from './deployment/secrets.ts';
import { countingLog, tracedSender, tracedTransport } from './telemetry.ts';
import { guardedLog, standardLog, type Log } from './log/log.ts';
import { paymentQueues, unmatchedHints, type Courier } from './payments/change/deps.ts';
import { createQuestions } from './notifications/questions.ts';
import { createBreakers, type BreakerListener } from './payments/runs/breakers.ts';
import { PULSE_MS, createWatch, startPulse } from './payments/runs/lease.ts';
import { runsUnderWay } from './payments/runs/deps.ts';
import {
  modificationOperator,
  paymentOperator,
  type ModificationOperator,
  type PaymentOperator,
} from './payments/operators.ts';
import type { ServiceDeps } from './work/deps.ts';
import {
  clockFrom,
  databaseClock,
  openDatabase,
  releaseHolds,
  storesOf,
  type Attention,
  type Database,
  type Stores,
} from './storage/index.ts';
import { SWEPT_EVERY_MS, keepDrift, keepSwept } from './work/upkeep.ts';
import { startJobs, type Jobs } from './work/jobs.ts';
import { cardVault, createEnteredCodes, createSecurityCodes, fingerprintKey } from './cards/index.ts';
import type { Poller } from './work/pollers.ts';
import { cronJobsOf, pollersOf } from './work/queues.ts';
import { callbackSender } from './callbacks/sender.ts';

/** How requests leave: to providers, whose addresses the deployment chooses, and to merchants, whose addresses are looked at. */
export function outwardOf({ callbackNetwork }: ParsedConfig, given: Transport | undefined) {
  const http = kyTransport();
  const sender = callbackSender({ network: callbackNetwork });
  return {
    transport: tracedTransport(given ?? http),
    callbackSender: tracedSender(sender),
    close: () => Promise.all([http.close(), sender.close()]),
    /**
     * Loads the HTTP clients when the address has been said: a start does not wait for them, and neither does the first payment. The first
     * request tries again where that fails.
     */
    load: () => void Promise.all([http.load(), sender.load()]).catch(() => undefined),
  };
}

/** Work that has not ended by then is cut off; most process managers wait 30 seconds. */
const STOP_MS = 25_000;

/** A running checkout. */
export interface Checkout {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The profile with which a merchant validates requests and gets this service's own verdict; public, without secrets. */
  profile(merchantKey: string): Profile | undefined;
  /** Lists callbacks, sends them again, and calls a paused or disabled address again. */
  readonly callbacks: CallbackOperator;
  /** Ends a modification whose outcome is unknown. */
  readonly modifications: ModificationOperator;
  /** Lists open payments whose automatic checks have stopped, checks one again, and ends one whose outcome is unknown. */
  readonly payments: PaymentOperator;
  /** Everything that an operator should look at now, the oldest first. Of each kind at most `limit`. Default: 100. */
  attention(query?: { readonly limit?: number }): Promise<readonly Attention[]>;
  /** The fields and words in replies of providers that their connectors do not declare, as all processes on the database counted it. */
  drift(): Promise<readonly DriftCount[]>;
  /**
   * Changes merchants and MIDs without a restart: stores them as a new version, which every process on the database takes up within
   * seconds. Requests under way keep what they began with. A merchant or MID that is left out gets no new payments; its open payments go on.
   *
   * @returns the number of the version
   * @throws ConfigError with every problem; nothing has changed then
   */
  configure(catalogue: GivenCatalogue): Promise<number>;
  /**
   * Takes no new requests, lets those under way finish, and closes the database. What hangs is cut off after 25 seconds, and
   * work blocked on a database lock may take ten more. Unfinished work resumes at the next start, as after a crash.
   */
  stop(options?: StopOptions): Promise<void>;
}

export interface StopOptions {
  /** Milliseconds in which open connections may bring one more request. Default: 0. */
  readonly lastCallMs?: number;
}

export interface CheckoutOptions {
  /** Where the log goes. Default: standard output. */
  readonly log?: Log;
  /** How requests to providers leave. Default: HTTP. */
  readonly transport?: Transport;
  /** Milliseconds since 1970, for tests. Default: the system's clock, and for time windows the database's. */
  readonly clock?: () => number;
  /**
   * Milliseconds that never go back. For tests. Default: the system's monotonic clock, or the `clock`, if only that is given. If
   * `clock` steps and this does not, the clock was set.
   */
  readonly monotonic?: () => number;
  /** Makes a UUID, for tests. Default: a random one. */
  readonly newId?: () => string;
}

/**
 * Starts the hosted checkout: HTTP API, hosted page, notifications, callbacks and background work.
 *
 * @throws ConfigError for a configuration that cannot be run; DirectoryInUseError when another process uses the data directory.
 * @example const checkout = await startCheckout({ publicUrl: 'http://127.0.0.1:8080', connectors: [pixInstant], mids: [...], merchants: [...] });
 */
export async function startCheckout(given: CheckoutConfig, options: CheckoutOptions = {}): Promise<Checkout> {
  const config = parseConfig(given);
  // A configuration that cannot be used is refused before anything is opened.
  createDirectory(config);
  const secrets = new Set(secretsOf(config));
  const log = countingLog(guardedLog(options.log ?? standardLog(), secrets));
  const database = await openDatabase(databasePlace(config, log));
  return orUndo(startOn(database, config, secrets, { ...options, log }), database.close);
}

/** If the start fails, undoes the parts that had begun. */
async function orUndo<T>(begun: Promise<T>, undo: () => Promise<void>): Promise<T> {
  try {
    return await begun;
  } catch (error) {
    await undo();
    throw error;
  }
}

/** How late work may start without a wake-up: because its process died, or because it falls due much later. */
const TICK_SECONDS = 10;

/** The first payers go before the calendar: what its library does first keeps the embedded database, and so the process, busy. */
const LIBRARY_AFTER_MS = 1000;

/** Where a server's role may not make the library's tables the start fails. The embedded database has no such rights. */
const timesOfWork = ({ clock }: CheckoutOptions, shared: boolean) => ({
  tickSeconds: clock === undefined ? TICK_SECONDS : 1,
  ...(!shared && { libraryAfterMs: LIBRARY_AFTER_MS }),
});

/** Clocks of tests pass time in leaps. */
const pulseMs = ({ clock, monotonic }: CheckoutOptions): number =>
  monotonic !== undefined ? 100 : clock !== undefined ? 1000 : PULSE_MS;

/** The clocks. Default: the machine's and the database's. */
const clocksOf = ({ clock, monotonic }: CheckoutOptions) => ({
  now: clock ?? Date.now,
  monotonic: monotonic ?? clock ?? (() => performance.now()),
  sqlClock: clock === undefined ? databaseClock : clockFrom(() => new Date(clock())),
});

/** Gives signs of life for the runs of this process and executes again those whose time has come; at the end all of them are given back. */
function keepLeases(context: ServiceDeps, pollers: readonly Poller[], everyMs: number) {
  const { underWay, stores, owner, monotonic } = context;
  const runs = pollers.find(({ name }) => name === 'runs');
  // The poller itself reports its failures.
  underWay.whenDue(() => void runs?.poll().catch(() => undefined));
  const beating = startPulse(context, createWatch(monotonic), everyMs);
  return {
    async stop() {
      underWay.stop();
      await beating.stop();
      await stores.runs.releaseAll(owner).catch(() => undefined);
    },
  };
}

/** Says which certificates of wallets end soon, and makes work that waits in the database ready to be taken up. */
async function beforeWork(context: ServiceDeps, shared: boolean): Promise<void> {
  const { directory, now, log } = context;
  for (const warning of walletWarnings(directory, now())) log.warn({ event: 'wallet-certificate', ...warning });
  // The embedded database belongs to one process, so any earlier holder is gone. On a server other processes may be at work.
  if (!shared) await releaseHolds(context.db, context.sqlClock);
  await readdress(context);
}

/** Redirects waiting callbacks to the address that the merchant has now. */
async function readdress({ directory, stores }: ServiceDeps): Promise<void> {
  for (const { url, ...scope } of directory.callbackAddresses) await stores.callbacks.readdress(scope, url);
}

/** The state that a process keeps in memory, lost when it ends. */
function memoryOf(
  config: ParsedConfig,
  { now, monotonic }: Pick<ServiceDeps, 'now' | 'monotonic'>,
  transport: Transport,
  log: Log,
  { findings }: Pick<Stores, 'findings'>,
) {
  // Told when an account stops or starts to answer, beside the payments. The log says it in any case.
  const heard: BreakerListener = {
    opened: (mid, why) => void findings.breakerOpened(mid, why).catch(() => undefined),
    closed: (mid) => void findings.breakerClosed(mid).catch(() => undefined),
  };
  return {
    owner: randomUUID(),
    securityCodes: createSecurityCodes(),
    unmatchedHints: unmatchedHints(),
    queues: paymentQueues(),
    limits: createRateLimits(config.rateLimits),
    credentials: memoryCredentials(now),
    underWay: runsUnderWay(monotonic),
    breakers: createBreakers(transport, { monotonic, log, heard }),
    questions: createQuestions(transport, { monotonic, log }),
  };
}

/** Background work starts after its dependencies. Until then it is not woken, and its first poll finds the rows. */
function backgroundWork(now: () => number) {
  const ledger = driftLedger(now);
  let jobs: Jobs | undefined;
  let courier: Courier | undefined;
  return {
    deps: {
      courier: {
        reserve: (url) => courier?.reserve(url),
        isSending: (paymentId) => courier?.isSending(paymentId) ?? false,
      },
      wake: (name, inMs) => jobs?.wake(name, inMs),
      wakeOthers: (name) => jobs?.wakeOthers(name),
      drift: ledger.add,
    } satisfies Pick<ServiceDeps, 'courier' | 'wake' | 'wakeOthers' | 'drift'>,
    ledger,
    started(begun: Jobs, sender: Courier) {
      jobs = begun;
      courier = sender;
    },
  };
}

async function startOn(
  database: Database,
  config: ParsedConfig,
  secrets: Set<string>,
  options: CheckoutOptions & { readonly log: Log },
): Promise<Checkout> {
  const { db, shared } = database;
  const { log } = options;
  const { now, monotonic, sqlClock } = clocksOf(options);
  const { sealer, dataDir } = sealerOf(config);
  const access = catalogueAccess(db, sqlClock, sealer, config);
  const first = await firstDirectory(access, config.given);
  // A former secret stays a secret.
  const directory = liveDirectory(first.directory, (next) => next.secrets.forEach((each) => secrets.add(each)));
  const stopping = new AbortController();
  const { close: cutOff, load: loadClients, ...outward } = outwardOf(config, options.transport);
  const changes = createChanges();
  const vault = cardVault(sealer, await fingerprintKey(db, sealer, new Date(now())));
  const enteredCodes = createEnteredCodes(vault, (message) => bus.say(message), log);
  const bus = database.changeBus({
    onChange: changes.publish,
    onGap: changes.publishAll,
    onSaid: enteredCodes.heard,
  });
  const work = backgroundWork(now);
  const stores = storesOf(db, sqlClock);
  const memory = memoryOf(config, { now, monotonic }, outward.transport, log, stores);
  const context: ServiceDeps = {
    config,
    directory,
    db,
    sqlClock,
    now,
    monotonic,
    newId: options.newId ?? randomUUID,
    random: Math.random,
    stores,
    sealer,
    vault,
    enteredCodes,
    pageTokens: pageTokens(await pageKey(db, sealer, new Date(now()), dataDir)),
    ...outward,
    ...memory,
    log,
    logCall: (line) => log.info(line),
    stopping: stopping.signal,
    countDecline: ({ merchantKey }, addresses) => {
      const decliners = new Set(addresses.map((each) => declinerOf(merchantKey, each)));
      for (const each of decliners) void memory.limits.count('declines', each);
    },
    changed: (paymentId) => [changes, bus].forEach((each) => each.publish(paymentId)),
    ...work.deps,
  };
  await beforeWork(context, shared);
  const pollers = pollersOf(context);
  const jobs = await startJobs({
    database: database.jobs,
    log,
    pollers: pollers.all,
    cronJobs: cronJobsOf(context, !shared),
    ...timesOfWork(options, shared),
  });
  work.started(jobs, pollers.courier);
  const drift = keepDrift({ ledger: work.ledger, stores: context.stores, log });
  const swept = keepSwept(context, options.clock === undefined ? SWEPT_EVERY_MS : 1000);
  const leases = keepLeases(context, pollers.all, pulseMs(options));
  const following = followConfiguration({ access, directory, first, log, shared, taken: () => readdress(context) });
  const stopWork = async () => {
    stopping.abort();
    await following.stop();
    // Cuts off calls that still hang, so that the work that waits for them ends too.
    await cutOff();
    await jobs.stop();
    await leases.stop();
    await drift.stop();
    await swept.stop();
  };
  const serving = await orUndo(serve(createApp(context, changes, directory.pinned), config), stopWork);
  jobs.begin();
  setImmediate(loadClients);
  const stop = async ({ lastCallMs = 0 }: StopOptions) => {
    stopping.abort();
    const ended = Promise.all([serving.close(lastCallMs), jobs.stop()]);
    await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
    await stopWork();
    context.securityCodes.clear();
    context.enteredCodes.clear();
    await database.close();
  };
  let stopped: Promise<void> | undefined;
  return {
    url: serving.url,
    modifications: modificationOperator(context),
    payments: paymentOperator(context),
    callbacks: callbackOperator({ store: context.stores.callbacks, sealer: () => sealer }, () =>
      context.wake('callbacks'),
    ),
    profile: (merchantKey) => directory.find(merchantKey)?.merchant.profile,
    attention: ({ limit = 100 } = {}) => context.stores.findings.list(limit),
    drift: () => drift.flush().then(() => context.stores.drift.list()),
    configure: following.configure,
    stop: (how = {}) => (stopped ??= stop(how)),
  };
}
