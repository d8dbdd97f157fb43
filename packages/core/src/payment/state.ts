import { type Money, moneyOfMinor } from '../money/money.ts';
import type { PaymentFacts } from './facts.ts';
import type { ExclusiveModification } from './modifications.ts';
import type { PaymentStateName } from './state-names.ts';

/** The facts that decide about a payment's next step. Stored by the host, changed only through `decide` and `decideModification`. */
export interface PaymentState {
  readonly state: PaymentStateName;
  /** Whether money moved is not known: pending, looked up until known. */
  readonly unknown: boolean;
  readonly amount: Money | 'payer';
  /** The order's currency where the payer chooses the amount; money in another currency is set aside. Absent: any. */
  readonly currency?: string;
  /** The amount that an authorization holds, or held before it was captured. */
  readonly held: Money | undefined;
  /** The amount really paid so far; several deposits add up, a capture may be for a part of the hold. */
  readonly received: Money | undefined;
  /** The amount that went back to the payer by refunds. */
  readonly refunded: Money | undefined;
  /** The amount that refunds under way will take if they succeed, so that two at once cannot take more than there is. */
  readonly reserved: Money | undefined;
  /** The exclusive modification under way. */
  readonly modifying: ExclusiveModification | undefined;
  /** Money is set aside that does not fit the payment: it neither expires nor declines by itself. */
  readonly aside: boolean;
  /** The provider's newest reference; a renewed code has replaced those before it. */
  readonly current: string | undefined;
  /** The provider's reference that settled or declined the payment. */
  readonly decidedBy: string | undefined;
  /** The facts that the provider has reported so far. */
  readonly facts: PaymentFacts;
}

/** A payment before anything happened. */
export function newPayment(amount: Money | 'payer'): PaymentState {
  return {
    state: 'created',
    unknown: false,
    amount,
    held: undefined,
    received: undefined,
    refunded: undefined,
    reserved: undefined,
    modifying: undefined,
    aside: false,
    current: undefined,
    decidedBy: undefined,
    facts: {},
  };
}

/** The amount that can still be refunded to the payer; undefined where nothing was received. */
export function refundable({ received, refunded, reserved }: PaymentState): Money | undefined {
  if (received === undefined) return undefined;
  const gone = (refunded?.minor ?? 0n) + (reserved?.minor ?? 0n);
  return moneyOfMinor(received.minor > gone ? received.minor - gone : 0n, received.currency);
}
