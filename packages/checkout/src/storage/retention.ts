import { type RawBuilder, sql } from 'kysely';
import { eraseRequests, type LeftOfRequest } from './erase-requests.ts';
import { BATCH_LIMIT, inBatches } from './in-batches.ts';
import type { Db } from './db.ts';
import { RETENTION_PLAN, type RetentionRule } from './retention-plan.ts';
import type { RetentionDays, RetentionSetting } from './retention-settings.ts';
import { milliseconds, type SqlClock } from './sql-clock.ts';

const DAY = 86_400_000;

/** The result of one rule of the plan, or of its dry run. */
export interface Retained {
  readonly setting: RetentionSetting;
  readonly days: number;
  readonly tables: readonly string[];
  readonly rows: number;
}

export interface Due extends Retained {
  readonly effect: string;
  /** From when the days of the oldest row count. */
  readonly oldest: Date | null;
}

/** Deletes or erases what is older than `days` says, in batches. `only`: the rules of one setting. */
export async function applyRetention(
  db: Db,
  clock: SqlClock,
  days: RetentionDays,
  leftOf: LeftOfRequest,
  only?: RetentionSetting,
): Promise<Retained[]> {
  const done: Retained[] = [];
  for (const rule of RETENTION_PLAN) {
    if (only !== undefined && rule.setting !== only) continue;
    const { setting, tables } = rule;
    done.push({ setting, days: days[setting], tables, rows: await applyRule(db, clock, rule, days[setting], leftOf) });
  }
  return done;
}

const limitOf = (clock: SqlClock, days: number): RawBuilder<unknown> => sql`${clock()} - ${milliseconds(days * DAY)}`;

function applyRule(
  db: Db,
  clock: SqlClock,
  { due, change }: RetentionRule,
  days: number,
  leftOf: LeftOfRequest,
): Promise<number> {
  const rows = due(limitOf(clock, days));
  if (change === 'erase-requests') return eraseRequests(db, rows, clock(), leftOf);
  return inBatches(db, change(sql`${rows} LIMIT ${BATCH_LIMIT}::integer`, clock()));
}

/** Counts what `applyRetention` would change, and changes nothing. */
export async function dueForRetention(db: Db, clock: SqlClock, days: RetentionDays): Promise<Due[]> {
  const found: Due[] = [];
  for (const { setting, tables, effect, due } of RETENTION_PLAN) {
    const counted = await sql<{ rows: number; oldest: Date | null }>`
      SELECT count(*)::integer AS rows, min(since) AS oldest FROM (${due(limitOf(clock, days[setting]))}) d`.execute(
      db,
    );
    const { rows, oldest } = counted.rows[0] ?? { rows: 0, oldest: null };
    found.push({ setting, days: days[setting], tables, effect, rows, oldest });
  }
  return found;
}
