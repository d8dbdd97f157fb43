import { type Outcome, unknown } from './outcome.ts';

/** A name in the request, and the reply's name in its place. A name that either side leaves out proves nothing. */
export interface Named {
  readonly asked: string | undefined;
  readonly said: string | undefined;
}

/** Whether a reply refers to a different payment. */
export function isOfAnother(names: readonly Named[]): boolean {
  return names.some(({ asked, said }) => asked !== undefined && said !== undefined && asked !== said);
}

/**
 * The outcome of a reply that refers to the requested payment, or to the requested action on it. A reply about another one says
 * nothing about this one: the outcome is unknown, and it is looked up.
 *
 * @example ofThisPayment(outcome, [{ asked: payment.reference, said: reply.reference }])
 */
export function ofThisPayment(outcome: Outcome, names: readonly Named[]): Outcome {
  return isOfAnother(names) ? unknown('The provider’s reply refers to a different payment.') : outcome;
}
