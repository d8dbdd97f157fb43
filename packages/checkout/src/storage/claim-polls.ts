import { type RawBuilder, sql } from 'kysely';
import type { Db } from './db.ts';
import { toJsonText } from './json-text.ts';
import { milliseconds, type SqlClock } from './sql-clock.ts';

export interface ClaimedPolls {
  /** Rows with `id`, `mid_id`, `poll_at` and `polls`, and an index of those to be asked about by MID and time. */
  readonly table: 'payments' | 'modifications' | 'chains';
  /** Whether the row `t` is not to be asked about yet, because its request may still be sent. */
  readonly isRunning: RawBuilder<unknown>;
  readonly limit: number;
  /** When a row comes again unless something else is decided meanwhile, in milliseconds. */
  readonly holdMs: number;
  readonly exceptMids: readonly string[];
}

/**
 * Takes rows whose provider is to be asked now, or charged, the longest due first, each counted as one poll. Two callers never get the same one. Each MID is
 * looked at by itself: however much waits for one that hangs, the others cost the same.
 */
export async function claimPolls<Row>(
  db: Db,
  clock: SqlClock,
  { table, isRunning, limit, holdMs, exceptMids }: ClaimedPolls,
): Promise<Row[]> {
  const now = clock();
  const rows = sql.table(table);
  const claimed = await sql<Row>`
    WITH RECURSIVE mids AS (
      (SELECT mid_id FROM ${rows} WHERE poll_at IS NOT NULL ORDER BY mid_id LIMIT 1)
      UNION ALL
      SELECT next.mid_id FROM mids m CROSS JOIN LATERAL (
        SELECT mid_id FROM ${rows} WHERE poll_at IS NOT NULL AND mid_id > m.mid_id ORDER BY mid_id LIMIT 1
      ) AS next
    ), first AS MATERIALIZED (
      SELECT f.id, f.poll_at FROM mids m CROSS JOIN LATERAL (
        SELECT id, poll_at FROM ${rows} t WHERE mid_id = m.mid_id AND poll_at <= ${now} AND NOT ${isRunning}
        ORDER BY poll_at LIMIT ${limit}::integer
      ) AS f
      WHERE m.mid_id NOT IN (SELECT json_array_elements_text(${toJsonText(exceptMids)}::json))
    ), due AS (
      -- Looked at again under the lock: another process may have taken it since.
      SELECT t.id FROM ${rows} t JOIN first ON first.id = t.id
      WHERE t.poll_at <= ${now} ORDER BY first.poll_at LIMIT ${limit}::integer FOR UPDATE OF t SKIP LOCKED
    )
    UPDATE ${rows} t SET polls = polls + 1, poll_at = ${now} + ${milliseconds(holdMs)}
    FROM due WHERE t.id = due.id
    RETURNING t.*`.execute(db);
  return claimed.rows;
}
