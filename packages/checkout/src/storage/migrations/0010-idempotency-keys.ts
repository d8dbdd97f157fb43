import { statements } from './statements.ts';

export const idempotencyKeys = statements([
  // An Idempotency-Key of a merchant, kept 24 hours (decision: Idempotency-Key). The row is written before the effect and names it:
  // the repeat of a request whose process died finds out by `effect_id` whether its effect is there, and causes no second one.
  `CREATE TABLE idempotency_keys (
    merchant_key text NOT NULL,
    idempotency_key text NOT NULL,
    -- SHA-256 of the address and the body.
    request_hash text NOT NULL,
    effect_id uuid NOT NULL,
    -- NULL while the request is being handled.
    status integer,
    -- The answer's body, with page tokens left out: those are made again.
    answer_text text,
    held_until timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (merchant_key, idempotency_key),
    CHECK ((status IS NULL) = (answer_text IS NULL))
  )`,
  `CREATE INDEX idempotency_keys_by_age ON idempotency_keys (expires_at)`,
]);
