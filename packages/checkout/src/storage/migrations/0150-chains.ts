import { statements } from './statements.ts';

export const chains = statements([
  // The payments that a schedule charges after one payment of a payer, whose id this is. A due day is not written ahead: `poll_at` says when
  // the chain is looked at next.
  `CREATE TABLE chains (
    id uuid PRIMARY KEY REFERENCES payments (id),
    schedule_id uuid NOT NULL REFERENCES schedules (id),
    merchant_key text NOT NULL,
    test boolean NOT NULL,
    mid_id text NOT NULL,
    -- SHA-256 of the merchant's token to charge again, by which it is named.
    token_hash text NOT NULL,
    -- Days of the merchant's time zone: of the first payment, and of the first charge where the merchant has chosen it.
    began text NOT NULL,
    start_date text,
    -- The day on which a pause of this chain alone began; the pauses that have ended, as JSON.
    paused_after text,
    pauses_text text NOT NULL DEFAULT '[]',
    ended_at timestamptz,
    poll_at timestamptz,
    polls integer NOT NULL DEFAULT 0,
    -- Counts what made it due by itself, so that a plan made before that does not take its place.
    wakes integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL
  )`,
  `CREATE INDEX chains_to_poll_by_mid ON chains (mid_id, poll_at) WHERE poll_at IS NOT NULL`,
  `CREATE INDEX chains_by_schedule ON chains (schedule_id)`,
  `CREATE INDEX chains_by_token ON chains (token_hash)`,
  // The result of a due day. One row for a day: nothing charges one twice.
  `CREATE TABLE due_days (
    mandate_id uuid NOT NULL REFERENCES chains (id),
    day text NOT NULL,
    state text NOT NULL CHECK (state IN ('begun', 'settled', 'declined_soft', 'declined_hard', 'paused', 'missed', 'refused')),
    -- The session of its charge, and the first payment in it.
    charge_id uuid UNIQUE,
    -- The days of its first try and of its last one.
    first_tried text,
    last_tried text,
    at timestamptz NOT NULL,
    PRIMARY KEY (mandate_id, day),
    CHECK ((charge_id IS NULL) = (state IN ('paused', 'missed', 'refused') AND first_tried IS NULL))
  )`,
]);
