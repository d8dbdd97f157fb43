import type { OutcomeStatus } from '../connector/outcome.ts';
import type { Operation } from '../method/operation.ts';
import type { CommandFormula } from '../signature/command-formulas.ts';
import type { Formula } from '../signature/formulas.ts';
import type { PaymentStateName } from './state-names.ts';

/** The text of a refusal and its code in the reference's error list (S2S CARD, Errors). */
type Refusal = readonly [text: string, code?: number];

interface ModificationRule {
  /** The states it is allowed in. */
  readonly from: readonly PaymentStateName[];
  /** The payment's event when the modification succeeds, and the state that it leads to from a payment that is whole. */
  readonly on: string;
  readonly to: PaymentStateName;
  readonly operations: readonly Operation[];
  /**
   * The effect of a success. `takes`: takes the held money, or a part of it. `lets-go`: ends the hold. `gives-back`: gives back all that was
   * received. `refunds`: gives back a part or all of it, as a transaction of its own; several go side by side. All others exclude each other.
   */
  readonly effect: 'takes' | 'lets-go' | 'gives-back' | 'refunds';
  /** The connector's flow that does it. */
  readonly flow: string;
  /** `whole`: the request has no amount; `once`: one amount; `parts`: several, up to the received amount. */
  readonly amount: 'whole' | 'once' | 'parts';
  /** Which way its money goes, for the permissions of request keys. */
  readonly direction: 'in' | 'back';
  /** The merchant's call below `/api/v1`, and the formula of its hash. One without is a part of another call. */
  readonly route?: { readonly path: string; readonly formula: Formula };
  /** The server-to-server command that asks for it. */
  readonly command: {
    readonly action: string;
    /** The formula of its hash at S2S APM. */
    readonly formula: CommandFormula;
    /** The name of an unknown payment in the not-found table of the protocol. */
    readonly unknown: 'transaction' | 'payment';
    /** The status in the answer to a success; absent where the command is answered before the provider has answered. */
    readonly done?: string;
    /** The status of what did not succeed: the transaction is as it was. */
    readonly left: string;
  };
  /** Refusals: the state does not allow it, the amount is more than there is. */
  readonly refused: { readonly state: Refusal; readonly amount: Refusal };
  /** The `type` of its callbacks, and the `order_status` of a failed one. Default: the payment's. */
  readonly callback: string;
  readonly failed?: 'decline';
  /** The field of callbacks that has its amount, where that may be a part. */
  readonly amountField?: string;
  /** Its `type` among the transactions of GET_TRANS_DETAILS. */
  readonly part: string;
  readonly source: string;
}

const CREDITVOID = { action: 'CREDITVOID', formula: 'credit_void', unknown: 'payment', left: 'SETTLED' } as const;

const NOT_REFUNDED = {
  state: ['Not acceptable to request the refund for payment not in settled or pending status.', 208005],
  amount: ['Not acceptable to request the refund for amount bigger than payment amount.', 208006],
} as const;

/**
 * The things that a merchant can do with a payment that has money: protocol, States and transitions; reference, Refund, void, capture. A row is all
 * that the service, its calls, commands, callbacks and the connector contract know of it. `release` is the protocol's CREDITVOID of a hold.
 */
const RULES = {
  capture: {
    from: ['authorized', 'partially_approved'],
    on: 'captured',
    to: 'settled',
    operations: ['purchase'],
    effect: 'takes',
    flow: 'capture',
    amount: 'once',
    direction: 'in',
    route: { path: '/payment/capture', formula: 'capture' },
    command: { action: 'CAPTURE', formula: 'transaction', unknown: 'transaction', done: 'SETTLED', left: 'PENDING' },
    refused: {
      state: ['Not acceptable to request the capture for payment not in pending status.', 208003],
      amount: ['Not acceptable to request the capture for amount bigger than auth amount.', 208004],
    },
    callback: 'capture',
    amountField: 'capture_amount',
    part: 'capture',
    source: 'protocol, States and transitions; reference S2S APM, CAPTURE (full, or one part)',
  },
  void: {
    from: ['settled', 'partially_approved'],
    on: 'voided',
    to: 'voided',
    operations: ['purchase'],
    effect: 'gives-back',
    flow: 'void',
    amount: 'whole',
    direction: 'back',
    route: { path: '/payment/void', formula: 'void' },
    command: { action: 'VOID', formula: 'transaction', unknown: 'payment', done: 'VOID', left: 'SETTLED' },
    refused: { state: ['Void is not allowed.'], amount: ['Void is not allowed.'] },
    callback: 'void',
    part: 'reversal',
    source: 'protocol, States and transitions (settled payments only)',
  },
  release: {
    from: ['authorized', 'partially_approved'],
    on: 'released',
    to: 'reversed',
    operations: ['purchase'],
    effect: 'lets-go',
    flow: 'void',
    amount: 'whole',
    direction: 'back',
    command: CREDITVOID,
    refused: NOT_REFUNDED,
    callback: 'reversal',
    part: 'reversal',
    source: 'protocol, States and transitions; reference S2S CARD, CREDITVOID (AUTH to REVERSAL)',
  },
  refund: {
    from: ['settled', 'partially_approved'],
    on: 'refunded',
    to: 'refunded',
    operations: ['purchase', 'debit'],
    effect: 'refunds',
    flow: 'refund',
    amount: 'parts',
    direction: 'back',
    route: { path: '/payment/refund', formula: 'refund' },
    command: CREDITVOID,
    refused: NOT_REFUNDED,
    callback: 'refund',
    failed: 'decline',
    amountField: 'refund_amount',
    part: 'refund',
    source: 'reference, Refund, void, capture; S2S CARD, CREDITVOID (several partial refunds)',
  },
} as const satisfies Readonly<Record<string, ModificationRule>>;

