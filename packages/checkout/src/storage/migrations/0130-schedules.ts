import { statements } from './statements.ts';

export const schedules = statements([
  // A plan by which payments are charged again. Its terms and its pauses have a history: a due day is judged by what held on it, however
  // late it is looked at.
  `CREATE TABLE schedules (
    id uuid PRIMARY KEY,
    merchant_key text NOT NULL,
    test boolean NOT NULL,
    -- JSON: the terms, oldest first, each with the day after which it holds.
    history_text text NOT NULL,
    -- JSON: the pauses, oldest first; the last may have no end yet.
    pauses_text text NOT NULL,
    paused boolean NOT NULL,
    version integer NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  )`,
]);
