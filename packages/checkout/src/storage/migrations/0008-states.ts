import { statements } from './statements.ts';

/** The table of core as it was when this migration was written; a test compares what the database holds with core's. */
const LEGAL_MOVES = `
  ('none', 'created'),
  ('created', 'pending'), ('created', 'authorized'), ('created', 'settled'), ('created', 'declined'), ('created', 'expired'),
  ('pending', 'authorized'), ('pending', 'settled'), ('pending', 'declined'), ('pending', 'expired'),
  ('authorized', 'settled'), ('authorized', 'reversed'),
  ('declined', 'pending'), ('declined', 'authorized'), ('declined', 'settled'),
  ('expired', 'pending'), ('expired', 'authorized'), ('expired', 'settled'),
  ('settled', 'voided'), ('settled', 'refunded'), ('settled', 'reversed'), ('settled', 'charged_back')`;

export const states = statements([
  // Every change of a payment's state that there is (docs/states.md). 'none': before its first row.
  `CREATE TABLE legal_transitions (
    from_state text NOT NULL,
    to_state text NOT NULL,
    PRIMARY KEY (from_state, to_state),
    CHECK (from_state <> to_state)
  )`,
  `INSERT INTO legal_transitions (from_state, to_state) VALUES ${LEGAL_MOVES}`,
  `ALTER TABLE payments
    -- The sum that refunds under way will take if they succeed; they cannot take more than there is.
    ADD COLUMN reserved_minor numeric(38, 0) NOT NULL DEFAULT 0 CHECK (reserved_minor >= 0),
    -- The action under way that excludes every other one.
    ADD COLUMN acting text CHECK (acting IN ('capture', 'void', 'release')),
    ADD CONSTRAINT payments_refunds_fit CHECK (refunded_minor + reserved_minor <= received_minor),
    -- Not about rows from before, which nothing kept to it.
    ADD CONSTRAINT payments_hold_fits CHECK (authorized_minor = 0 OR received_minor <= authorized_minor) NOT VALID,
    ADD CONSTRAINT payments_refunded_whole CHECK (state <> 'refunded' OR refunded_minor = received_minor),
    ADD CONSTRAINT payments_unknown_is_pending CHECK (NOT unknown OR state = 'pending')`,
  // Every change of a payment's state or sums counts its version up; the fields it was begun with never change.
  `CREATE FUNCTION guard_payment() RETURNS trigger LANGUAGE plpgsql AS $$
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
      IF (NEW.id, NEW.merchant_key, NEW.operation, NEW.order_number, NEW.reference, NEW.currency, NEW.amount_minor, NEW.amount_text, NEW.amount_open)
        IS DISTINCT FROM (OLD.id, OLD.merchant_key, OLD.operation, OLD.order_number, OLD.reference, OLD.currency, OLD.amount_minor,
          OLD.amount_text, OLD.amount_open) THEN
        RAISE EXCEPTION 'what a payment was begun with does not change' USING ERRCODE = 'restrict_violation';
      END IF;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER payments_move_by_the_table BEFORE INSERT OR UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION guard_payment()`,
]);
