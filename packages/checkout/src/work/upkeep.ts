import type { WorkDeps } from './deps.ts';
import { erasedRequest } from '../sessions/session.ts';
import {
  DatabaseUnavailableError,
  applyRetention,
  vacuum,
  type Finding,
  type FindingKind,
  type QueueName,
  type Retained,
  type RetentionDays,
  type Stores,
} from '../storage/index.ts';
import type { EnteredCodes } from '../cards/index.ts';
import { MORE, driftLine, keyOf, together, type DriftCount, type DriftLedger } from '@railyard/runtime';
import type { Log } from '../log/log.ts';
import { messageOf } from './pollers.ts';

/** A process that is killed loses what it counted since. */
const EVERY_MS = 60_000;

/** Writes a process's counts of the drift of replies, apart from payments, and only if there are any. */
export interface DriftKeeper {
  /** Writes the counts up to now. Never fails: counts that could not be written are counted again. */
  flush(): Promise<void>;
  /** Writes the rest. */
  stop(): Promise<void>;
}

interface Keeping {
  readonly ledger: DriftLedger;
  readonly stores: Pick<Stores, 'drift'>;
  readonly log: Log;
}

export function keepDrift({ ledger, stores, log }: Keeping): DriftKeeper {
  const lines = driftLines();
  const write = async (isLast: boolean) => {
    const counts = ledger.take();
    if (counts.length > 0)
      try {
        await stores.drift.add(counts, MORE);
      } catch (error) {
        ledger.putBack(counts);
        if (!(error instanceof DatabaseUnavailableError) || isLast)
          log.error({ event: 'work-failed', work: 'drift', error: messageOf(error) });
        return;
      }
    for (const count of lines.due(counts, isLast)) log.info(driftLine(count));
  };
  // One after another, so that the next write has the counts that were put back.
  let writing = Promise.resolve();
  const flush = (isLast = false) => (writing = writing.then(() => write(isLast)));
  const timer = setInterval(() => void flush(), EVERY_MS).unref();
  return {
    flush: () => flush(),
    stop() {
      clearInterval(timer);
      return flush(true);
    },
  };
}

/** A code whose card was paid with in another process is gone after two sweeps. */
export const SWEPT_EVERY_MS = 30_000;

interface Sweeping {
  readonly enteredCodes: Pick<EnteredCodes, 'sweep'>;
  readonly stores: { readonly sessions: Pick<Stores['sessions'], 'entriesOf'> };
  readonly log: Log;
}

/** Forgets the entered security codes of this process whose cards wait for no payment any more. */
export function keepSwept({ enteredCodes, stores, log }: Sweeping, everyMs: number): { stop(): Promise<void> } {
  const sweep = async () => {
    try {
      await enteredCodes.sweep((ids) => stores.sessions.entriesOf(ids));
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError))
        log.error({ event: 'work-failed', work: 'entered-codes', error: messageOf(error) });
    }
  };
  let sweeping: Promise<void> | undefined;
  // One at a time: while the database hangs no others wait behind it.
  const timer = setInterval(() => (sweeping ??= sweep().finally(() => (sweeping = undefined))), everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await sweeping;
    },
  };
}

/**
 * Which counts the log has: each when it is first seen, whenever it has doubled since, and at the end. Their sum is the count, and a sighting with
 * every payment makes few lines.
 */
function driftLines() {
  const waiting = new Map<string, DriftCount>();
  const logged = new Map<string, number>();
  return {
    *due(counts: readonly DriftCount[], isLast: boolean): Generator<DriftCount> {
      for (const count of counts) {
        const key = keyOf(count);
        const before = waiting.get(key);
        waiting.set(key, before === undefined ? count : together(before, count));
      }
      for (const [key, count] of waiting) {
        const already = logged.get(key) ?? 0;
        if (!isLast && count.seen < already) continue;
        logged.set(key, already + count.seen);
        waiting.delete(key);
        yield count;
      }
    },
  };
}

