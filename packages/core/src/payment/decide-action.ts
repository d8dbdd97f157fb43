import type { Outcome } from '../connector/outcome.ts';
import type { Operation } from '../method/operation.ts';
import { addMoney, compareMoney, isZero, subtractMoney } from '../money/arithmetic.ts';
import type { Money } from '../money/money.ts';
import { ACTION_TRANSITIONS, type ActionName, ACTIONS, type ActionStateName, isOpenAction } from './actions.ts';
import type { Via } from './decision.ts';
import { afterRefund } from './unsolicited-events.ts';
import { wasGivenBack } from './partial.ts';
import { type PaymentState, refundable } from './state.ts';
import { type PaymentStateName, transitionOf } from './transitions.ts';

export interface ActionRequest {
  readonly action: ActionName;
  readonly operation: Operation;
  /** Nothing: all that there is. */
  readonly amount?: Money | undefined;
  /** Whether the connector can do a part of it. */
  readonly partial: boolean;
}

/**
 * Why an action is refused. `not-allowed`: not in this state or for this operation; `under-way`: another action has to end
 * first; `currency`, `zero`, `too-much`, `no-partial`: the amount.
 */
export type ActionRefusal = 'not-allowed' | 'under-way' | 'currency' | 'zero' | 'too-much' | 'no-partial';

export type ActionRequested =
  | { readonly do: 'refuse'; readonly why: ActionRefusal }
  | {
      readonly do: 'begin';
      readonly amount: Money;
      /** The amount that could still be moved, this one included. */
      readonly remaining: Money;
      /** The payment with the amount reserved. */
      readonly next: PaymentState;
    };

/**
 * Whether an action may begin, and what it reserves. Nothing is sent to a provider before the host has stored the answer.
 *
 * @example requestAction(payment, { action: 'refund', operation: 'purchase', amount: money('5.00', 'EUR'), partial: true })
 */
export function requestAction(payment: PaymentState, request: ActionRequest): ActionRequested {
  const { action, operation, partial } = request;
  const rule = ACTIONS[action];
  const refuse = (why: ActionRefusal): ActionRequested => ({ do: 'refuse', why });
  if (!rule.operations.includes(operation) || !rule.from.includes(payment.state)) return refuse('not-allowed');
  if (payment.acting !== undefined) return refuse('under-way');
  if (action === 'void' && payment.reserved !== undefined && !isZero(payment.reserved)) return refuse('under-way');
  if (action === 'void' && payment.refunded !== undefined && !isZero(payment.refunded)) return refuse('not-allowed');
  const remaining = remainingOf(payment, action);
  if (remaining === undefined) return refuse('not-allowed');
  const amount = rule.amount === 'whole' ? remaining : (request.amount ?? remaining);
  if (amount.currency !== remaining.currency) return refuse('currency');
  if (compareMoney(amount, remaining) > 0) return refuse('too-much');
  if (isZero(amount) && rule.amount !== 'whole') return refuse(isZero(remaining) ? 'too-much' : 'zero');
  // A partial approval is refunded whole.
  const inParts = partial && !(action === 'refund' && payment.state === 'partially_approved');
  if (compareMoney(amount, remaining) < 0 && !inParts) return refuse('no-partial');
  const next: PaymentState =
    action === 'refund'
      ? { ...payment, reserved: payment.reserved === undefined ? amount : addMoney(payment.reserved, amount) }
      : { ...payment, acting: action };
  return { do: 'begin', amount, remaining, next };
}

function remainingOf(payment: PaymentState, action: ActionName): Money | undefined {
  if (action === 'refund') return refundable(payment);
  if (action === 'void') return payment.received;
  // A hold that the provider has taken by itself is none any more.
  return payment.received === undefined ? payment.held : undefined;
}

/** The facts that decide about an action's next step. */
export interface ActionState {
  readonly name: ActionName;
  readonly state: ActionStateName;
  readonly amount: Money;
  /** The provider's reference of the action itself. */
  readonly providerReference: string | undefined;
}

export type ActionDecision =
  | {
      readonly do: 'apply';
      readonly action: ActionState;
      readonly next: PaymentState;
      /** Why a person should look at it all the same. */
      readonly attention?: string;
    }
  | { readonly do: 'ignore'; readonly why: string }
  | { readonly do: 'quarantine'; readonly why: string };

/**
 * The effect of an action's outcome on the action and on its payment. Only a success changes the payment's state; a failure
 * frees the reserved amount, and an unknown outcome keeps it reserved.
 */
