import { statements } from './statements.ts';

export const requestSignatures = statements([
  // The ids of signed requests, so that none is accepted twice. They outlive the time for which a signature is accepted.
  `CREATE TABLE request_ids (
    -- As it was sent: the live key and the test key have ids of their own.
    merchant_key text NOT NULL,
    key_id text NOT NULL,
    request_id text NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (merchant_key, key_id, request_id)
  )`,
  `CREATE INDEX request_ids_by_age ON request_ids (expires_at)`,
  // Tests are called back at an address of their own and signed with a secret of their own.
  `ALTER TABLE callbacks ADD COLUMN test boolean NOT NULL DEFAULT false`,
  `UPDATE callbacks c SET test = true FROM payments p JOIN sessions s ON s.id = p.session_id
    WHERE p.id = c.payment_id AND s.test`,
]);
