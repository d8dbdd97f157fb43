import type { WorkDeps } from './deps.ts';
import type { Finding, FindingKind } from '../storage/index.ts';
import type { QueueName } from '../storage/queue-name.ts';

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
  'notification-overdue': 'notifications',
  'event-unmatched': undefined,
  'money-set-aside': undefined,
  'partial-approval': 'lookups',
  'paid-twice': 'lookups',
};

/**
 * Finds what the ordinary work has left: wakes that work, and notifies an operator once. With its help every open payment whose
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
