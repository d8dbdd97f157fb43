import { statements } from './statements.ts';

export const runBeats = statements([
  // Signs of life of the process that executes a run. Others compare them with earlier ones: no two clocks are compared.
  `ALTER TABLE flow_runs ADD COLUMN beats integer NOT NULL DEFAULT 0`,
  // Runs that no process holds.
  `CREATE INDEX flow_runs_free ON flow_runs (lease_until) WHERE state = 'running' AND lease_owner IS NULL`,
]);
