import { statements } from './statements.ts';

export const replyDrift = statements([
  // Fields and words in replies of providers that their connector does not declare, and fields that they lack: names and kinds, never values.
  // Processes add to it in batches.
  `CREATE TABLE reply_drift (
    connector_id text NOT NULL,
    -- Of the connector's package.
    version text NOT NULL,
    endpoint text NOT NULL,
    kind text NOT NULL,
    -- The variant of the reply; empty where there is none.
    reply text NOT NULL,
    -- Of HTTP, where the reply was refused; else 0.
    status integer NOT NULL,
    -- A path of names, a status word, or the names of an error shape.
    place text NOT NULL,
    -- The kinds of JSON that stood there.
    form text NOT NULL,
    seen bigint NOT NULL,
    first_seen_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    PRIMARY KEY (connector_id, version, endpoint, kind, reply, status, place, form)
  )`,
]);
