import { compareMoney, currency as findCurrency, parseMoney } from '@railyard/core';
import * as z from 'zod';

/** A percentage from 0 to 100, with up to four decimals. */
const SHARE = /^(?:100|\d{1,2}(?:\.\d{1,4})?)$/;

/** One row of a method's commissions: what the payer pays on top of an amount in this currency. */
export const commissionRowSchema = z
  .strictObject({
    currency: z
      .string()
      .refine((code) => findCurrency(code) !== undefined, 'This is no currency.')
      .describe('The currency of the row; an amount in another one has no commission by it.'),
    percent: z
      .string()
      .regex(SHARE, 'Use a percentage of up to four decimals, such as "1.25".')
      .default('0')
      .describe('Share of the amount in percent, rounded half up to the currency’s smallest unit.'),
    fixed: z.string().default('0').describe('Added to the share.'),
    min: z.string().optional().describe('The least commission.'),
    max: z.string().optional().describe('The greatest commission.'),
  })
  .check(({ value: { currency, fixed, min, max }, issues }) => {
    const problem = (path: string, message: string) =>
      issues.push({ code: 'custom', input: path, path: [path], message });
    const read = (path: string, text: string | undefined) => {
      const parsed = text === undefined ? undefined : parseMoney(text, currency);
      // An unknown currency is reported once.
      if (parsed?.ok === false && parsed.reason !== 'currency') problem(path, `Use an amount of ${currency}.`);
      return parsed?.ok === true ? parsed.money : undefined;
    };
    read('fixed', fixed);
    const [least, most] = [read('min', min), read('max', max)];
    if (least && most && compareMoney(least, most) > 0) problem('max', 'It is below min. Swap them.');
  });

export type CommissionRow = z.output<typeof commissionRowSchema>;
