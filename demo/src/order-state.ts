import type { ReceivedCallback } from './orders.ts';

export type OrderState = 'paid' | 'declined' | 'waiting' | 'being checked' | 'no news yet';

/** How an order stands, by the last callback whose signature is right: what anybody could have sent says nothing. */
export function orderState(callbacks: readonly ReceivedCallback[]): OrderState {
  const last = callbacks.findLast(({ webhook }) => webhook);
  if (last === undefined) return 'no news yet';
  const { status, order_status } = last.fields;
  // Only a success that is settled is paid; a success that is pending is money held.
  if (status === 'success' && order_status === 'settled') return 'paid';
  if (status === 'fail') return 'declined';
  return status === 'undefined' ? 'being checked' : 'waiting';
}
