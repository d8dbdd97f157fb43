import type { Timestamp } from './columns.ts';

export interface IdempotencyKeysTable {
  merchantKey: string;
  idempotencyKey: string;
  requestHash: string;
  resourceId: string;
  status: number | null;
  answerText: string | null;
  heldUntil: Timestamp;
  createdAt: Timestamp;
  expiresAt: Timestamp;
}
