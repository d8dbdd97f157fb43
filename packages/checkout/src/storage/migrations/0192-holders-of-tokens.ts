import { statements } from './statements.ts';

export const holdersOfTokens = statements([
  // Keyed, as `cards.fingerprint` is. A token from before has none: it still pays, and its card gets another token when it is saved again,
  // because the saver's name is not known.
  `ALTER TABLE card_tokens ADD COLUMN holder_fingerprint text CHECK (holder_fingerprint ~ '^[0-9a-f]{64}$')`,
]);