type Retaining = Pick<WorkDeps, 'db' | 'sqlClock' | 'sealer' | 'log'>;

/** Deletes and erases data that is older than the configuration says; see the plan in the storage. `only`: the rules of one setting. */
export async function retain(
  { db, sqlClock, sealer, log }: Retaining,
  days: RetentionDays,
  only?: 'cards',
): Promise<Retained[]> {
  const unreadable: string[] = [];
  const done = await applyRetention(
    db,
    sqlClock,
    days,
    (session) => {
      try {
        return erasedRequest(sealer, session);
      } catch {
        unreadable.push(session.id);
        return undefined;
      }
    },
    only,
  );
  for (const { setting, days: after, tables, rows } of done)
    if (rows > 0) log.info({ event: 'retention', kind: setting, days: after, subject: tables.join('+'), rows });
  const [first] = unreadable;
  if (first !== undefined)
    log.error({ event: 'needs-attention', why: UNREADABLE, rows: unreadable.length, session: first });
  return done;
}

const UNREADABLE =
  'Requests whose retention period is over cannot be read, so their personal data is still there. Add the key that is missing in encryptionKey.';

/** Forgets rows that have no use any more; often, so that they are never many. */
export async function housekeep(context: WorkDeps, embedded: boolean): Promise<void> {
  await context.stores.sessions.forgetWindows();
  while ((await context.stores.idempotency.forget()) > 0);
  while ((await context.stores.requestIds.forget()) > 0);
  await retain(context, context.config.retention, 'cards');
  if (embedded) await vacuum(context.db, 'jobs');
}

/** Deletes and erases data that is older than the configuration says, and tidies the embedded database, at a quiet time. */
export async function tidy(context: WorkDeps, embedded: boolean): Promise<void> {
  await retain(context, context.config.retention);
  if (embedded) await vacuum(context.db, 'all');
}

/** The work that a finding wakes. None can handle an event of a payment that is not ours, and an unknown outcome is looked up by its own plan. */
const QUEUE_OF: Readonly<Record<FindingKind, QueueName | undefined>> = {
  'outcome-unknown': undefined,
  'modification-unknown': undefined,
  'payment-without-lookup': 'lookups',
  'lookup-overdue': 'lookups',
  'modification-without-lookup': 'modification-lookups',
  'modification-lookup-overdue': 'modification-lookups',
  'run-overdue': 'runs',
  'callback-overdue': 'callbacks',
  'callback-failing': undefined,
  'notification-overdue': 'notifications',
  'event-unmatched': undefined,
  'money-set-aside': undefined,
  'partial-approval': 'lookups',
  'paid-twice': 'lookups',
};

/**
 * Finds rows that the ordinary work has left behind, wakes that work, and notifies an operator once. With its help every open payment whose
 * provider has an answer ends, whatever was lost before.
 */
export async function reconcile(context: WorkDeps): Promise<void> {
  // A process that died may have left some.
  context.wake('remainders');
  const { open, old } = await context.stores.findings.kinds();
  for (const kind of open) {
    const found = await context.stores.findings.take(kind);
    for (const finding of found) await resolveFinding(context, finding);
    const queue = QUEUE_OF[kind];
    if (found.length > 0 && queue !== undefined) context.wake(queue);
  }
  for (const kind of old) await context.stores.findings.forget(kind);
}

async function resolveFinding(context: WorkDeps, { kind, subject, detail, isNew }: Finding): Promise<void> {
  // Money that could not be given back may go back another day.
  if (kind === 'payment-without-lookup' || kind === 'partial-approval' || kind === 'paid-twice')
    await context.stores.payments.schedulePoll(subject, 0);
  if (kind === 'modification-without-lookup') await context.stores.modifications.schedulePoll(subject, 0);
  if (!isNew) return;
  // An unpaid code is no reason to call an operator.
  const level = kind === 'payment-without-lookup' && detail !== 'unknown' ? 'warn' : 'error';
  context.log[level]({ event: 'needs-attention', finding: kind, subject, detail });
}
