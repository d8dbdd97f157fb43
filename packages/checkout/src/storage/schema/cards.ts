import type { Timestamp } from './columns.ts';

export interface CardsTable {
  id: string;
  merchantKey: string;
  test: boolean;
  numberText: string | null;
  holderText: string | null;
  fingerprint: string;
  firstSix: string;
  lastFour: string;
  brand: string;
  expiryMonth: string | null;
  expiryYear: string | null;
  fromToken: boolean;
  createdAt: Timestamp;
  removedAt: Timestamp | null;
}

/** Tokens of digital wallets that have paid. */
export interface WalletTokensTable {
  tokenHash: string;
  paymentId: string;
  usedAt: Timestamp;
}

export interface CardTokensTable {
  tokenHash: string;
  cardId: string;
  merchantKey: string;
  test: boolean;
  tokenText: string;
  holderFingerprint: string | null;
  madeBy: string;
  createdAt: Timestamp;
}
