import { type Piece, sql } from './piece.ts';
import { toJsonText } from './json-text.ts';
import type { RowValues } from './row-values.ts';
import type { RunLease } from './runs-store.ts';

/** The provider's event that causes a change of a payment. */
export interface TransitionEvent {
  readonly eventId: string;
  readonly kind: string;
  readonly providerReference: string;
  readonly amountText?: string;
  readonly currency?: string;
  /** JSON. */
  readonly data: unknown;
  readonly notificationId?: string;
  /** It is all that the notification says, which is handled with it. */
  readonly endsNotification?: boolean;
}

/** The run that causes a change of a payment. */
export interface TransitionRun {
  readonly lease: RunLease;
  /** The reply that led to it, where it is not written yet. It is a fact: it is written whatever becomes of the change. */
  readonly reply?: { readonly step: string; readonly text: string } | undefined;
  readonly next:
    | { readonly state: 'finished'; readonly outcome: unknown }
    | { readonly state: 'suspended'; readonly step: string; readonly asks: unknown };
}

/** Stands in a statement for a part that a transition has not. */
export const nothing = sql`SELECT NULL::uuid AS id WHERE false`;

/** Records the event of the payment `locked`, once. */
export function recordProviderEvent(event: TransitionEvent, row: RowValues, now: Piece<Date>): Piece<unknown> {
  return sql`
    INSERT INTO provider_events AS e (connector_id, mid_id, event_id, payment_id, notification_id, kind, provider_reference, amount_text, currency,
      data_text, state, at)
    SELECT connector_id, mid_id, ${row.of('text', event.eventId)}, id, ${row.of('uuid', event.notificationId ?? null)}, ${row.of('text', event.kind)},
      ${row.of('text', event.providerReference)}, ${row.of('text', event.amountText ?? null)}, ${row.of('text', event.currency ?? null)},
      ${row.of('text', toJsonText(event.data))}, 'applied', ${now}
    FROM locked ${row.joined(sql`locked.id`)}
    ON CONFLICT (connector_id, mid_id, event_id) DO UPDATE SET payment_id = excluded.payment_id, notification_id = excluded.notification_id,
      state = 'applied', reason = NULL, at = excluded.at
      WHERE e.state = 'unmatched'
    RETURNING e.payment_id`;
}

/** Ends the notification of an event with the payment `changed`. */
export function endNotification({ notificationId }: TransitionEvent, row: RowValues, now: Piece<Date>): Piece<unknown> {
  return sql`
    UPDATE provider_notifications n SET state = 'handled', handled_at = ${now} FROM changed ${row.joined(sql`changed.id`)}
    WHERE n.id = ${row.of('uuid', notificationId ?? null)} AND n.state = 'received' RETURNING n.id`;
}

/** Ends the runs that wait for the payer of the payment `changed`, which was decided without them. The epoch counts, because pages compare it. */
export const endWaitingRuns = (now: Piece<Date>): Piece<unknown> => sql`
    UPDATE flow_runs r SET state = 'finished', outcome_text = ${toJsonText({ status: 'overtaken' })}, finished_at = ${now},
      suspended_step = NULL, suspended_text = NULL, lease_epoch = r.lease_epoch + 1
    FROM changed WHERE r.payment_id = changed.id AND r.state = 'suspended' RETURNING r.run_id`;

/** The first reply wins, as in `sqlJournal.finish`. */
export function writeReply(
  runId: string,
  { step, text }: NonNullable<TransitionRun['reply']>,
  row: RowValues,
  now: Piece<Date>,
): Piece<unknown> {
  return sql`
    UPDATE journal j SET state = 'done', reply_text = ${row.of('text', text)}, done_at = ${now} FROM given g
    WHERE j.run_id = ${row.of('uuid', runId)} AND j.step = ${row.of('text', step)} AND j.state <> 'done' RETURNING j.run_id`;
}

/** Ends or suspends the run of the payment `locked`, if it is ours. */
export function moveRun(
  { lease, next }: TransitionRun,
  row: RowValues,
  now: Piece<Date>,
  gate: Piece<unknown>,
): Piece<unknown> {
  const end =
    next.state === 'finished'
      ? sql`state = 'finished', outcome_text = ${row.of('text', toJsonText(next.outcome))}, finished_at = ${now}`
      : sql`state = 'suspended', suspended_step = ${row.of('text', next.step)}, suspended_text = ${row.of('text', toJsonText(next.asks))}`;
  return sql`
    UPDATE flow_runs r SET ${end}, lease_owner = NULL, lease_until = NULL
    FROM locked ${row.joined(sql`locked.id`)}
    WHERE r.run_id = ${row.of('uuid', lease.runId)} AND r.payment_id = locked.id AND r.lease_epoch = ${row.of('integer', lease.epoch)}
      AND r.state = 'running' AND ${gate}
    RETURNING r.payment_id`;
}
