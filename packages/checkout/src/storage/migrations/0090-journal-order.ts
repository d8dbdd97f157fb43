import { statements } from './statements.ts';

export const journalOrder = statements([
  // A sequence gives its numbers out of order once connections cache them, so a run counts the steps that it begins.
  `ALTER TABLE flow_runs ADD COLUMN begun_steps integer NOT NULL DEFAULT 0`,
  `ALTER TABLE journal ADD COLUMN position integer`,
  `UPDATE journal SET position = ordered.position
    FROM (SELECT run_id, step, row_number() OVER (PARTITION BY run_id ORDER BY seq) AS position FROM journal) ordered
    WHERE ordered.run_id = journal.run_id AND ordered.step = journal.step`,
  `UPDATE flow_runs SET begun_steps = (SELECT count(*) FROM journal WHERE journal.run_id = flow_runs.run_id)`,
  `ALTER TABLE journal ALTER COLUMN position SET NOT NULL, DROP COLUMN seq, ADD CONSTRAINT journal_positions UNIQUE (run_id, position)`,
]);
