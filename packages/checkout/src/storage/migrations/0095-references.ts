import { statements } from './statements.ts';

export const references = statements([
  // A reference says whose it is: the one that we give to a payment, and those that the provider gives.
  `ALTER TABLE payments RENAME COLUMN reference TO merchant_reference`,
  `ALTER TABLE former_payments RENAME COLUMN reference TO merchant_reference`,
  `ALTER TABLE payment_references RENAME COLUMN reference TO provider_reference`,
  `ALTER TABLE provider_events RENAME COLUMN reference TO provider_reference`,
  // The text of a function does not follow the name of a column.
  `CREATE OR REPLACE FUNCTION guard_payment() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      before text := CASE TG_OP WHEN 'INSERT' THEN 'none' ELSE OLD.state END;
    BEGIN
      IF before <> NEW.state AND NOT EXISTS (SELECT FROM legal_transitions WHERE from_state = before AND to_state = NEW.state) THEN
        RAISE EXCEPTION 'a payment does not become % after %', NEW.state, before USING ERRCODE = 'restrict_violation';
      END IF;
      IF TG_OP = 'INSERT' THEN
        IF NEW.version <> 1 THEN
          RAISE EXCEPTION 'a payment begins with version 1' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
      END IF;
      IF NEW.version <> OLD.version + 1 AND (NEW.version <> OLD.version
        OR (NEW.state, NEW.unknown, NEW.authorized_minor, NEW.captured_minor, NEW.received_minor, NEW.refunded_minor, NEW.reserved_minor,
            NEW.acting, NEW.decided_by)
          IS DISTINCT FROM (OLD.state, OLD.unknown, OLD.authorized_minor, OLD.captured_minor, OLD.received_minor, OLD.refunded_minor,
            OLD.reserved_minor, OLD.acting, OLD.decided_by)) THEN
        RAISE EXCEPTION 'a change of a payment makes its version one more' USING ERRCODE = 'restrict_violation';
      END IF;
      IF (NEW.id, NEW.merchant_key, NEW.operation, NEW.order_number, NEW.merchant_reference, NEW.currency, NEW.amount_minor, NEW.amount_text, NEW.amount_open)
        IS DISTINCT FROM (OLD.id, OLD.merchant_key, OLD.operation, OLD.order_number, OLD.merchant_reference, OLD.currency, OLD.amount_minor,
          OLD.amount_text, OLD.amount_open) THEN
        RAISE EXCEPTION 'what a payment was begun with does not change' USING ERRCODE = 'restrict_violation';
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE OR REPLACE FUNCTION keep_payment_id() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO former_payments (id, merchant_reference) VALUES (OLD.id, OLD.merchant_reference) ON CONFLICT DO NOTHING;
      RETURN OLD;
    END $$`,
]);
