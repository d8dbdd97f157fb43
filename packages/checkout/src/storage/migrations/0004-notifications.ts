import { statements } from './statements.ts';

export const notifications = statements([
  // Notifications of providers, byte for byte, stored before they are acknowledged: the signature is checked over these bytes.
  `CREATE TABLE provider_notifications (
    id uuid PRIMARY KEY,
    connector_id text NOT NULL,
    mid_id text NOT NULL,
    -- JSON object; names in lower case.
    headers_text text NOT NULL,
    body bytea NOT NULL,
    state text NOT NULL DEFAULT 'received' CHECK (state IN ('received', 'handled', 'refused', 'failed')),
    tries integer NOT NULL DEFAULT 0,
    -- While this lies ahead, a process is at work on it.
    next_try_at timestamptz NOT NULL,
    detail text,
    received_at timestamptz NOT NULL,
    handled_at timestamptz
  )`,
  `CREATE INDEX provider_notifications_to_handle ON provider_notifications (next_try_at) WHERE state = 'received'`,
  // One row per event of a provider, whichever way it came: the second copy has no effect.
  `CREATE TABLE provider_events (
    connector_id text NOT NULL,
    mid_id text NOT NULL,
    event_id text NOT NULL,
    payment_id uuid REFERENCES payments (id),
    notification_id uuid REFERENCES provider_notifications (id),
    kind text NOT NULL,
    reference text NOT NULL,
    -- As the provider told it.
    amount_text text,
    currency text,
    -- JSON: the event, for an operator who looks into a quarantined one.
    data_text text NOT NULL,
    state text NOT NULL CHECK (state IN ('applied', 'ignored', 'quarantined', 'unmatched')),
    reason text,
    at timestamptz NOT NULL,
    PRIMARY KEY (connector_id, mid_id, event_id)
  )`,
  `CREATE INDEX provider_events_by_payment ON provider_events (payment_id)`,
  `CREATE INDEX provider_events_to_look_at ON provider_events (state, at) WHERE state IN ('quarantined', 'unmatched')`,
]);
