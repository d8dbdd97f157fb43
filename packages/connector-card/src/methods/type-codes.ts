import { checkedString, countryCodes, text, TEXTS } from '@railyard/core';
import * as z from 'zod';

/** Type codes of the protocol's tables for set 6, under the protocol's own names. No field of the set is required, so each may be absent. */

/** The code of one length is one schema, however many fields have it: an order has a hundred fields. */
function byLength<S>(make: (max: number) => S): (max: number) => S {
  const made = new Map<number, S>();
  return (max) => {
    const code = made.get(max) ?? make(max);
    made.set(max, code);
    return code;
  };
}

/** AN<n>: any text of one line, up to n characters. Where the tables give no length it is 255, their longest. */
export const an = byLength((max) => text({ max }).optional());

/** N<n>: up to n digits, as text or as a whole number, which becomes text. */
export const n = byLength((max) =>
  z
    .union([
      checkedString((digits) => digitsProblem(digits, max), { maxLength: max }),
      z
        .int()
        .nonnegative()
        .max(10 ** max - 1)
        .transform(String),
    ])
    .optional(),
);

function digitsProblem(value: string, max: number): string | undefined {
  if (!/^\d+$/.test(value)) return TEXTS.notValid;
  return value.length > max ? TEXTS.tooLong(max) : undefined;
}

/** N10.N2: up to ten digits, and up to two decimals. */
export const n10n2 = z
  .string()
  .regex(/^\d{1,10}(?:\.\d{1,2})?$/, TEXTS.notValid)
  .optional();

/** A3: three letters. */
export const a3 = z
  .string()
  .regex(/^[A-Za-z]{3}$/, TEXTS.notValid)
  .optional();

/** A2: a country of ISO 3166-1 in letters of either case. */
export const a2Country = checkedString((code) =>
  /^[A-Za-z]{2}$/.test(code) && countryCodes.has(code.toUpperCase()) ? undefined : TEXTS.country,
).optional();

/** A2 or N3: a country in two letters or three digits. */
export const a2OrN3Country = z
  .string()
  .regex(/^(?:[A-Za-z]{2}|\d{3})$/, TEXTS.country)
  .optional();
