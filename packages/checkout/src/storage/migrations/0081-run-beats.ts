import { statements } from './statements.ts';

export const runBeats = statements([
  // Signs of life of whoever drives a run. Other processes compare it with what they saw before: no clock is compared with another.
  `ALTER TABLE flow_runs ADD COLUMN beats integer NOT NULL DEFAULT 0`,
  // What no process holds.
  `CREATE INDEX flow_runs_free ON flow_runs (lease_until) WHERE state = 'running' AND lease_owner IS NULL`,
]);
