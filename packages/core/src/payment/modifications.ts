import type { OutcomeStatus } from '../connector/outcome.ts';
import type { Operation } from '../method/operation.ts';
import type { PaymentEvent, PaymentStateName } from './transitions.ts';

/** The merchant's modifications on a payment that has money. `release` is the protocol's CREDITVOID of a hold. */
export const MODIFICATION_NAMES = ['capture', 'void', 'release', 'refund'] as const;
export type ModificationName = (typeof MODIFICATION_NAMES)[number];

interface ModificationRule {
  /** The states it is allowed in. */
  readonly from: readonly PaymentStateName[];
  /** The payment's change when the modification succeeds. */
  readonly on: PaymentEvent;
  readonly operations: readonly Operation[];
  /** The connector's flow that does it. */
  readonly flow: 'capture' | 'void' | 'refund';
  /** `whole`: no amount is asked; `once`: one amount; `parts`: several, up to what was received. */
  readonly amount: 'whole' | 'once' | 'parts';
  readonly source: string;
}

/** The modifications on a payment: protocol, States and transitions; reference, Refund, void, capture. */
export const MODIFICATIONS: Readonly<Record<ModificationName, ModificationRule>> = {
  capture: {
    from: ['authorized', 'partially_approved'],
    on: 'captured',
    operations: ['purchase'],
    flow: 'capture',
    amount: 'once',
    source: 'protocol, States and transitions; reference S2S APM, CAPTURE (full, or one part)',
  },
  void: {
    from: ['settled', 'partially_approved'],
    on: 'voided',
    operations: ['purchase'],
    flow: 'void',
    amount: 'whole',
    source: 'protocol, States and transitions (settled payments only)',
  },
  release: {
    from: ['authorized', 'partially_approved'],
    on: 'released',
    operations: ['purchase'],
    flow: 'void',
    amount: 'whole',
    source: 'protocol, States and transitions; reference S2S CARD, CREDITVOID (AUTH to REVERSAL)',
  },
  refund: {
    from: ['settled', 'partially_approved'],
    on: 'refunded',
    operations: ['purchase', 'debit'],
    flow: 'refund',
    amount: 'parts',
    source: 'reference, Refund, void, capture; S2S CARD, CREDITVOID (several partial refunds)',
  },
};

/** States of a modification. Only a success changes the payment; while it is open, what it asks for is reserved. */
export const MODIFICATION_STATES = ['requested', 'pending', 'unknown', 'succeeded', 'failed'] as const;
export type ModificationStateName = (typeof MODIFICATION_STATES)[number];

export interface ModificationRow {
  readonly from: ModificationStateName | 'none';
  readonly on: Exclude<OutcomeStatus, 'authorized'> | 'requested';
  readonly to: ModificationStateName | 'set-aside';
  readonly when: string;
}

const OPEN = ['requested', 'pending', 'unknown'] as const;

const rowsOf = (from: readonly ModificationRow['from'][], row: Omit<ModificationRow, 'from'>) =>
  from.map((state): ModificationRow => ({ from: state, ...row }));

/** The state machine of a modification. What has no row is older than what is known and changes nothing. */
export const MODIFICATION_TRANSITIONS: readonly ModificationRow[] = [
  rowsOf(['none'], {
    on: 'requested',
    to: 'requested',
    when: 'the payment is in the right state and has the amount left',
  }),
  rowsOf(['none'], { on: 'settled', to: 'succeeded', when: 'a refund that was made at the provider itself' }),
  rowsOf(OPEN, { on: 'settled', to: 'succeeded', when: 'of exactly the amount that was asked' }),
  rowsOf(OPEN, { on: 'pending', to: 'pending', when: 'the provider accepted it; the amount stays reserved' }),
  rowsOf(OPEN, { on: 'unknown', to: 'unknown', when: 'the outcome is unknown: looked up, the amount stays reserved' }),
  rowsOf(OPEN, { on: 'declined', to: 'failed', when: 'the amount is free again' }),
  rowsOf(['succeeded'], {
    on: 'declined',
    to: 'failed',
    when: 'the provider reports later that it failed; from our own call or an operator, or where other money moved since, it is set aside',
  }),
  rowsOf(['failed'], {
    on: 'settled',
    to: 'set-aside',
    when: 'for a person: the amount may have been asked for again',
  }),
].flat();

/** Every change of a modification's state there is, once each. */
export const LEGAL_MODIFICATION_MOVES: readonly {
  readonly from: ModificationStateName | 'none';
  readonly to: ModificationStateName;
}[] = MODIFICATION_STATES.flatMap((to) =>
  (['none', ...MODIFICATION_STATES] as const)
    .filter((from) => from !== to && MODIFICATION_TRANSITIONS.some((row) => row.from === from && row.to === to))
    .map((from) => ({ from, to })),
);

export function isOpenModification(state: ModificationStateName): boolean {
  return OPEN.some((open) => open === state);
}