type Rules = typeof RULES;
export type ModificationName = keyof Rules;

/** The names of the rows that have such a value. */
type NamesWith<Value> = { [N in ModificationName]: Rules[N] extends Value ? N : never }[ModificationName];

/** A modification that excludes every other one while it is under way. */
export type ExclusiveModification = Exclude<ModificationName, NamesWith<{ readonly effect: 'refunds' }>>;

/** The flows that a connector can have for modifications, with an amount and without one. */
export type AmountFlowName = Rules[NamesWith<{ readonly amount: 'once' | 'parts' }>]['flow'];
export type WholeFlowName = Rules[NamesWith<{ readonly amount: 'whole' }>]['flow'];
export type ModificationFlowName = AmountFlowName | WholeFlowName;

/** Successes, and successes that turn out to be none. */
export type ModificationEvent = Rules[ModificationName]['on'] | `${ModificationName}-failed`;

type Route = Rules[NamesWith<{ readonly route: object }>]['route'];
export type ModificationPath = Route['path'];
export type ModificationAction = Rules[ModificationName]['command']['action'];
export type ModificationCallback = Rules[ModificationName]['callback'];
export type ModificationPart = Rules[ModificationName]['part'];

const isName = (name: string): name is ModificationName => Object.hasOwn(RULES, name);

export const MODIFICATION_NAMES: readonly ModificationName[] = Object.keys(RULES).filter(isName);

type Typed<Row extends ModificationRule> = ModificationRule & {
  readonly on: Row['on'];
  readonly flow: Row['flow'];
  readonly callback: Row['callback'];
  readonly part: Row['part'];
  readonly route?: Route;
  readonly command: Pick<Row['command'], 'action' | 'formula' | 'unknown' | 'left'> & Done<Row['command']>;
};
/** The words of the modifications that have one. */
type Done<Command> = { readonly done?: Command extends { readonly done: infer Word } ? Word : never };

export const MODIFICATIONS: Readonly<Record<ModificationName, Typed<Rules[ModificationName]>>> = RULES;

/** The merchant's calls for them. */
export const MODIFICATION_ROUTES: readonly Route[] = MODIFICATION_NAMES.flatMap(
  (name) => MODIFICATIONS[name].route ?? [],
);

/** The flows of the modifications that a predicate takes, each once. */
export const modificationFlows = (
  takes: (rule: (typeof MODIFICATIONS)[ModificationName]) => boolean = () => true,
): readonly ModificationFlowName[] => [
  ...new Set(MODIFICATION_NAMES.filter((name) => takes(MODIFICATIONS[name])).map((name) => MODIFICATIONS[name].flow)),
];

/** The row that such a value belongs to. */
export function modificationWith(
  value: ModificationPath | ModificationAction,
  valueOf: (rule: (typeof MODIFICATIONS)[ModificationName]) => string | undefined,
): ModificationName {
  const name = MODIFICATION_NAMES.find((each) => valueOf(MODIFICATIONS[each]) === value);
  if (name === undefined) throw new Error(`No modification has "${value}".`);
  return name;
}

export const isExclusive = (name: ModificationName): name is ExclusiveModification =>
  MODIFICATIONS[name].effect !== 'refunds';

/** States of a modification. Only a success changes the payment; while it is open, its amount is reserved. */
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

/** The state machine of a modification. An event without a row is older than the known state and changes nothing. */
export const MODIFICATION_TRANSITIONS: readonly ModificationRow[] = [
  rowsOf(['none'], {
    on: 'requested',
    to: 'requested',
    when: 'the payment is in an allowed state and has the amount left',
  }),
  rowsOf(['none'], { on: 'settled', to: 'succeeded', when: 'a refund was made at the provider itself' }),
  rowsOf(OPEN, { on: 'settled', to: 'succeeded', when: 'the amount is exactly the requested one' }),
  rowsOf(OPEN, { on: 'pending', to: 'pending', when: 'the provider accepted the request; the amount stays reserved' }),
  rowsOf(OPEN, {
    on: 'unknown',
    to: 'unknown',
    when: 'the outcome is unknown: the service looks it up, and the amount stays reserved',
  }),
  rowsOf(OPEN, { on: 'declined', to: 'failed', when: 'the amount is free again' }),
  rowsOf(['succeeded'], {
    on: 'declined',
    to: 'failed',
    when: 'a notification or a lookup reports later that it failed. A report by our own call or an operator, or after other money moved, is set aside',
  }),
  rowsOf(['failed'], {
    on: 'settled',
    to: 'set-aside',
    when: 'an operator decides, because the amount may have been requested again',
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
