import type { ModificationName, ModificationStateName } from '@railyard/core/payment';
import type { Generated, Timestamp } from './columns.ts';

export interface ModificationsTable {
  id: string;
  paymentId: string;
  /** Its payment's. */
  midId: string;
  kind: ModificationName;
  amountText: string;
  /** Whole minor units as decimal text. */
  amountMinor: string;
  currency: string;
  state: ModificationStateName;
  providerReference: string | null;
  providerStatus: string | null;
  providerCode: string | null;
  providerMessage: string | null;
  reason: string | null;
  pollAt: Timestamp | null;
  factsText: Generated<string>;
  polls: Generated<number>;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

export interface LegalModificationTransitionsTable {
  fromState: ModificationStateName | 'none';
  toState: ModificationStateName;
}
