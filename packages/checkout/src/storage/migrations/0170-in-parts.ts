import { statements } from './statements.ts';

export const inParts = statements([
  // Moves of test clocks whose rows are not all moved yet, and how far each has come: by the id of sessions.
  `CREATE TABLE clock_moves (
    -- The request that moved the clock.
    id uuid PRIMARY KEY,
    merchant_key text NOT NULL,
    by_ms bigint NOT NULL CHECK (by_ms > 0),
    after uuid NOT NULL,
    -- What is made later is of the moved clock already.
    moved_at timestamptz NOT NULL
  )`,
  // Live sessions pay nothing for it.
  `CREATE INDEX sessions_of_tests ON sessions (merchant_key, id) WHERE test`,
  // Schedules that have changed, and after which of their chains the others are still to be looked at for it.
  `CREATE TABLE schedule_wakes (
    schedule_id uuid PRIMARY KEY REFERENCES schedules (id) ON DELETE CASCADE,
    after uuid NOT NULL
  )`,
  `DROP INDEX chains_by_schedule`,
  `CREATE INDEX chains_by_schedule ON chains (schedule_id, id)`,
]);
