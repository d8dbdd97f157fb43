import { statements } from './statements.ts';

/** The rows of core's tables beyond those of before; a test compares the database's tables with core's. */
const LEGAL_MOVES = `
  ('settled', 'authorized'), ('voided', 'settled'), ('reversed', 'authorized'), ('refunded', 'settled'),
  ('charged_back', 'settled'), ('charged_back', 'refunded')`;

export const lateResults = statements([
  `INSERT INTO legal_transitions (from_state, to_state) VALUES ${LEGAL_MOVES}`,
  `INSERT INTO legal_modification_transitions (from_state, to_state) VALUES ('succeeded', 'failed')`,
]);
