import { type Outcome, unknown } from './outcome.ts';

/** A name under which something was asked for, and what the reply says in its place. A name that either side leaves out tells nothing. */
export interface Named {
  readonly asked: string | undefined;
  readonly said: string | undefined;
}

/** Whether a reply is of something else than was asked for. */
export function isOfAnother(names: readonly Named[]): boolean {
  return names.some(({ asked, said }) => asked !== undefined && said !== undefined && asked !== said);
}

/**
 * The outcome of a reply that is of the payment, or of the action on it, that was asked for. Of another one it says nothing about this:
 * nobody knows, and it is looked up.
 *
 * @example ofThisPayment(outcome, [{ asked: payment.reference, said: reply.reference }])
 */
export function ofThisPayment(outcome: Outcome, names: readonly Named[]): Outcome {
  return isOfAnother(names) ? unknown('The provider answered about something else than was asked for.') : outcome;
}
