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
 * One rule of pre-routing: which methods a payer sees when the request names none. All its conditions must hold. A condition that
 * the rule leaves out always holds.
 */
export const routingRuleSchema = z.strictObject({
  operations: z.array(z.enum(OPERATIONS)).optional().describe('Operations that the rule is for. Default: all.'),
  currencies: z.array(z.string()).optional().describe('Currencies that the rule is for. Default: all.'),
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .optional()
    .describe(
      'Countries that the rule is for: `billing_address.country`, else `payee_billing_address.country`. A request without a country fits no country. Default: all.',
    ),
  amount: amountRange
    .optional()
    .describe(
      'Amounts that the rule is for: `{ currency, min, max }`, both edges included. An amount in another currency, or none, does not fit. Default: all.',
    ),
  methods: z
    .array(z.string())
    .optional()
    .describe('The keys that the page offers, in this order. Default: all, in the merchant’s order.'),
  mids: z.array(z.string()).optional().describe('The only MIDs that may serve these methods. Default: all.'),
});

export type RoutingRule = z.output<typeof routingRuleSchema>;
