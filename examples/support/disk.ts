import type { Kept, Money, PaymentState, ProviderEvent, SessionRequest, Show } from '@railyard/core';
import type { FlowName, Turn } from '@railyard/runtime';

/** A run as it is kept: enough to drive it again with the same context. */
export interface RunRecord {
  readonly id: string;
  readonly flow: FlowName;
  /** ISO 8601 in UTC. */
  readonly began: string;
  readonly ended: boolean;
  /** The provider's reference that the run works on. */
  readonly on?: string;
  /** What an amount action moves, and what could still be moved. */
  readonly amount?: Money;
  readonly remaining?: Money;
}

export interface Refund {
  readonly run: string;
  readonly amount: Money;
  readonly status: 'pending' | 'settled' | 'declined' | 'unknown';
}

/** Everything that a tiny payment host knows of its payment. */
export interface PaymentRecord {
  readonly id: string;
  readonly session: SessionRequest;
  /** The payer's answers to fields that the request left out, by path. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** Paths that the payer has to be asked for before the flow can begin. */
  readonly asks: readonly string[];
  readonly state: PaymentState;
  /** The provider's references under which the payment is found; the last one is the current one. */
  readonly references: readonly string[];
  readonly kept: Kept;
  readonly show?: Show | undefined;
  readonly turn?: Turn | undefined;
  readonly runs: readonly RunRecord[];
  /** Keys of the events that had their effect. */
  readonly events: readonly string[];
  /** Events under a reference that is not known yet. */
  readonly early: readonly ProviderEvent[];
  readonly quarantined: readonly string[];
  readonly refunds: readonly Refund[];
  readonly polls: number;
  /** What was last declined, for the payer. */
  readonly reason?: string | undefined;
}

/** What is left after a crash. */
export interface Disk {
  payment: PaymentRecord | undefined;
  journal: string;
}
