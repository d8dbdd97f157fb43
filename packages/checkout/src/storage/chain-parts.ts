import type { Day } from '@railyard/core/protocol';
import { type Piece, sql } from './piece.ts';

/** The change that one of a payment makes to its schedule. */
export type ScheduleChange =
  /** A payer has agreed to later charges: a chain begins with this payment, unless its schedule was deleted meanwhile. */
  | {
      readonly kind: 'began';
      readonly scheduleId: string;
      readonly tokenHash: string;
      /** The day of the payment. */
      readonly began: Day;
      readonly startDate?: Day | undefined;
    }
  /** A charge of the schedule has ended, on this day. A hard decline pauses its chain in the same statement. */
  | { readonly kind: 'ended'; readonly state: 'settled' | 'declined_soft' | 'declined_hard'; readonly today: Day };

/** Parts of the statement that changes a payment: `changed` is the payment's new row. Chains are locked before their days, as everywhere. */
export function schedulePart(change: ScheduleChange | undefined, now: Piece<Date>): Piece<unknown> {
  if (change === undefined) return sql``;
  if (change.kind === 'began') return sql`, chained AS (${beginChain(change, now)})`;
  const { state, today } = change;
  const end = (from: Piece<unknown>) => sql`, dued AS (
      UPDATE due_days d SET state = ${state}, last_tried = ${today}, at = ${now}
      FROM ${from} WHERE d.mandate_id = changed.mandate_id AND d.charge_id = coalesce(changed.retry_of, changed.id) RETURNING d.mandate_id
    )`;
  // The plan of its chain holds no try for it, or one that finds it settled.
  if (state === 'settled') return end(sql`changed`);
  const pause = state === 'declined_hard' ? sql`, paused_after = coalesce(c.paused_after, ${today})` : sql``;
  return sql`, chained AS (
      UPDATE chains c SET wakes = c.wakes + 1, poll_at = CASE WHEN c.ended_at IS NULL THEN ${now} END${pause}
      FROM changed WHERE c.id = changed.mandate_id RETURNING c.id
    )${end(sql`changed JOIN chained ON true`)}`;
}

/** Of a schedule that is deleted in the same moment one of both waits for the other. The first look at the chain plans its first charge. */
function beginChain(
  { scheduleId, tokenHash, began, startDate }: Extract<ScheduleChange, { kind: 'began' }>,
  now: Piece<Date>,
): Piece<unknown> {
  return sql`
      INSERT INTO chains (id, schedule_id, merchant_key, test, mid_id, token_hash, began, start_date, poll_at, created_at)
      SELECT changed.id, s.id, s.merchant_key, s.test, changed.mid_id, ${tokenHash}, ${began}, ${startDate ?? null},
        ${now}, ${now}
      FROM changed, (SELECT id, merchant_key, test FROM schedules WHERE id = ${scheduleId}::uuid FOR KEY SHARE) s
      ON CONFLICT (id) DO NOTHING RETURNING id`;
}
