import { statements } from './statements.ts';

/** Method and address of a notification are kept beside its headers. What is stored is sealed for its column: earlier ones cannot be opened. */
export const notificationRequests = statements([
  `ALTER TABLE provider_notifications RENAME COLUMN headers_text TO request_text`,
]);
