import { currency as findCurrency } from '../money/currencies.ts';
import { decimalText, type Money, moneyOfMinor, unknownCurrency } from '../money/money.ts';
import { type MoneyFormat, rescale, wholeNumberOf } from '../money/provider-formats.ts';

/** The currency's decimals without zeros at their end: `10.5` for 10.50 USD, `10` for 10.00 USD. */
export function shortDecimal(amount: Money): string {
  let { minor, exponent } = amount;
  for (; exponent > 0 && minor % 10n === 0n; exponent -= 1) minor /= 10n;
  return decimalText(minor, exponent);
}

/** Amounts as a provider counts them. */
export interface ProviderDecimals {
  /** Whole units of the provider's smallest one. @throws RangeError when a digit would be lost */
  readonly minorUnits: MoneyFormat;
  /** With exactly the provider's decimals. @throws RangeError when a digit would be lost */
  readonly decimal: MoneyFormat;
  /** Whether the provider counts the amount: it has no cents of some currencies. */
  readonly counts: (amount: Money) => boolean;
  /** Whether the currency can hold the units: a reply with others is not understood. */
  readonly holds: (units: string | bigint | number, currency: string) => boolean;
  /** @throws RangeError as `fromMinorUnits`, and for units that the currency cannot hold */
  readonly fromMinorUnits: (units: string | bigint | number, currency: string) => Money;
}

/**
 * The decimals of a provider that departs from ISO 4217 in some currencies. Other currencies have ISO's.
 *
 * @example
 * // Adyen, "Currency codes and minor units": CLP and ISK have two decimals, CVE and IDR none.
 * const amounts = providerDecimals({ CLP: 2, ISK: 2, CVE: 0, IDR: 0 });
 * amounts.minorUnits(money('1000', 'CLP')) // '100000'
 */
export function providerDecimals(own: Readonly<Record<string, number>>): ProviderDecimals {
  const decimals = new Map(Object.entries(own));
  const unitsOf = ({ minor, exponent, currency }: Money): { units: bigint; scale: number } => {
    const scale = decimals.get(currency) ?? exponent;
    return { units: rescale(minor, exponent, scale, `${scale} decimals of ${currency}`), scale };
  };
  const fromMinorUnits: ProviderDecimals['fromMinorUnits'] = (units, code) => {
    const found = findCurrency(code);
    if (found === undefined) throw unknownCurrency(code);
    const scale = decimals.get(code) ?? found.exponent;
    return moneyOfMinor(rescale(wholeNumberOf(units), scale, found.exponent, `an amount of ${code}`), code);
  };
  return {
    minorUnits: (amount) => unitsOf(amount).units.toString(),
    counts: (amount) => isPossible(() => unitsOf(amount)),
    holds: (units, code) => isPossible(() => fromMinorUnits(units, code)),
    decimal(amount) {
      const { units, scale } = unitsOf(amount);
      return decimalText(units, scale);
    },
    fromMinorUnits,
  };
}

function isPossible(convert: () => unknown): boolean {
  try {
    convert();
    return true;
  } catch {
    return false;
  }
}
