import { type Outcome, unknown } from './outcome.ts';

/** The references of a payment, or of a modification. One that either side leaves out proves nothing. */
export interface References {
  /** Ours. */
  readonly merchantReference?: string | undefined;
  readonly providerReference?: string | undefined;
}

/** Whether a reply refers to a different payment than the request. */
export function isOfAnother(asked: References, said: References): boolean {
  const differs = (a: string | undefined, b: string | undefined) => a !== undefined && b !== undefined && a !== b;
  return (
    differs(asked.merchantReference, said.merchantReference) || differs(asked.providerReference, said.providerReference)
  );
}

/**
 * The outcome of a reply that refers to the requested payment, or to the requested modification. A reply about another one says
 * nothing about this one: the outcome is unknown, and it is looked up.
 *
 * @param asked the references in the request; a payment has them
 * @param merchantReference our reference as the reply repeats it; the provider's is the outcome's own
 * @example ofThisPayment(outcome, payment, reply.reference)
 */
export function ofThisPayment(outcome: Outcome, asked: References, merchantReference?: string): Outcome {
  const { providerReference } = outcome;
  return isOfAnother(asked, { merchantReference, providerReference })
    ? unknown('The provider’s reply refers to a different payment.')
    : outcome;
}
