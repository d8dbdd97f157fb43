import type { Outcome } from '../connector/outcome.ts';
import { compareMoney } from '../money/arithmetic.ts';
import type { Money } from '../money/money.ts';
import type { Decision, Via } from './decision.ts';
import type { PaymentState } from './state.ts';
import { type PaymentStateName, transitionOf } from './transitions.ts';

type Moved = Extract<Outcome, { status: 'settled' | 'authorized' }>;

/** States in which nothing was approved, or the approved part has gone back. */
const NOTHING_APPROVED: readonly PaymentStateName[] = ['created', 'pending', 'declined', 'expired'];

/** The amount, held or taken, that the provider approved in place of a greater one. */
export function approvedAmount({ state, amount, held, received }: PaymentState): Money | undefined {
  if (amount === 'payer' || NOTHING_APPROVED.includes(state)) return undefined;
  const there = held ?? received;
  return there !== undefined && isPartOf(there, amount) ? there : undefined;
}

/** Whether it was approved in part and given back: what the provider still says of that money is outdated. */
export function wasGivenBack({ state, amount, held, received }: PaymentState): boolean {
  const there = held ?? received;
  return state === 'declined' && amount !== 'payer' && there !== undefined;
}

/** Less than the whole, in its currency, and not nothing. */
export function isPartOf(part: Money, whole: Money): boolean {
  return part.currency === whole.currency && part.minor > 0n && compareMoney(part, whole) < 0;
}

/**
 * Less than the amount was taken or held. The provider's answer to our own call or question says so for certain; a notification may be
 * genuine and wrong, so it is set aside and asked about.
 */
export function decidePart(payment: PaymentState, outcome: Moved, via: Via, why: string): Decision {
  const aside = { do: 'quarantine', why, needsSync: false, aside: outcome.amount } as const;
  if (payment.state === 'partially_approved') return decideAgain(payment, outcome, aside);
  // Deposits add up; an outcome beside them is none of these.
  if (payment.received !== undefined) return aside;
  const row = transitionOf(payment.state, 'approved-in-part');
  if (row === undefined || row.to === 'set-aside') return aside;
  if (via === 'operator') return { do: 'quarantine', why, needsSync: false };
  if (via === 'notification' || (row.solicited === true && via !== 'status')) return { ...aside, needsSync: true };
  const next: PaymentState = {
    ...payment,
    state: row.to,
    unknown: false,
    aside: false,
    ...sums(outcome),
    current: outcome.providerReference,
  };
  return { do: 'apply', next };
}

const sums = ({ status, amount, providerReference: reference }: Moved): Partial<PaymentState> =>
  status === 'settled' ? { received: amount, decidedBy: reference } : { held: amount };

/** The provider reports the part again, or captured the held part. */
function decideAgain(payment: PaymentState, outcome: Moved, aside: Decision): Decision {
  const { status, amount } = outcome;
  const { held, received, modifying } = payment;
  const known = status === 'settled' ? received : held;
  if (known?.minor === amount.minor) return { do: 'ignore', why: `${status} in part before` };
  const tookHeld = status === 'settled' && received === undefined && held?.minor === amount.minor;
  if (!tookHeld || modifying !== undefined) return aside;
  return { do: 'apply', next: { ...payment, ...sums(outcome), current: outcome.providerReference } };
}

/** A report after a partial approval was given back: the same money once more is outdated, all else is for an operator. */
export function decideAfterGivenBack({ held, received }: PaymentState, outcome: Moved, why: string): Decision {
  const known = outcome.status === 'settled' ? received : held;
  if (known !== undefined && known.currency === outcome.amount.currency && known.minor === outcome.amount.minor)
    return { do: 'ignore', why: `${outcome.status} in part, and given back` };
  return { do: 'quarantine', why, needsSync: false, aside: outcome.amount };
}

/** The merchant accepts the approved part. */
export function decideAccepted(payment: PaymentState): Decision {
  const { state, received, modifying, reserved } = payment;
  if (state !== 'partially_approved') return { do: 'ignore', why: `accepted after ${state}` };
  if (modifying !== undefined || (reserved?.minor ?? 0n) > 0n)
    return { do: 'ignore', why: 'it is being captured or given back' };
  return { do: 'apply', next: { ...payment, state: received === undefined ? 'authorized' : 'settled' } };
}

/** An operator gave the approved part back at the provider. */
export function decideGivenBack(payment: PaymentState): Decision {
  const { state, modifying, reserved } = payment;
  if (state !== 'partially_approved') return { do: 'ignore', why: `given back after ${state}` };
  if (modifying !== undefined || (reserved?.minor ?? 0n) > 0n)
    return { do: 'ignore', why: 'it is being captured or given back' };
  return { do: 'apply', next: { ...payment, state: 'declined' } };
}
