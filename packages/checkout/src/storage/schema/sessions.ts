import type { Generated, Timestamp } from './columns.ts';

export type Operation = 'purchase' | 'debit' | 'credit' | 'transfer';
export type SessionState = 'open' | 'completed' | 'expired' | 'cancelled';

/**
 * How a flow reaches the payer of a session. `page`: on our page. `merchant`: through a redirect of the merchant's own, for commands of
 * merchants' servers whose payers are sent to a bank; no route creates it yet. `none`: no payer is there.
 */
export type PayerPresence = 'page' | 'merchant' | 'none';

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
  payerPresence: PayerPresence;
  livePaymentId: string | null;
  /** The payment whose money completed it. */
  paidPaymentId: string | null;
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
