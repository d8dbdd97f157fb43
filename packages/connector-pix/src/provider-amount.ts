import { money, parseMoney } from '@railyard/core';
import * as z from 'zod';

/** The amount of a reply: decimal text, or a JSON number, which arrives as its digits unless it is a whole number. */
export const amountShape = {
  amount: z.union([z.string(), z.int().nonnegative().transform(String)]),
  currency: z.string(),
};

interface Amount {
  readonly amount: string;
  readonly currency: string;
}

/** A reply whose amount its currency can hold. Any other is not understood, so that a flow never computes with it. */
export function withAmount<S extends z.ZodType<Amount>>(schema: S): S {
  return schema.refine(({ amount, currency }) => parseMoney(amount, currency).ok, { path: ['amount'] });
}

export function amountOf({ amount, currency }: Amount) {
  return money(amount, currency);
}
