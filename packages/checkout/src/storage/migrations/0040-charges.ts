import { statements } from './statements.ts';

export const charges = statements([
  // A merchant's own charges and payouts have a session like every payment, and no page: no payer is there.
  `ALTER TABLE sessions ADD COLUMN has_page boolean NOT NULL DEFAULT true`,
  `ALTER TABLE payments
    -- The first payment of the chain that this one charges again.
    ADD COLUMN chain_id uuid REFERENCES payments (id),
    -- The charge that this one tries again. The merchant knows them all by the id of the first.
    ADD COLUMN retry_of uuid REFERENCES payments (id),
    -- The merchant's token to charge again, sealed; reported once the provider has agreed to it.
    ADD COLUMN recurring_token text,
    ADD CONSTRAINT payments_retries_are_charges CHECK (retry_of IS NULL OR chain_id IS NOT NULL)`,
  `CREATE INDEX payments_by_retry_of ON payments (retry_of, attempt) WHERE retry_of IS NOT NULL`,
  // A payout may name the number of a card alone.
  `ALTER TABLE cards
    ALTER COLUMN expiry_month DROP NOT NULL,
    ALTER COLUMN expiry_year DROP NOT NULL,
    ADD CONSTRAINT cards_expire_whole CHECK ((expiry_month IS NULL) = (expiry_year IS NULL))`,
]);
