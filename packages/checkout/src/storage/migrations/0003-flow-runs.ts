import { statements } from './statements.ts';

export const flowRuns = statements([
  // One run of a connector's flow: an operation, or an action on a payment. Outlives the process that began it.
  `CREATE TABLE flow_runs (
    run_id uuid PRIMARY KEY,
    payment_id uuid NOT NULL REFERENCES payments (id),
    action text NOT NULL,
    connector_id text NOT NULL,
    connector_version text NOT NULL,
    state text NOT NULL CHECK (state IN ('running', 'suspended', 'finished')),
    -- The flow's "now", the same on every resume.
    started_at timestamptz NOT NULL,
    -- JSON: what the flow was started with. Never a secret: card data and settings are read again.
    input_text text NOT NULL,
    -- Who executes the run. The epoch grows with every claim: a process that was paused and wakes up holds an old one and is refused.
    lease_owner text,
    lease_epoch integer NOT NULL DEFAULT 0,
    lease_until timestamptz,
    -- How often it was taken up because its driver was gone or its time to try again had come; answers of the payer do not count.
    tries integer NOT NULL DEFAULT 0,
    suspended_step text,
    -- JSON: what the suspended flow asks of the payer.
    suspended_text text,
    -- JSON: how the run ended.
    outcome_text text,
    finished_at timestamptz,
    CHECK ((state = 'running') = (lease_until IS NOT NULL)),
    CHECK ((state = 'suspended') = (suspended_step IS NOT NULL)),
    CHECK ((state = 'finished') = (finished_at IS NOT NULL))
  )`,
  `CREATE INDEX flow_runs_by_payment ON flow_runs (payment_id)`,
  // A payment has one operation: a second run of it would be a second charge.
  `CREATE UNIQUE INDEX flow_runs_one_operation ON flow_runs (payment_id) WHERE action IN ('purchase', 'debit', 'credit', 'transfer')`,
  `CREATE INDEX flow_runs_to_resume ON flow_runs (lease_until) WHERE state = 'running'`,
  // The steps of a run. A step is written before its request leaves: what was begun and has no reply is never blindly repeated.
  `CREATE TABLE journal (
    run_id uuid NOT NULL REFERENCES flow_runs (run_id),
    step text NOT NULL,
    -- The order in which the steps of a run began.
    seq bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL CHECK (kind IN ('call', 'collect', 'visit')),
    state text NOT NULL CHECK (state IN ('begun', 'done', 'not-sent')),
    sends integer NOT NULL CHECK (sends >= 1),
    -- JSON, after the reply's schema dropped what it does not name.
    reply_text text,
    begun_at timestamptz NOT NULL,
    done_at timestamptz,
    PRIMARY KEY (run_id, step),
    CHECK ((state = 'done') = (reply_text IS NOT NULL AND done_at IS NOT NULL))
  )`,
]);
