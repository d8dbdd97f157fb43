import type { OutcomeStatus } from '../connector/outcome.ts';
import type { ModificationEvent } from './modifications.ts';
import type { PaymentStateName } from './state-names.ts';

/** A possible event of a payment: an outcome of its operation, money that arrives, a success of a modification, an unsolicited event, time. */
export type PaymentEvent =
  | 'begun'
  | OutcomeStatus
  | 'deposit'
  | 'approved-in-part'
  | 'accepted'
  | 'given-back'
  | ModificationEvent
  | 'reversed'
  | 'charged-back'
  | 'chargeback-won'
  | 'hold-expired'
  | 'expiry';

/** One row of the state machine. An event without a row is older than the known state, and changes nothing. */
export interface TransitionRow {
  readonly from: PaymentStateName | 'none';
  readonly on: PaymentEvent;
  /** `set-aside`: the event contradicts the known state, so it is kept for an operator. */
  readonly to: PaymentStateName | 'set-aside';
  /** Only a lookup's reply changes the state so. From another event it is set aside, and the payment is looked up. */
  readonly solicited?: true;
  readonly when: string;
  readonly source: string;
}

/** A row for several states. */
export type Row = Omit<TransitionRow, 'from'> & { readonly from: readonly TransitionRow['from'][] };
