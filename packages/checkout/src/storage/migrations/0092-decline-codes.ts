import { statements } from './statements.ts';

export const declineCodes = statements([
  // Core's code of the reason, by which the page has a text in the payer's language. Payments from before have none: the page shows their
  // reason as it is. No CHECK: a later version knows more codes, and an older process must not fail over them.
  `ALTER TABLE payments ADD COLUMN decline_code text`,
]);
