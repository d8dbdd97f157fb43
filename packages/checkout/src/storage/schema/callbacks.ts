import type { Generated, Timestamp } from './columns.ts';

export type CallbackState = 'waiting' | 'delivered' | 'dead';

export interface CallbacksTable {
  id: string;
  paymentId: string;
  merchantKey: string;
  seq: number;
  url: string;
  ownUrl: Generated<boolean>;
  test: Generated<boolean>;
  contentType: string;
  body: string;
  state: Generated<CallbackState>;
  attempts: Generated<number>;
  tries: Generated<number>;
  nextTryAt: Timestamp;
  claimedUntil: Timestamp | null;
  lastStatus: number | null;
  lastError: string | null;
  createdAt: Timestamp;
  deliveredAt: Timestamp | null;
}

export interface CallbackAttemptsTable {
  callbackId: string;
  attempt: number;
  status: number | null;
  error: string | null;
  durationMs: number;
  at: Timestamp;
}

export interface CallbackAddressesTable {
  merchantKey: string;
  url: string;
  failures: Generated<number>;
  timeouts: Generated<Date[]>;
  pausedUntil: Timestamp | null;
  flushedAt: Timestamp | null;
}

export interface DisabledCallbackAddressesTable {
  merchantKey: string;
  url: string;
  at: Timestamp;
}
