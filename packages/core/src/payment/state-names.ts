/** States of one payment attempt. `pending` covers unknown outcomes; then `unknown` is set beside it (protocol: PENDING). */
export const PAYMENT_STATES = [
  'created',
  'pending',
  'authorized',
  'partially_approved',
  'settled',
  'declined',
  'expired',
  'voided',
  'refunded',
  'reversed',
  'charged_back',
] as const;
export type PaymentStateName = (typeof PAYMENT_STATES)[number];

/** A value for each of some names. */
export function byName<K extends string, V>(names: readonly K[], value: (name: K) => V): Record<K, V> {
  // Every name is given its value; the type of Object.fromEntries cannot say so.
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<K, V>;
}
