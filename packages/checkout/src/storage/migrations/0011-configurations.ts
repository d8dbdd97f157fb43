import { statements } from './statements.ts';

export const configurations = statements([
  // Secrets of the service's own that all processes share, such as the key of the page addresses. Sealed: the key for that is not in here.
  `CREATE TABLE service_secrets (
    name text PRIMARY KEY,
    sealed text NOT NULL,
    made_at timestamptz NOT NULL
  )`,
  // Merchants and MIDs, a version for each change; every process works with the newest. Nothing is changed or deleted: it is the history.
  `CREATE TABLE configurations (
    version integer PRIMARY KEY CHECK (version > 0),
    -- JSON without secrets, readable for operators.
    public_text text NOT NULL,
    -- JSON of the secrets that were taken out of it, sealed.
    sealed text NOT NULL,
    -- Where it came from: the configuration of a process that started, or a change while it ran.
    origin text NOT NULL CHECK (origin IN ('start', 'change')),
    applied_at timestamptz NOT NULL
  )`,
]);
