import { currencyCode, fromMinorUnits, type Money } from '@railyard/core';
import * as z from 'zod';
import { factsShape } from './facts.ts';

/** Amounts are whole minor units. */
const amountShape = { amount: z.int().nonnegative(), currency: currencyCode() };

const answered = {
  id: z.string().min(1),
  /** Ours. */
  reference: z.string().optional(),
  status: z.string().min(1),
  ...amountShape,
  response_code: z.string().optional(),
  response_message: z.string().optional(),
  ...factsShape,
};

/** Where the payer has to go: to a challenge by a POST form, or to a page by GET. */
const action = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('three_d_secure'),
    url: z.url({ protocol: /^https?$/ }),
    fields: z.object({ creq: z.string().min(1) }),
  }),
  z.object({ type: z.literal('redirect'), url: z.url({ protocol: /^https?$/ }) }),
]);

const paymentShape = {
  ...answered,
  /** The agreement under which the card may be charged again. */
  agreement_id: z.string().min(1).optional(),
  /** The challenge's result, which the payer brought back. */
  cres: z.string().min(1).optional(),
};

export const payment = z.object({ ...paymentShape, action: action.optional() });
export const challengedPayment = z.object({ ...paymentShape, action });
export const actionOnPayment = z.object(answered);
/** An action as notifications report it. */
export const notifiedAction = actionOnPayment.extend({ type: z.enum(['capture', 'void', 'reversal', 'refund']) });
export const problem = z.object({ code: z.string(), message: z.string().optional() });

export type AcquirerPayment = z.output<typeof payment>;
export type ChallengedPayment = z.output<typeof challengedPayment>;
export type AcquirerAction = z.output<typeof actionOnPayment>;
export type NotifiedAction = z.output<typeof notifiedAction>;
export type Problem = z.output<typeof problem>;

/** @throws RangeError for an amount that is none of the currency */
export function amountOf({ amount, currency }: { readonly amount: number; readonly currency: string }): Money {
  return fromMinorUnits(amount, currency);
}
