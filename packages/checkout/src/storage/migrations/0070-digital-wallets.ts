import { statements } from './statements.ts';

export const digitalWallets = statements([
  // The wallet that a payment is made with, and whether its number is a device's or the card's own, where its token was opened.
  `ALTER TABLE payments
    ADD COLUMN digital_wallet text CHECK (digital_wallet ~ '^[a-z]+$'),
    ADD COLUMN pan_type text CHECK (pan_type IN ('dpan', 'fpan')),
    ADD CHECK (pan_type IS NULL OR digital_wallet IS NOT NULL)`,
  // A wallet's token pays once, in all processes and for ever: this row is there exactly if the payment is.
  `CREATE TABLE wallet_tokens (
    token_hash text PRIMARY KEY CHECK (token_hash ~ '^[0-9a-f]{64}$'),
    payment_id uuid NOT NULL REFERENCES payments (id),
    used_at timestamptz NOT NULL
  )`,
]);
