import * as z from 'zod';
import { fromDecimal } from '../money/provider-formats.ts';
import type { Money } from '../money/money.ts';

/** The amount of a reply: decimal text, or a JSON number, which arrives as its digits unless it is a whole number. */
export const amountFields = {
  amount: z.union([z.string(), z.int().nonnegative().transform(String)]),
  currency: z.string(),
};

interface WrittenAmount {
  readonly amount: string;
  readonly currency: string;
}

/**
 * A reply whose amount its currency can hold. Any other is not understood, so that a flow never computes with it.
 *
 * @example withAmount(z.object({ id: z.string(), ...amountFields }))
 */
export function withAmount<S extends z.ZodType<WrittenAmount>>(body: S): S {
  return body.refine(isAmount, { path: ['amount'] });
}

/** @throws RangeError for what `withAmount` refuses */
export function amountOf({ amount, currency }: WrittenAmount): Money {
  return fromDecimal(amount, currency);
}

function isAmount(written: WrittenAmount): boolean {
  try {
    amountOf(written);
    return true;
  } catch {
    return false;
  }
}
