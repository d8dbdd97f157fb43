import type { Generated } from 'kysely';
import type { Timestamp } from './columns.ts';

export type Operation = 'purchase' | 'debit' | 'credit' | 'transfer';
export type SessionState = 'open' | 'completed' | 'expired' | 'cancelled';

export interface SessionsTable {
  id: string;
  merchantKey: string;
  operation: Operation;
  orderNumber: string;
  tokenHash: string;
  /** The request as it was accepted; in rows from before that, as the merchant sent it. */
  requestText: string;
  state: Generated<SessionState>;
  hashDialect: 'ascii' | 'unicode';
  hashDigest: 'md5' | 'sha256';
  test: boolean;
  hasPage: Generated<boolean>;
  livePaymentId: string | null;
  attempts: Generated<number>;
  createdAt: Timestamp;
  expiresAt: Timestamp;
  closedAt: Timestamp | null;
  /** When retention left of the request only what names the order and its amount. */
  erasedAt: Timestamp | null;
}

export interface DuplicateWindowsTable {
  /** As the request named it: the live key or the test key. */
  merchantKey: string;
  orderNumber: string;
  armedAt: Timestamp;
}
