import { statements } from './statements.ts';

export const connectorValues = statements([
  // The values of a connector say what they are for: later charges of the mandate, or later calls about the payment.
  `ALTER TABLE payments RENAME COLUMN kept_text TO connector_state_text`,
  `ALTER TABLE payments ADD COLUMN agreement_text text NOT NULL DEFAULT '{}'`,
  `UPDATE payments SET agreement_text = connector_state_text WHERE recurring_token IS NOT NULL`,
  // Facts of a transaction that only its provider knows, under the names of core's list.
  `ALTER TABLE payments ADD COLUMN facts_text text NOT NULL DEFAULT '{}'`,
  `ALTER TABLE modifications ADD COLUMN facts_text text NOT NULL DEFAULT '{}'`,
]);
