import { statements } from './statements.ts';

export const formerPayments = statements([
  // The ids of payments that were deleted. A payer may hold the hash of such a payment's return for ever, so its id must stay known: no
  // request may begin with it.
  `CREATE TABLE former_payments (
    id uuid PRIMARY KEY,
    -- The id of its transaction, which the callbacks of commands begin with.
    reference text NOT NULL UNIQUE
  )`,
  `CREATE FUNCTION keep_payment_id() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO former_payments (id, reference) VALUES (OLD.id, OLD.reference) ON CONFLICT DO NOTHING;
      RETURN OLD;
    END $$`,
  `CREATE TRIGGER payment_ids_are_kept AFTER DELETE ON payments FOR EACH ROW EXECUTE FUNCTION keep_payment_id()`,
]);
