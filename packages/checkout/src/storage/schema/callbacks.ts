import type { Generated } from 'kysely';
import type { Timestamp } from './columns.ts';

export type CallbackState = 'waiting' | 'delivered' | 'dead';

export interface CallbacksTable {
  id: string;
  paymentId: string;
  merchantKey: string;
  seq: number;
  url: string;
  contentType: string;
  body: string;
  state: Generated<CallbackState>;
  attempts: Generated<number>;
  nextTryAt: Timestamp;
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
