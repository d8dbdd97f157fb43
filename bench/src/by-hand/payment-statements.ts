/** The tables of the payments that are written by hand. */
export const TABLES = `
  CREATE TABLE sessions (id uuid PRIMARY KEY, token_hash text NOT NULL UNIQUE, order_number text NOT NULL, request text NOT NULL,
    state text NOT NULL, created_at timestamptz NOT NULL);
  CREATE TABLE payments (id uuid PRIMARY KEY, session_id uuid NOT NULL REFERENCES sessions, reference text UNIQUE, state text NOT NULL,
    updated_at timestamptz NOT NULL);
  CREATE INDEX ON payments (session_id);
  CREATE TABLE history (payment_id uuid NOT NULL, state text NOT NULL, at timestamptz NOT NULL);
  CREATE INDEX ON history (payment_id);
  CREATE TABLE journal (payment_id uuid NOT NULL, step text NOT NULL, request text, reply text, at timestamptz NOT NULL,
    PRIMARY KEY (payment_id, step));
  CREATE TABLE notifications (id uuid PRIMARY KEY, body text NOT NULL, state text NOT NULL, at timestamptz NOT NULL);
  CREATE TABLE callbacks (id uuid PRIMARY KEY, payment_id uuid NOT NULL, body text NOT NULL, state text NOT NULL,
    next_try_at timestamptz NOT NULL);
  CREATE INDEX ON callbacks (payment_id);
  CREATE TABLE attempts (callback_id uuid NOT NULL, status integer NOT NULL, at timestamptz NOT NULL);
  CREATE INDEX ON attempts (callback_id);`;

/** The nine statements of a payment, each of which is prepared. They keep what those of the checkout keep, in plain columns. */
export const STATEMENTS = {
  store: `INSERT INTO sessions VALUES ($1, $2, $3, $4, 'open', now())`,
  page: `SELECT id, request FROM sessions WHERE token_hash = $1 AND state = 'open'`,
  begin: `WITH claimed AS (UPDATE sessions SET state = 'paying' WHERE id = $2 AND state = 'open' RETURNING id)
    INSERT INTO payments SELECT $1, id, NULL, 'created', now() FROM claimed`,
  intend: `INSERT INTO journal VALUES ($1, 'charge', $2, NULL, now())`,
  answer: `WITH replied AS (UPDATE journal SET reply = $3 WHERE payment_id = $1 AND step = 'charge'),
    changed AS (UPDATE payments SET state = 'pending', reference = $2, updated_at = now() WHERE id = $1 AND state = 'created' RETURNING id),
    recorded AS (INSERT INTO history SELECT id, 'pending', now() FROM changed)
    INSERT INTO callbacks SELECT $4, id, $5, 'waiting', now() FROM changed`,
  notified: `WITH kept AS (INSERT INTO notifications VALUES ($1, $2, 'received', now()))
    SELECT p.id, s.request FROM payments p JOIN sessions s ON s.id = p.session_id WHERE p.id = $3`,
  settle: `WITH changed AS (
      UPDATE payments SET state = 'settled', updated_at = now() WHERE id = $1 AND state IN ('created', 'pending') RETURNING id, session_id),
    handled AS (UPDATE notifications SET state = 'handled' WHERE id = $2),
    ended AS (UPDATE sessions s SET state = 'completed' FROM changed WHERE s.id = changed.session_id),
    recorded AS (INSERT INTO history SELECT id, 'settled', now() FROM changed)
    INSERT INTO callbacks SELECT $3, id, $4, 'waiting', now() FROM changed`,
  delivered: `WITH logged AS (INSERT INTO attempts VALUES ($1, $2, now()))
    UPDATE callbacks SET state = 'delivered' WHERE id = $1`,
} as const;
