import type { Money, ProviderEvent, Show } from '@railyard/core';
import type { ConnectorValues } from '@railyard/core/driver';
import type { OutcomeStatus } from '@railyard/core/driver';
import {
  addMoney,
  type PaymentState,
  subtractMoney,
  type ModificationFlowName,
  modificationFlows,
} from '@railyard/core/payment';
import type { SessionRequest } from '@railyard/core/protocol';
import type { FlowName, NextAction } from '@railyard/runtime';

/** A run as it is kept: enough to drive it again with the same context. */
export interface RunRecord {
  readonly id: string;
  readonly flow: FlowName;
  /** ISO 8601 in UTC. */
  readonly began: string;
  readonly ended: boolean;
  /** The provider's reference that the run works on. */
  readonly on?: string;
  /** The amount that a modification moves, and the amount that could still be moved. */
  readonly amount?: Money;
  readonly remaining?: Money;
  /** Of a void: whether it lets go of a hold. */
  readonly held?: boolean;
  /** Of a lookup: the run of the modification that is asked for. */
  readonly about?: string;
}

/** Modifications that the host may be asked for on a payment. */
export type HostModification = ModificationFlowName | 'recurring';

/** The names of all of them. */
export const HOST_MODIFICATIONS: readonly HostModification[] = [...modificationFlows(), 'recurring'];

/** A modification on the payment and how it stands. */
export interface ModificationRecord {
  readonly run: string;
  readonly modification: HostModification;
  readonly amount: Money;
  readonly status: OutcomeStatus;
  /** The provider's reference of the modification, where it gave one. */
  readonly reference?: string | undefined;
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
  readonly agreement: ConnectorValues;
  readonly connectorState: ConnectorValues;
  readonly show?: Show | undefined;
  readonly nextAction?: NextAction | undefined;
  readonly runs: readonly RunRecord[];
  /** Keys of the events that had their effect. */
  readonly events: readonly string[];
  /** Events under a reference that is not known yet. */
  readonly early: readonly ProviderEvent[];
  readonly quarantined: readonly string[];
  readonly modifications: readonly ModificationRecord[];
  readonly polls: number;
  /** The reason of the last decline, for the payer. */
  readonly reason?: string | undefined;
}

/** The data that survives a crash. */
export interface Disk {
  payment: PaymentRecord | undefined;
  journal: string;
}

/** The sum of what a payment refunded. */
export function refunded(payment: PaymentRecord): Money | undefined {
  const moved = payment.modifications.filter(
    ({ modification, status }) => modification === 'refund' && status === 'settled',
  );
  return moved.length === 0 ? undefined : moved.map(({ amount }) => amount).reduce(addMoney);
}

/** The amount that such a modification could still move. @throws Error where nothing was paid */
export function remainingOf({ state, modifications }: PaymentRecord, modification: HostModification): Money {
  const there = state.received ?? state.held;
  if (there === undefined) throw new Error('Nothing was paid.');
  return modifications
    .filter((each) => each.modification === modification && each.status !== 'declined')
    .reduce((rest, { amount }) => (modification === 'recurring' ? rest : subtractMoney(rest, amount)), there);
}
