import { statements } from './statements.ts';

export const callbacks = statements([
  // Callbacks to merchants, written in the statement that changed the payment. Nothing is deleted; a dead one can be replayed.
  `CREATE TABLE callbacks (
    -- Stays the same over all attempts (webhook-id).
    id text PRIMARY KEY,
    payment_id uuid NOT NULL REFERENCES payments (id),
    merchant_key text NOT NULL,
    -- The order in which a merchant hears of one payment.
    seq integer NOT NULL,
    url text NOT NULL,
    content_type text NOT NULL,
    -- Frozen: every attempt sends these bytes (UTF-8).
    body text NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead')),
    attempts integer NOT NULL DEFAULT 0,
    -- While an attempt is running this lies ahead of it, so that no other process takes it.
    next_try_at timestamptz NOT NULL,
    last_status integer,
    last_error text,
    created_at timestamptz NOT NULL,
    delivered_at timestamptz,
    UNIQUE (payment_id, seq),
    CHECK ((state = 'delivered') = (delivered_at IS NOT NULL))
  )`,
  `CREATE INDEX callbacks_due ON callbacks (next_try_at) WHERE state = 'waiting'`,
  `CREATE INDEX callbacks_waiting_by_payment ON callbacks (payment_id, seq) WHERE state = 'waiting'`,
  // One row per attempt, for the merchant who asks what became of a callback.
  `CREATE TABLE callback_attempts (
    callback_id text NOT NULL REFERENCES callbacks (id),
    attempt integer NOT NULL,
    status integer,
    error text,
    duration_ms integer NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (callback_id, attempt)
  )`,
]);
