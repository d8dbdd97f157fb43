import type { Operation } from '../method/operation.ts';
import {
  MODIFICATION_NAMES,
  type ModificationCallback,
  type ModificationName,
  MODIFICATIONS,
  type ModificationStateName,
} from './modifications.ts';
import type { PaymentState } from './state.ts';
import type { PaymentStateName } from './transitions.ts';

/** Every `order_status` of the reference (Callback, Vocabulary). */
export const ORDER_STATUS_WORDS = [
  'prepare',
  'settled',
  'pending',
  '3ds',
  'redirect',
  'decline',
  'refund',
  'reversal',
  'void',
  'chargeback',
] as const;
export type OrderStatus = (typeof ORDER_STATUS_WORDS)[number];

const PAYMENT_TYPES = [
  'sale',
  'recurring',
  'debit',
  'credit',
  'transfer',
  '3ds',
  'redirect',
  'init',
  'chargeback',
] as const;

/** Every `type` of a callback. */
export const CALLBACK_TYPES: readonly ((typeof PAYMENT_TYPES)[number] | ModificationCallback)[] = [
  ...PAYMENT_TYPES,
  ...MODIFICATION_NAMES.map((name) => MODIFICATIONS[name].callback),
];

export const CALLBACK_STATUSES = ['success', 'fail', 'waiting', 'undefined'] as const;

/** The three words of a callback that together say what happened (reference: Callback, Meaning table). */
export interface CallbackWords {
  readonly type: (typeof CALLBACK_TYPES)[number];
  readonly status: (typeof CALLBACK_STATUSES)[number];
  readonly order_status: OrderStatus;
}

const OPERATION_TYPES = {
  purchase: 'sale',
  debit: 'debit',
  credit: 'credit',
  transfer: 'transfer',
  recurring: 'recurring',
} as const;

/** States with a `type` of their own; other states have the type of the payment's operation. */
const OWN_TYPES: Readonly<Record<PaymentStateName, CallbackWords['type'] | undefined>> = {
  created: undefined,
  pending: undefined,
  authorized: undefined,
  partially_approved: undefined,
  settled: undefined,
  declined: undefined,
  expired: undefined,
  voided: 'void',
  refunded: 'refund',
  reversed: 'reversal',
  charged_back: 'chargeback',
};

/** An attempt that expired is reported as a failed one: the reference has no word of its own for it. */
const ORDER_STATUSES: Readonly<Record<PaymentStateName, OrderStatus>> = {
  created: 'prepare',
  pending: 'pending',
  // An authorisation held is reported as a success that is still pending.
  authorized: 'pending',
  // Nothing is final before it is accepted or given back.
  partially_approved: 'pending',
  settled: 'settled',
  declined: 'decline',
  expired: 'decline',
  voided: 'void',
  refunded: 'refund',
  reversed: 'reversal',
  charged_back: 'chargeback',
};

/**
 * The words for a payment as it now stands. An unknown outcome is `undefined`, to be cleared up by a status lookup.
 *
 * @param operation the payment's, or `recurring` for a later charge of a mandate
 */
export function callbackWords(
  operation: Operation | 'recurring',
  payment: Pick<PaymentState, 'state' | 'unknown'>,
): CallbackWords {
  const { state, unknown } = payment;
  const type = OWN_TYPES[state] ?? OPERATION_TYPES[operation];
  if (unknown) return { type, status: 'undefined', order_status: 'prepare' };
  return { type, status: statusOf(state), order_status: ORDER_STATUSES[state] };
}

function statusOf(state: PaymentStateName): CallbackWords['status'] {
  if (state === 'created' || state === 'pending' || state === 'partially_approved') return 'waiting';
  return state === 'declined' || state === 'expired' ? 'fail' : 'success';
}

const MODIFICATION_STATUSES: Readonly<Record<ModificationStateName, CallbackWords['status']>> = {
  requested: 'waiting',
  pending: 'waiting',
  unknown: 'undefined',
  succeeded: 'success',
  failed: 'fail',
};

/**
 * The words for a modification, `payment` being as it stands after it.
 *
 * `order_status` of a full refund is `refund`, of a partial one `settled`. That of a failed refund is `decline`, as in every
 * published sample; a failed capture or void leaves the order as it was (Meaning table; the published answer of a failed void
 * says `settled`). An unknown outcome is `prepare`, as everywhere.
 */
export function modificationWords(
  modification: { readonly name: ModificationName; readonly state: ModificationStateName },
  payment: Pick<PaymentState, 'state' | 'unknown'>,
): CallbackWords {
  const { callback: type, failed } = MODIFICATIONS[modification.name];
  const status = MODIFICATION_STATUSES[modification.state];
  if (status === 'undefined') return { type, status, order_status: 'prepare' };
  if (status === 'fail' && failed !== undefined) return { type, status, order_status: failed };
  return { type, status, order_status: statusWord(payment) };
}

/** The `status` word of a status lookup: lower case, `decline` and not `declined`. */
export function statusWord(payment: Pick<PaymentState, 'state' | 'unknown'>): OrderStatus {
  return payment.unknown ? 'pending' : ORDER_STATUSES[payment.state];
}
