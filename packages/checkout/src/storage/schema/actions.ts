import type { ActionName, ActionStateName } from '@railyard/core/payment';
import type { Generated } from 'kysely';
import type { Timestamp } from './columns.ts';

export interface ActionsTable {
  id: string;
  paymentId: string;
  kind: ActionName;
  amountText: string;
  /** Whole minor units as decimal text. */
  amountMinor: string;
  currency: string;
  state: ActionStateName;
  providerReference: string | null;
  providerStatus: string | null;
  providerCode: string | null;
  providerMessage: string | null;
  reason: string | null;
  pollAt: Timestamp | null;
  polls: Generated<number>;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

export interface LegalActionTransitionsTable {
  fromState: ActionStateName | 'none';
  toState: ActionStateName;
}