export function decideAction(
  payment: PaymentState,
  action: ActionState,
  change: { readonly outcome: Outcome; readonly via: Via },
): ActionDecision {
  const { outcome } = change;
  // A hold is not what an action brings about: from its own flow that is no answer, from a lookup it is outdated.
  const status = outcome.status === 'authorized' ? (change.via === 'flow' ? 'unknown' : undefined) : outcome.status;
  if (isSecondRefund(action, outcome))
    return {
      do: 'quarantine',
      why: `Refunded twice: ${action.providerReference ?? ''} and ${outcome.status === 'settled' ? outcome.providerReference : ''}.`,
    };
  const row = ACTION_TRANSITIONS.find((each) => each.from === action.state && each.on === status);
  if (row === undefined) return { do: 'ignore', why: `${outcome.status} after ${action.state}` };
  if (row.to === 'set-aside')
    return { do: 'quarantine', why: `${outcome.status} after the ${action.name} ${action.state}` };
  const decided: ActionState = {
    ...action,
    state: row.to,
    providerReference: outcome.providerReference ?? action.providerReference,
  };
  if (outcome.status !== 'settled')
    return { do: 'apply', action: decided, next: isOpenAction(row.to) ? payment : freed(payment, action) };
  if (outcome.amount.currency !== action.amount.currency || compareMoney(outcome.amount, action.amount) !== 0)
    return {
      do: 'quarantine',
      why: `The provider says ${outcome.amount.text} ${outcome.amount.currency}, asked for was a ${action.name} of ${action.amount.text} ${action.amount.currency}.`,
    };
  const overtaken = isOvertaken(payment, action);
  const next = overtaken ? overtakenBy(payment, action) : succeeded(freed(payment, action), action);
  if (next === undefined) return { do: 'quarantine', why: `a ${action.name} after ${payment.state}` };
  const attention = attentionTo(payment, action, overtaken);
  return { do: 'apply', action: decided, next, ...(attention !== undefined && { attention }) };
}

/** States that events bring about while a void or a capture is under way. That action then ends: no more events of it come. */
const ENDED_ELSEWHERE: readonly PaymentStateName[] = ['refunded', 'reversed', 'charged_back'];

function isOvertaken({ state }: PaymentState, { name }: ActionState): boolean {
  return (name === 'void' || name === 'capture') && ENDED_ELSEWHERE.includes(state);
}

/** The payment stays where the event brought it; what a capture took is known all the same, unless the event said it before. */
function overtakenBy(payment: PaymentState, action: ActionState): PaymentState {
  const next = freed(payment, action);
  if (action.name !== 'capture' || payment.received !== undefined) return next;
  return { ...next, received: action.amount, decidedBy: payment.current };
}

/** Why a person should look at a success. */
function attentionTo({ state, refunded }: PaymentState, { name }: ActionState, overtaken: boolean): string | undefined {
  if (name === 'capture' && overtaken)
    return `A capture took place and the payment is ${state}: find out whether the money is there.`;
  const inPart = refunded !== undefined && !isZero(refunded);
  if (name !== 'void' || !(overtaken || inPart)) return undefined;
  return `A void took place after the payment was ${overtaken ? state : 'refunded in part'}: money may have gone back twice.`;
}

/**
 * A reported refund with an unknown reference counts as one that is under way, of the same amount. If that one has another
 * reference, there were two.
 */
function isSecondRefund({ name, state, providerReference: reference }: ActionState, outcome: Outcome): boolean {
  if (name !== 'refund' || state !== 'succeeded' || outcome.status !== 'settled') return false;
  return reference !== undefined && outcome.providerReference !== reference;
}

function freed(payment: PaymentState, action: ActionState): PaymentState {
  if (action.name !== 'refund') return { ...payment, acting: undefined };
  const reserved = payment.reserved === undefined ? undefined : subtractMoney(payment.reserved, action.amount);
  return { ...payment, reserved };
}

/** The payment after a success; undefined where it does not fit what became of the payment meanwhile. */
function succeeded(payment: PaymentState, action: ActionState): PaymentState | undefined {
  // A refund that took place counts, even if the payer disputed the payment meanwhile.
  if (action.name === 'refund') return afterRefund(payment, action.amount);
  // A deposit that came while the money was taken back is not taken back with it.
  if (action.name === 'void' && payment.received?.minor !== action.amount.minor) return undefined;
  const row = transitionOf(payment.state, ACTIONS[action.name].on);
  if (row !== undefined && row.to !== 'set-aside')
    return {
      ...payment,
      state: row.to,
      ...(action.name === 'capture' && { received: action.amount, decidedBy: payment.current }),
    };
  // An event of the provider was faster and said the same.
  if (action.name !== 'capture' && wasGivenBack(payment)) return payment;
  const target = { capture: 'settled', void: 'voided', release: 'reversed' } as const;
  if (payment.state !== target[action.name]) return undefined;
  const same = action.name !== 'capture' || payment.received?.minor === action.amount.minor;
  return same ? payment : undefined;
}
