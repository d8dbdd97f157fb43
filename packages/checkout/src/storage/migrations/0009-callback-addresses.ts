import { statements } from './statements.ts';

export const callbackAddresses = statements([
  // How an address fares, over all merchants and processes that use it. An address that never failed has no row.
  `CREATE TABLE callback_addresses (
    url text PRIMARY KEY,
    -- Failures in a row; a success makes it 0.
    failures integer NOT NULL DEFAULT 0,
    -- When it let us wait in vain: the last few minutes, none older than its last success.
    timeouts timestamptz[] NOT NULL DEFAULT '{}',
    paused_until timestamptz,
    -- When what waited for it was last brought forward.
    flushed_at timestamptz
  )`,
  // Addresses that answered HTTP 410 (gone), per merchant. Their callbacks wait until an operator resumes them.
  `CREATE TABLE disabled_callback_addresses (
    merchant_key text NOT NULL,
    url text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (merchant_key, url)
  )`,
  `ALTER TABLE callbacks
    -- Attempts that count along the retry plan: a replay begins it again.
    ADD COLUMN tries integer NOT NULL DEFAULT 0,
    -- While an attempt is under way this lies ahead of it, so that no other process takes it.
    ADD COLUMN claimed_until timestamptz`,
  `CREATE INDEX callbacks_waiting_by_url ON callbacks (url, next_try_at) WHERE state = 'waiting'`,
  `CREATE INDEX callbacks_dead ON callbacks (created_at, id) WHERE state = 'dead'`,
]);
