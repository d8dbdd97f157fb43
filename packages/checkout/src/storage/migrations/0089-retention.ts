import { statements } from './statements.ts';

export const retention = statements([
  // When what is personal was erased: of a session its request, of a payment the columns that say who paid, from where and with what.
  `ALTER TABLE sessions ADD COLUMN erased_at timestamptz`,
  `ALTER TABLE payments ADD COLUMN erased_at timestamptz`,
  // Retention looks by age.
  `CREATE INDEX sessions_by_end ON sessions (closed_at) WHERE state <> 'open'`,
  `CREATE INDEX flow_runs_by_end ON flow_runs (finished_at) WHERE state = 'finished'`,
  `CREATE INDEX callbacks_by_age ON callbacks (created_at) WHERE state <> 'waiting'`,
  `CREATE INDEX provider_events_by_age ON provider_events (at) WHERE data_text <> '{}'`,
]);
