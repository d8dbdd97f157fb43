import { type Money, moneyOfMinor } from './money.ts';

/** @throws TypeError when the currencies differ. */
export function addMoney(left: Money, right: Money): Money {
  refuseMixed(left, right);
  return moneyOfMinor(left.minor + right.minor, left.currency);
}

/**
 * @throws TypeError when the currencies differ.
 * @throws RangeError when more is taken away than there is.
 */
export function subtractMoney(left: Money, right: Money): Money {
  refuseMixed(left, right);
  return moneyOfMinor(left.minor - right.minor, left.currency);
}

/**
 * Order of two amounts, whatever their spelling: `10.5` and `10.50` are equal.
 *
 * @throws TypeError when the currencies differ.
 */
export function compareMoney(left: Money, right: Money): -1 | 0 | 1 {
  refuseMixed(left, right);
  if (left.minor === right.minor) return 0;
  return left.minor < right.minor ? -1 : 1;
}

export function isZero(amount: Money): boolean {
  return amount.minor === 0n;
}

function refuseMixed(left: Money, right: Money): void {
  if (left.currency !== right.currency)
    throw new TypeError(`Amounts of ${left.currency} and ${right.currency} cannot be computed with each other`);
}
