import * as z from 'zod';
import { currency as findCurrency } from '../money/currencies.ts';
import { parseMoney } from '../money/money.ts';
import { OPERATIONS } from './operation.ts';

const amountRange = z
  .strictObject({ currency: z.string(), min: z.string().optional(), max: z.string().optional() })
  .check((context) => {
    const { currency, min, max } = context.value;
    const amounts = [min, max].flatMap((text) => (text === undefined ? [] : [parseMoney(text, currency)]));
    const message =
      findCurrency(currency) === undefined
        ? `"${currency}" is no currency.`
        : amounts.some((each) => !each.ok)
          ? `min and max are amounts of ${currency}.`
          : undefined;
    if (message !== undefined) context.issues.push({ code: 'custom', input: context.value, message });
  });

/**
 * One rule of pre-routing: which methods a payer sees when the request names none. All its conditions must hold; one that is not
 * there holds always.
 */
export const routingRuleSchema = z.strictObject({
  operations: z.array(z.enum(OPERATIONS)).optional().describe('Operations that it is for.'),
  currencies: z.array(z.string()).optional().describe('Currencies that it is for.'),
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .optional()
    .describe(
      'Of `billing_address.country`, else of `payee_billing_address.country`. A request without a country fits no country.',
    ),
  amount: amountRange
    .optional()
    .describe('`{ currency, min, max }`, both edges included. An amount of another currency, or none, does not fit.'),
  methods: z.array(z.string()).optional().describe('The keys that are seen, in this order; all of them unless given.'),
  mids: z.array(z.string()).optional().describe('Only these MIDs serve them; all of them unless given.'),
});

export type RoutingRule = z.output<typeof routingRuleSchema>;
