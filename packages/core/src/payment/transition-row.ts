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

/** One row of the state machine. What has no row is older than what is known, and changes nothing. */
export interface TransitionRow {
  readonly from: PaymentStateName | 'none';
  readonly on: PaymentEvent;
  /** `set-aside`: contradicts what is known, so it is kept for a person. */
  readonly to: PaymentStateName | 'set-aside';
  /** Only the provider's answer to our own question brings this about; the same in an unsolicited event is set aside, and the provider is asked. */
  readonly solicited?: true;
  readonly when: string;
  readonly source: string;
}

/** Several states in one row, as it is read best. */
export type Row = Omit<TransitionRow, 'from'> & { readonly from: readonly TransitionRow['from'][] };
