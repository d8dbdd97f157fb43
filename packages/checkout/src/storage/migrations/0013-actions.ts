import { statements } from './statements.ts';

/** The table of core as it was when this migration was written; a test compares what the database holds with core's. */
const LEGAL_MOVES = `
  ('none', 'requested'), ('none', 'succeeded'),
  ('requested', 'pending'), ('requested', 'unknown'), ('requested', 'succeeded'), ('requested', 'failed'),
  ('pending', 'unknown'), ('pending', 'succeeded'), ('pending', 'failed'),
  ('unknown', 'pending'), ('unknown', 'succeeded'), ('unknown', 'failed')`;

export const actions = statements([
  `CREATE TABLE legal_action_transitions (
    from_state text NOT NULL,
    to_state text NOT NULL,
    PRIMARY KEY (from_state, to_state),
    CHECK (from_state <> to_state)
  )`,
  `INSERT INTO legal_action_transitions (from_state, to_state) VALUES ${LEGAL_MOVES}`,
  // A capture, void, release or refund of a payment. Its id is the transaction's, and that of the run of its flow; one made at the provider
  // itself has no run.
  `CREATE TABLE actions (
    id uuid PRIMARY KEY,
    payment_id uuid NOT NULL REFERENCES payments (id),
    kind text NOT NULL CHECK (kind IN ('capture', 'void', 'release', 'refund')),
    amount_text text NOT NULL,
    amount_minor numeric(38, 0) NOT NULL CHECK (amount_minor >= 0),
    currency text NOT NULL,
    state text NOT NULL CHECK (state IN ('requested', 'pending', 'unknown', 'succeeded', 'failed')),
    -- The provider's reference of the action itself, and its words.
    provider_reference text,
    provider_status text,
    provider_code text,
    provider_message text,
    reason text,
    -- When the provider is asked next; NULL: not by itself.
    poll_at timestamptz,
    polls integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  )`,
  `CREATE INDEX actions_by_payment ON actions (payment_id, created_at)`,
  `CREATE INDEX actions_to_poll ON actions (poll_at) WHERE poll_at IS NOT NULL`,
  // One capture, void or release at a time, and one capture that is not a failure for ever.
  `CREATE UNIQUE INDEX actions_one_exclusive ON actions (payment_id)
    WHERE kind <> 'refund' AND state IN ('requested', 'pending', 'unknown')`,
  `CREATE UNIQUE INDEX actions_one_capture ON actions (payment_id) WHERE kind = 'capture' AND state <> 'failed'`,
  `CREATE FUNCTION guard_action() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      before text := CASE TG_OP WHEN 'INSERT' THEN 'none' ELSE OLD.state END;
    BEGIN
      IF before <> NEW.state AND NOT EXISTS (SELECT FROM legal_action_transitions WHERE from_state = before AND to_state = NEW.state) THEN
        RAISE EXCEPTION 'an action does not become % after %', NEW.state, before USING ERRCODE = 'restrict_violation';
      END IF;
      IF TG_OP = 'UPDATE' AND (NEW.id, NEW.payment_id, NEW.kind, NEW.amount_minor, NEW.amount_text, NEW.currency)
        IS DISTINCT FROM (OLD.id, OLD.payment_id, OLD.kind, OLD.amount_minor, OLD.amount_text, OLD.currency) THEN
        RAISE EXCEPTION 'what an action was begun with does not change' USING ERRCODE = 'restrict_violation';
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER actions_move_by_the_table BEFORE INSERT OR UPDATE ON actions FOR EACH ROW EXECUTE FUNCTION guard_action()`,
]);
