import type { ExclusiveModification, PaymentStateName } from '@railyard/core/payment';
import type { Generated, Timestamp } from './columns.ts';
import type { Operation } from './sessions.ts';

export type PaymentState = PaymentStateName;

/** The columns that end in `Minor` are whole minor units as decimal text, because drivers differ in how they read a numeric. */
export interface PaymentsTable {
  id: string;
  sessionId: string | null;
  merchantKey: string;
  operation: Operation;
  orderNumber: string;
  merchantReference: string;
  method: string;
  methodAlias: string;
  connectorId: string;
  connectorVersion: string;
  midId: string;
  /** Counts the payments of a session. */
  attempt: number;
  /** Counts the payer's tries; one may be several payments, of which each was declined but the last. */
  payerTry: number;
  state: PaymentState;
  unknown: Generated<boolean>;
  amountText: string | null;
  currency: string;
  amountMinor: string | null;
  amountOpen: boolean;
  payerIp: string | null;
  cardId: string | null;
  cardBrand: string | null;
  payeeCardId: string | null;
  cardTokenHash: string | null;
  /** `applepay`, `googlepay`. */
  digitalWallet: string | null;
  panType: 'dpan' | 'fpan' | null;
  mandateId: string | null;
  retryOf: string | null;
  recurringToken: string | null;
  authorizedMinor: Generated<string>;
  capturedMinor: Generated<string>;
  receivedMinor: Generated<string>;
  receivedText: string | null;
  receivedCurrency: string | null;
  decidedBy: string | null;
  refundedMinor: Generated<string>;
  reservedMinor: Generated<string>;
  modifying: ExclusiveModification | null;
  reason: string | null;
  declineKind: 'soft' | 'hard' | null;
  /** Core's code of the reason; `null` where there is none, or the payment is from before there were codes. */
  declineCode: string | null;
  providerReference: string | null;
  providerStatus: string | null;
  providerCode: string | null;
  providerMessage: string | null;
  showText: string | null;
  agreementText: Generated<string>;
  connectorStateText: Generated<string>;
  factsText: Generated<string>;
  asideText: string | null;
  hints: Generated<number>;
  hintedSince: Timestamp | null;
  pollAt: Timestamp | null;
  polls: Generated<number>;
  callbacks: Generated<number>;
  version: number;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  /** When retention removed what is personal. */
  erasedAt: Timestamp | null;
}

export interface LegalTransitionsTable {
  fromState: PaymentState | 'none';
  toState: PaymentState;
}

export interface PaymentReferencesTable {
  connectorId: string;
  midId: string;
  providerReference: string;
  paymentId: string;
  watched: boolean;
  payableUntil: Timestamp | null;
  createdAt: Timestamp;
}

export interface PaymentEventsTable {
  paymentId: string;
  version: number;
  kind: string;
  fromState: PaymentState | null;
  toState: PaymentState;
  dataText: string;
  at: Timestamp;
}
