import { randomUUID } from 'node:crypto';
import type { HeldPayment, State } from './records.ts';

/** A payment that has its money: a dispute that the merchant has won leaves it there. */
export const hasMoney = (state: State): boolean => state === 'settled' || state === 'won';

/**
 * A payment in another state. A payment that becomes disputed has one dispute more, and one that becomes `won` or `lost` has its last one decided.
 *
 * @param createdAt of a dispute that begins; ISO 8601 in UTC
 */
export function inState(payment: HeldPayment, state: State, createdAt: string): HeldPayment {
  const disputes = payment.disputes ?? [];
  const begun = { id: randomUUID(), createdAt };
  if (state === 'disputed') return { ...payment, state, disputes: [...disputes, begun] };
  if (state !== 'won' && state !== 'lost') return { ...payment, state };
  return { ...payment, state, disputes: [...disputes.slice(0, -1), { ...(disputes.at(-1) ?? begun), result: state }] };
}
