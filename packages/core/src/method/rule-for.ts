import type { Money } from '../money/money.ts';
import { readText } from '../plain-data.ts';
import { rangeBreach } from './limits.ts';
import type { Readable } from './readable.ts';
import type { RoutingRule } from './routing-rules.ts';

/** The first matching rule. Without a match the page offers all methods. */
export function ruleFor(rules: readonly RoutingRule[], request: Readable): RoutingRule | undefined {
  const { fields } = request;
  const country = readText(fields, 'billing_address.country') ?? readText(fields, 'payee_billing_address.country');
  return rules.find(
    ({ operations, currencies, countries, amount }) =>
      isAmong(operations, request.operation) &&
      isAmong(currencies, request.currency) &&
      isAmong(countries, country) &&
      (amount === undefined || isWithin(amount, request.amount)),
  );
}

const isAmong = (codes: readonly string[] | undefined, code: string | undefined): boolean =>
  codes === undefined || codes.some((each) => each === code);

function isWithin(range: NonNullable<RoutingRule['amount']>, amount: Money | undefined): boolean {
  return amount?.currency === range.currency && rangeBreach(range, amount) === undefined;
}
