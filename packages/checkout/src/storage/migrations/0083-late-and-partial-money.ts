import { statements } from './statements.ts';

/** The rows of core's table beyond those of 0008; a test compares the database's table with core's. */
const LEGAL_MOVES = `
  ('created', 'partially_approved'), ('pending', 'partially_approved'),
  ('declined', 'partially_approved'), ('expired', 'partially_approved'),
  ('partially_approved', 'settled'), ('partially_approved', 'authorized'), ('partially_approved', 'declined')`;

const ENDED = `state NOT IN ('created', 'pending', 'partially_approved')`;

export const lateAndPartialMoney = statements([
  `INSERT INTO legal_transitions (from_state, to_state) VALUES ${LEGAL_MOVES}`,
  `ALTER TABLE payments DROP CONSTRAINT payments_state_check`,
  `ALTER TABLE payments
    ADD CONSTRAINT payments_state_check CHECK (state IN ('created', 'pending', 'authorized', 'partially_approved', 'settled', 'declined',
      'expired', 'refunded', 'voided', 'reversed', 'charged_back')),
    -- Money that came and does not fit the payment, as the provider told it; NULL: none, or an operator has dealt with it.
    ADD COLUMN aside_text text,
    -- Lookups of an ended payment because of hints, and since when they are counted: hints carry no signature, so they are bounded.
    ADD COLUMN hints integer NOT NULL DEFAULT 0,
    ADD COLUMN hinted_since timestamptz`,
  // Until when this code can be paid; NULL: the provider does not say.
  `ALTER TABLE payment_references ADD COLUMN payable_until timestamptz`,
  // One by one: a time that cannot be read, or a text that JSON of the database cannot hold, leaves that code without an end.
  `DO $$
    DECLARE pending record;
    BEGIN
      FOR pending IN SELECT id, provider_reference, show_text FROM payments
        WHERE state = 'pending' AND provider_reference IS NOT NULL AND show_text LIKE '%"validUntil"%'
      LOOP
        BEGIN
          UPDATE payment_references SET payable_until = (pending.show_text::json ->> 'validUntil')::timestamptz
            WHERE payment_id = pending.id AND reference = pending.provider_reference;
        EXCEPTION WHEN data_exception THEN NULL;
        END;
      END LOOP;
    END $$`,
  `CREATE INDEX payments_with_money_aside ON payments (updated_at) WHERE aside_text IS NOT NULL`,
  `CREATE INDEX payments_approved_in_part ON payments (updated_at) WHERE state = 'partially_approved'`,
  `CREATE INDEX payments_to_poll_late ON payments (mid_id, poll_at) WHERE poll_at IS NOT NULL AND ${ENDED}`,
  `CREATE INDEX payments_beside_others ON payments (updated_at) WHERE attempt > 1 AND state IN ('settled', 'authorized')`,
]);
