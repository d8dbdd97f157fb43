import { CLAIM_MS, deliver, takeCallbacks } from '../callbacks/deliver.ts';
import { sweepNotifications } from '../notifications/receive.ts';
import { syncModification, takeModificationPolls } from '../payments/lookups.ts';
import { syncPayment, takePolls } from '../payments/lookups.ts';
import { endAbandoned } from '../payments/lookups.ts';
import { recoverRun, takeAbandoned } from '../payments/runs/again.ts';
import { lookAtChain, takeChains } from '../payments/scheduled.ts';
import type { Courier } from '../payments/change/deps.ts';
import { MOVED } from '../schedules.ts';
import type { SentCallback, SessionPlace } from '../storage/index.ts';
import type { WorkDeps } from './deps.ts';
import { tracedAlone } from '../telemetry.ts';
import { housekeep, tidy } from './upkeep.ts';
import type { CronJob } from './job-library.ts';
import { reconcile } from './upkeep.ts';
import {
  batchPoller,
  type Busy,
  type ItemPoller,
  type ItemQueue,
  itemPoller,
  type Places,
  type Poller,
} from './pollers.ts';
import type { QueueName } from '../storage/index.ts';

const BATCH = 20;
/** A merchant's server takes callbacks as it takes requests of payers, and with four at once a busy merchant would wait for them. */
const CALLBACK_PLACES: Places = { all: 320, perKey: 32 };

interface Pollers {
  /** The queues that are polled, also soon after an item has become due. */
  readonly all: readonly Poller[];
  readonly courier: Courier;
}

export function pollersOf(context: WorkDeps): Pollers {
  const items = <T extends object>(
    name: QueueName,
    take: (context: WorkDeps, limit: number, busy: Busy) => ReturnType<ItemQueue<T>['take']>,
    traits: Pick<ItemQueue<T>, 'key' | 'id' | 'row' | 'places' | 'isExhaustive'>,
    handle: (context: WorkDeps, item: T) => Promise<T | boolean | void>,
  ) =>
    itemPoller<T>(context.log, {
      name,
      take: (limit, busy) => take(context, limit, busy),
      ...traits,
      handle: (item) => tracedAlone(`work ${name}`, () => handle(context, item)),
      wakeOthers: () => context.wakeOthers(name),
    });
  /** Work for an account whose breaker is open waits. */
  const ofAccounts =
    <T>(take: (context: WorkDeps, limit: number, busy: readonly string[]) => Promise<readonly T[]>) =>
    (_context: WorkDeps, limit: number, busy: Busy) =>
      take(context, limit, [...busy.keys, ...context.breakers.blocked()]);
  const callbacks = items<SentCallback>(
    'callbacks',
    takeCallbacks,
    {
      key: ({ url }) => url,
      id: ({ id }) => id,
      row: ({ paymentId }) => paymentId,
      places: CALLBACK_PLACES,
      isExhaustive: true,
    },
    deliver,
  );
  const all = [
    callbacks,
    items('runs', ofAccounts(takeAbandoned), { key: ({ midId }) => midId, id: ({ run }) => run.runId }, recoverRun),
    items(
      'lookups',
      ofAccounts(takePolls),
      { key: ({ midId }) => midId, id: ({ id }) => id, isExhaustive: true },
      syncPayment,
    ),
    items(
      'modification-lookups',
      ofAccounts(takeModificationPolls),
      { key: ({ payment }) => payment.midId, id: ({ modification }) => modification.id },
      syncModification,
    ),
    // At midnight many are due at once: no more places than usual, so that payers who are there meanwhile wait less (docs/decisions/recurring-payments-and-schedules.md).
    items(
      'schedules',
      ofAccounts(takeChains),
      { key: ({ midId }) => midId, id: ({ id }) => id, isExhaustive: true },
      lookAtChain,
    ),
    // Rare: two queries at each tick would be for nothing.
    batchPoller('remainders', () => remainder(context), { onlyWoken: true }),
    batchPoller('notifications', () => sweepNotifications(context, BATCH)),
    batchPoller('expiry', expiry(context)),
  ];
  return { all, courier: courierOf(callbacks) };
}

/** Does a part of what requests have left to do: the moves of test clocks, the chains of schedules that have changed. */
async function remainder({ stores, wake }: WorkDeps): Promise<number> {
  const isMoved = await stores.testClocks.moveSome();
  const isWoken = await stores.schedules.wakeSome();
  if (isMoved) for (const work of MOVED) wake(work);
  if (isWoken) wake('schedules');
  return isMoved || isWoken ? 1 : 0;
}

/** Sessions that are looked at by one statement: two milliseconds where all of them stay open. */
const SESSIONS = 500;

/** Looks at all sessions whose time is over, a part at a time, and ends runs that wait for a payer or a merchant who has gone. */
function expiry(context: WorkDeps): () => Promise<number> {
  let after: SessionPlace | undefined;
  return async () => {
    const { waiting, next } = await context.stores.sessions.expireDue(SESSIONS, after);
    after = next;
    for (const id of waiting) await endAbandoned(context, id);
    return next === undefined ? 0 : 1;
  };
}

/** Callbacks that this process claims when it writes them use places that a poll would fill. */
function courierOf(callbacks: ItemPoller<SentCallback>): Courier {
  return {
    reserve(url) {
      const place = callbacks.reserve(url);
      return place && { claimMs: CLAIM_MS, ...place };
    },
    isSending: (paymentId) => callbacks.awaitEnd(paymentId),
  };
}

/** The jobs done at fixed times, by one process each time. */
export function cronJobsOf(context: WorkDeps, embedded: boolean): readonly CronJob[] {
  return [
    { name: 'reconcile', cron: '* * * * *', run: () => reconcile(context) },
    { name: 'housekeeping', cron: '*/10 * * * *', run: () => housekeep(context, embedded) },
    { name: 'tidying', cron: '17 3 * * *', run: () => tidy(context, embedded) },
  ];
}
