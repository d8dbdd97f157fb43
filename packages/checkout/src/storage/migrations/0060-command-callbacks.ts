import { statements } from './statements.ts';

export const commandCallbacks = statements([
  // A command may name an address for the callbacks of its payment: those do not follow the merchant's address.
  `ALTER TABLE callbacks ADD COLUMN own_url boolean NOT NULL DEFAULT false`,
]);
