import type { Generated, Timestamp } from './columns.ts';

export type NotificationState = 'received' | 'handled' | 'refused' | 'failed';
export type ProviderEventState = 'applied' | 'ignored' | 'quarantined' | 'unmatched';

export interface ProviderNotificationsTable {
  id: string;
  connectorId: string;
  midId: string;
  requestText: string;
  body: Uint8Array;
  state: Generated<NotificationState>;
  tries: Generated<number>;
  nextTryAt: Timestamp;
  detail: string | null;
  receivedAt: Timestamp;
  handledAt: Timestamp | null;
}

export interface ProviderEventsTable {
  connectorId: string;
  midId: string;
  eventId: string;
  paymentId: string | null;
  notificationId: string | null;
  kind: string;
  providerReference: string;
  amountText: string | null;
  currency: string | null;
  dataText: string;
  state: ProviderEventState;
  reason: string | null;
  at: Timestamp;
}
