import { compareMoney, type Money, parseMoney } from '../money/index.ts';
import { readPath } from './condition.ts';
import type { Readable } from './readable.ts';
import type { RoutingRule } from './routing-rules.ts';

/** The first rule that fits decides. Without one that fits, all methods are seen. */
export function ruleFor(rules: readonly RoutingRule[], request: Readable): RoutingRule | undefined {
  const country = countryOf(request, 'billing_address') ?? countryOf(request, 'payee_billing_address');
  return rules.find(
    ({ operations, currencies, countries, amount }) =>
      (operations === undefined || operations.includes(request.operation)) &&
      (currencies === undefined || currencies.some((each) => each === request.currency)) &&
      (countries === undefined || countries.some((each) => each === country)) &&
      (amount === undefined || isWithin(amount, request.amount)),
  );
}

function isWithin({ currency, min, max }: NonNullable<RoutingRule['amount']>, amount: Money | undefined): boolean {
  if (amount === undefined || amount.currency !== currency) return false;
  const [low, high] = [min, max].map((text) => (text === undefined ? undefined : parseMoney(text, currency)));
  return (
    (low?.ok !== true || compareMoney(amount, low.money) >= 0) &&
    (high?.ok !== true || compareMoney(amount, high.money) <= 0)
  );
}

function countryOf({ fields }: Readable, block: string): string | undefined {
  const country = readPath(fields, `${block}.country`);
  return typeof country === 'string' ? country : undefined;
}
