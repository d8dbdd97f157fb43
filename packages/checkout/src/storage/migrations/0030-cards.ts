import { statements } from './statements.ts';

export const cards = statements([
  // The card of one attempt. Number and name are sealed, and taken away once nothing needs them; what is shown outside stays.
  `CREATE TABLE cards (
    id uuid PRIMARY KEY,
    merchant_key text NOT NULL,
    test boolean NOT NULL,
    number_text text,
    holder_text text,
    -- Keyed: the same for the same number, and no way to the number without the service's key.
    fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
    first_six text NOT NULL CHECK (first_six ~ '^[0-9]{6}$'),
    last_four text NOT NULL CHECK (last_four ~ '^[0-9]{4}$'),
    brand text NOT NULL,
    -- Both empty for a card that is only paid to.
    expiry_month text NOT NULL CHECK (expiry_month ~ '^(0[1-9]|1[0-2])?$'),
    expiry_year text NOT NULL CHECK (expiry_year ~ '^([0-9]{4})?$'),
    -- Whether it was taken from a saved card; otherwise it was typed for this attempt.
    from_token boolean NOT NULL,
    created_at timestamptz NOT NULL,
    removed_at timestamptz,
    CHECK ((number_text IS NULL) = (removed_at IS NOT NULL)),
    CHECK ((holder_text IS NULL) = (removed_at IS NOT NULL))
  )`,
  `CREATE INDEX cards_by_fingerprint ON cards (fingerprint, merchant_key)`,
  `CREATE INDEX cards_to_remove ON cards (created_at) WHERE removed_at IS NULL`,
  // A saved card, under the hash of its token: a reader of the database cannot pay with it. The token itself is sealed, because
  // callbacks repeat it.
  `CREATE TABLE card_tokens (
    token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
    card_id uuid NOT NULL REFERENCES cards (id),
    merchant_key text NOT NULL,
    test boolean NOT NULL,
    token_text text NOT NULL,
    made_by uuid NOT NULL REFERENCES payments (id),
    created_at timestamptz NOT NULL
  )`,
  `CREATE INDEX card_tokens_by_card ON card_tokens (card_id)`,
  `ALTER TABLE payments
    ADD COLUMN card_id uuid REFERENCES cards (id),
    ADD COLUMN card_brand text,
    -- The card that a transfer pays to.
    ADD COLUMN payee_card_id uuid REFERENCES cards (id),
    -- The saved card that was paid with, or that this payment saved.
    ADD COLUMN card_token_hash text REFERENCES card_tokens (token_hash) ON DELETE SET NULL`,
  `CREATE INDEX payments_by_card ON payments (card_id) WHERE card_id IS NOT NULL`,
  `CREATE INDEX payments_by_payee_card ON payments (payee_card_id) WHERE payee_card_id IS NOT NULL`,
  `CREATE INDEX payments_by_card_token ON payments (card_token_hash) WHERE card_token_hash IS NOT NULL`,
]);
