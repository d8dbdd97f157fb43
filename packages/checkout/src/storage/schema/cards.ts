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

export interface CardTokensTable {
  tokenHash: string;
  cardId: string;
  merchantKey: string;
  test: boolean;
  tokenText: string;
  madeBy: string;
  createdAt: Timestamp;
}
