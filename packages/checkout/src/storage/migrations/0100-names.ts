import { statements } from './statements.ts';

export const names = statements([
  // A request makes a resource, whose id its key keeps.
  `ALTER TABLE idempotency_keys RENAME COLUMN effect_id TO resource_id`,
  // A capture, void, release or refund is a modification of a payment.
  `ALTER TABLE actions RENAME TO modifications`,
  `ALTER TABLE legal_action_transitions RENAME TO legal_modification_transitions`,
  `ALTER INDEX actions_pkey RENAME TO modifications_pkey`,
  `ALTER INDEX actions_by_payment RENAME TO modifications_by_payment`,
  `ALTER INDEX actions_to_poll RENAME TO modifications_to_poll`,
  `ALTER INDEX actions_one_exclusive RENAME TO modifications_one_exclusive`,
  `ALTER INDEX actions_one_capture RENAME TO modifications_one_capture`,
  `ALTER INDEX actions_without_lookup RENAME TO modifications_without_lookup`,
  `ALTER TRIGGER actions_move_by_the_table ON modifications RENAME TO modifications_move_by_the_table`,
  `ALTER FUNCTION guard_action() RENAME TO guard_modification`,
  `ALTER TABLE payments RENAME COLUMN acting TO modifying`,
  `ALTER TABLE flow_runs RENAME COLUMN action TO purpose`,
  // A mandate is known by the id of its first payment.
  `ALTER TABLE payments RENAME COLUMN chain_id TO mandate_id`,
  `ALTER TABLE findings RENAME COLUMN acted_at TO handled_at`,
  `UPDATE findings SET kind = replace(kind, 'action-', 'modification-') WHERE kind LIKE 'action-%'`,
  // The text of a function does not follow the name of a table or a column.
  `CREATE OR REPLACE FUNCTION guard_modification() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      before text := CASE TG_OP WHEN 'INSERT' THEN 'none' ELSE OLD.state END;
    BEGIN
      IF before <> NEW.state AND NOT EXISTS (SELECT FROM legal_modification_transitions WHERE from_state = before AND to_state = NEW.state) THEN
        RAISE EXCEPTION 'a modification does not become % after %', NEW.state, before USING ERRCODE = 'restrict_violation';
      END IF;
      IF TG_OP = 'UPDATE' AND (NEW.id, NEW.payment_id, NEW.kind, NEW.amount_minor, NEW.amount_text, NEW.currency)
        IS DISTINCT FROM (OLD.id, OLD.payment_id, OLD.kind, OLD.amount_minor, OLD.amount_text, OLD.currency) THEN
        RAISE EXCEPTION 'what a modification was begun with does not change' USING ERRCODE = 'restrict_violation';
      END IF;
      RETURN NEW;
    END $$`,
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
            NEW.modifying, NEW.decided_by)
          IS DISTINCT FROM (OLD.state, OLD.unknown, OLD.authorized_minor, OLD.captured_minor, OLD.received_minor, OLD.refunded_minor,
            OLD.reserved_minor, OLD.modifying, OLD.decided_by)) THEN
        RAISE EXCEPTION 'a change of a payment makes its version one more' USING ERRCODE = 'restrict_violation';
      END IF;
      IF (NEW.id, NEW.merchant_key, NEW.operation, NEW.order_number, NEW.merchant_reference, NEW.currency, NEW.amount_minor, NEW.amount_text, NEW.amount_open)
        IS DISTINCT FROM (OLD.id, OLD.merchant_key, OLD.operation, OLD.order_number, OLD.merchant_reference, OLD.currency, OLD.amount_minor,
          OLD.amount_text, OLD.amount_open) THEN
        RAISE EXCEPTION 'what a payment was begun with does not change' USING ERRCODE = 'restrict_violation';
      END IF;
      RETURN NEW;
    END $$`,
]);
