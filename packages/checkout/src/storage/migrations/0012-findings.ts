import { statements } from './statements.ts';

export const findings = statements([
  // The findings of reconciliation, so that each is reported once, however many processes check and however often.
  `CREATE TABLE findings (
    kind text NOT NULL,
    -- The id of the payment, run, callback, notification or event.
    subject text NOT NULL,
    detail text NOT NULL,
    found_at timestamptz NOT NULL,
    -- When something was last done about it.
    acted_at timestamptz NOT NULL,
    PRIMARY KEY (kind, subject)
  )`,
  `CREATE INDEX payments_without_lookup ON payments (updated_at) WHERE poll_at IS NULL AND state IN ('created', 'pending')`,
  // Retention deletes by age; an event outlives the notification that brought it.
  `CREATE INDEX callback_attempts_by_age ON callback_attempts (at)`,
  `CREATE INDEX provider_notifications_by_age ON provider_notifications (received_at)`,
  `CREATE INDEX provider_events_by_notification ON provider_events (notification_id)`,
  `ALTER TABLE provider_events DROP CONSTRAINT provider_events_notification_id_fkey`,
  `ALTER TABLE provider_events ADD CONSTRAINT provider_events_notification_id_fkey
    FOREIGN KEY (notification_id) REFERENCES provider_notifications (id) ON DELETE SET NULL`,
]);
