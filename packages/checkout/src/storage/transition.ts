import type { DeclineCode, PaymentFacts } from '@railyard/core';
import type { ConnectorValues } from '@railyard/core/driver';
import type { ExclusiveModification, ModificationName, ModificationStateName } from '@railyard/core/payment';
import type { Day } from '@railyard/core/protocol';
import type { NewPayment, StartedPayment } from './insert-payment.ts';
import type { Payment, StoredMoney } from './payment.ts';
import type { RunLease } from './runs.ts';
import type { CallbacksTable, PaymentState, Selectable, SessionState } from './tables.ts';

/** A callback to the merchant, which is written with the change that it reports. */
export interface NewCallback {
  /** It stays the same over all attempts. */
  readonly id: string;
  readonly url: string;
  /** The address is this payment's own: it does not follow the merchant's. */
  readonly ownUrl?: boolean;
  readonly contentType: string;
  /** Sent as it is. */
  readonly body: string;
}

/** A callback as it is sent. */
export type SentCallback = Pick<
  Selectable<CallbacksTable>,
  'id' | 'paymentId' | 'merchantKey' | 'test' | 'seq' | 'url' | 'contentType' | 'body' | 'attempts' | 'tries'
>;

/** The provider's event that causes a change of a payment. */
export interface TransitionEvent {
  readonly eventId: string;
  readonly kind: string;
  readonly providerReference: string;
  readonly amountText?: string;
  readonly currency?: string;
  /** JSON. */
  readonly data: unknown;
  readonly notificationId?: string;
  /** It is all that the notification says, which is handled with it. */
  readonly endsNotification?: boolean;
}

/** The run that causes a change of a payment. */
export interface TransitionRun {
  readonly lease: RunLease;
  /** The reply that led to it, where it is not written yet. It is a fact: it is written whatever becomes of the change. */
  readonly reply?: { readonly step: string; readonly text: string } | undefined;
  readonly next:
    | { readonly state: 'finished'; readonly outcome: unknown }
    | { readonly state: 'suspended'; readonly step: string; readonly asks: unknown };
}

/** The change that one of a payment makes to its schedule. */
export type ScheduleChange =
  /** A payer has agreed to later charges: a chain begins with this payment, unless its schedule was deleted meanwhile. */
  | {
      readonly kind: 'began';
      readonly scheduleId: string;
      readonly tokenHash: string;
      /** The day of the payment. */
      readonly began: Day;
      readonly startDate?: Day | undefined;
    }
  /** A charge of the schedule has ended, on this day. A hard decline pauses its chain in the same statement. */
  | { readonly kind: 'ended'; readonly state: 'settled' | 'declined_soft' | 'declined_hard'; readonly today: Day };

type ProviderWords = { readonly status?: string; readonly code?: string; readonly message?: string };

/** A modification on a payment that begins with a change of the payment, and the run of its flow. */
export interface NewModification {
  /** A UUID: the transaction's, and its run's. */
  readonly id: string;
  readonly kind: ModificationName;
  readonly amount: StoredMoney;
  /** Absent: it took place at the provider, and is recorded as a success. Without an owner any process takes its run at its next poll. */
  readonly run?: {
    readonly purpose: string;
    readonly input: unknown;
    readonly owner: string | null;
    readonly leaseMs: number;
  };
  readonly providerReference?: string;
}

/** How a modification stands with a change of its payment. What is left out stays as it is. */
export interface ModificationUpdate {
  readonly id: string;
  readonly state: ModificationStateName;
  readonly providerReference?: string;
  readonly provider?: ProviderWords;
  readonly reason?: string;
  readonly facts?: PaymentFacts;
  /** When the provider is asked about it next; `null`: not by itself. */
  readonly pollInMs: number | null;
}

/** The new standing of a payment. What is left out stays as it is. */
export interface PaymentUpdate {
  readonly state: PaymentState;
  readonly unknown: boolean;
  /** `null`: nothing any more. */
  readonly received?: StoredMoney | null;
  readonly authorizedMinor?: bigint;
  readonly capturedMinor?: bigint;
  readonly refundedMinor?: bigint;
  readonly reservedMinor?: bigint;
  readonly modifying?: ExclusiveModification | null;
  readonly decidedBy?: string | null;
  readonly reason?: string | null;
  readonly declineKind?: 'soft' | 'hard' | null;
  readonly declineCode?: DeclineCode;
  readonly providerReference?: string;
  readonly provider?: { readonly status?: string; readonly code?: string; readonly message?: string };
  /** JSON; `null`: nothing any more. */
  readonly show?: unknown;
  readonly agreement?: ConnectorValues;
  readonly connectorState?: ConnectorValues;
  readonly facts?: PaymentFacts;
  /** Money that came and does not fit, as it is shown to an operator; `null`: none any more. */
  readonly aside?: string | null;
  /** When the provider is asked next; `null`: not by itself. */
  readonly pollInMs?: number | null;
}

export interface Transition {
  readonly paymentId: string;
  /** The version that the decision was made on. */
  readonly expectedVersion: number;
  readonly change: PaymentUpdate;
  /** The row of the payment's history; `data` is JSON. */
  readonly event: { readonly kind: string; readonly data: object };
  /** The provider's references that lead to this payment from now on. */
  readonly references?: readonly {
    readonly providerReference: string;
    readonly watched?: boolean;
    /** Until when it can be paid. Default: as known before. */
    readonly payableUntil?: Date;
  }[];
  /** The callbacks to the merchant, in this order. */
  readonly callbacks?: readonly NewCallback[];
  /** For how long the first of them is claimed, if the caller sends it. */
  readonly claimMs?: number | undefined;
  /** The provider's event that caused it, once. An event that matched no payment when it first came is applied now. */
  readonly providerEvent?: TransitionEvent;
  /** The run that caused it, which ends with it or waits for the payer. If it is not ours any more, nothing happens. */
  readonly run?: TransitionRun;
  /** A modification on the payment that begins or changes in the same statement. */
  readonly newModification?: NewModification;
  readonly modification?: ModificationUpdate;
  /** The payment that is begun in place of this one, at another account: both are written, or nothing is. */
  readonly failover?: NewPayment;
  /** The change that it makes to the schedule that charges by the agreement, or is to charge by it. */
  readonly schedule?: ScheduleChange | undefined;
  /** How the payment's session ends with it. Money that came completes a session that had expired or was cancelled, too. */
  readonly closeSession?: Exclude<SessionState, 'open'>;
}

export type TransitionResult =
  | {
      readonly result: 'applied';
      readonly payment: Payment;
      /** Whether it ended the session; it had ended before otherwise. */
      readonly closedSession: boolean;
      readonly started?: StartedPayment;
      /** The callback that is the caller's to send. */
      readonly claimed?: SentCallback;
    }
  /** The payment that was to be begun with it could not be: the session has ended, or its time is over. */
  | { readonly result: 'not-inserted' }
  /** The payment changed meanwhile: read it again and decide again. */
  | { readonly result: 'stale' }
  /** The provider's event was applied or set aside before. */
  | { readonly result: 'seen' }
  /** Another process has claimed the run, or it has ended. */
  | { readonly result: 'run-lost' }
  /** Two payments under one reference could take each other's money: a reference of it belongs to another payment. */
  | { readonly result: 'foreign-reference' }
  /** The database undid it for the sake of another statement: decide again. */
  | { readonly result: 'undone' };
