import type { ProviderEvent } from '@railyard/core';

/** The state that an event reports: the status of its outcome, or its kind, with the outcome of a modification. */
export function saidBy(event: ProviderEvent): string {
  if (event.kind === 'payment' || event.kind === 'ended') return event.outcome.status;
  if ('outcome' in event) return `${event.kind} ${event.outcome.status}`;
  if (event.kind === 'chargeback') return event.result === undefined ? event.kind : `${event.kind} ${event.result}`;
  if (event.kind !== 'deposit') return event.kind;
  if (event.rejected === true) return 'rejected';
  return event.confirmed ? 'settled' : 'pending';
}

const MONEY = ['settled', 'authorized'];
const DECIDED = ['chargeback won', 'chargeback lost'];
const CHARGEBACKS = ['chargeback', ...DECIDED];
const TAKEN_BACK = [...CHARGEBACKS, 'reversal'];
/** Statements that a payment in a state never allows, whatever else a notification of it may say. */
const NEVER = {
  settled: ['authorized', 'pending', 'declined', ...TAKEN_BACK],
  authorized: ['settled', 'declined', ...TAKEN_BACK],
  pending: [...MONEY, 'declined', ...TAKEN_BACK],
  challenged: [...MONEY, 'declined', ...TAKEN_BACK],
  authenticated: [...MONEY, 'declined', ...TAKEN_BACK],
  declined: [...MONEY, 'pending', ...TAKEN_BACK],
  released: [...MONEY, ...CHARGEBACKS],
  cancelled: [...MONEY, ...CHARGEBACKS],
  disputed: [...MONEY, 'pending', 'reversal', 'chargeback won'],
  won: ['authorized', 'pending', 'declined', 'chargeback', 'chargeback lost', 'reversal'],
  lost: [...MONEY, 'pending', 'chargeback won', 'reversal'],
  lapsed: [...MONEY, 'pending', ...CHARGEBACKS],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type State = keyof typeof NEVER;
export const STATES = [
  'settled',
  'authorized',
  'pending',
  'challenged',
  'authenticated',
  'declined',
  'released',
  'cancelled',
  'disputed',
  'won',
  'lost',
  'lapsed',
] as const satisfies readonly State[];

/** The first statement of some events that contradicts the state of their payment. */
export function contradiction(state: State, events: readonly ProviderEvent[]): string | undefined {
  const never: readonly string[] = NEVER[state];
  return events.map(saidBy).find((said) => never.includes(said));
}
