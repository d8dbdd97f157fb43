import { statements } from './statements.ts';

export const sessions = statements([
  // A checkout session. `request_text` is the body as the merchant sent it: a jsonb column would reorder keys, and could not hold every
  // string that JSON can. JSON is kept as text in every table for the same reason.
  `CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    merchant_key text NOT NULL,
    operation text NOT NULL CHECK (operation IN ('purchase', 'debit', 'credit', 'transfer')),
    order_number text NOT NULL,
    -- SHA-256 of the token in the page's address, lower-case hex: a reader of the database cannot open the page.
    token_hash text NOT NULL UNIQUE CHECK (token_hash ~ '^[0-9a-f]{64}$'),
    request_text text NOT NULL,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'completed', 'expired', 'cancelled')),
    -- Which way of upper-casing and which inner digest the merchant's signature matched: callbacks are signed alike.
    hash_dialect text NOT NULL CHECK (hash_dialect IN ('ascii', 'unicode')),
    hash_digest text NOT NULL CHECK (hash_digest IN ('md5', 'sha256')),
    test boolean NOT NULL,
    -- The attempt that may still bring money. Claimed with the row lock, so that two tabs cannot start two payments.
    live_payment_id uuid,
    attempts integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    closed_at timestamptz,
    CHECK ((state = 'open') = (closed_at IS NULL))
  )`,
  `CREATE INDEX sessions_by_order ON sessions (merchant_key, order_number, created_at DESC)`,
  `CREATE INDEX sessions_to_expire ON sessions (expires_at) WHERE state = 'open'`,
  // Protocol: Idempotency. One row per order number; the row's lock lets exactly one of many equal requests through.
  `CREATE TABLE duplicate_windows (
    merchant_key text NOT NULL,
    order_number text NOT NULL,
    armed_at timestamptz NOT NULL,
    PRIMARY KEY (merchant_key, order_number)
  )`,
  `CREATE INDEX duplicate_windows_by_age ON duplicate_windows (armed_at)`,
]);
