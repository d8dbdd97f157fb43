import { currency as findCurrency } from './currencies.ts';
import { JsonNumberLiteral } from './json-number.ts';
import { decimalText, type Money, moneyOfMinor, unknownCurrency } from './money.ts';

/** How a provider writes an amount. Each format is exact or throws; none rounds. */
export type MoneyFormat = (amount: Money) => string;

/** Whole minor units: `1050` for 10.50 USD, `1000` for 1000 JPY. */
export function minorUnits(amount: Money): string {
  return amount.minor.toString();
}

/** As {@link minorUnits}, as a number to compute with. */
export function minorUnitsBigint(amount: Money): bigint {
  return amount.minor;
}

/** Exactly the decimals of the currency: `10.50` USD, `1000` JPY, `1.250` KWD. */
export function decimal(amount: Money): string {
  return decimalText(amount.minor, amount.exponent);
}

/**
 * Two decimals whatever the currency: `10.50` USD, `1000.00` JPY, `1.25` for 1.250 KWD.
 *
 * @throws RangeError when a further decimal is not zero.
 */
export function twoDecimals(amount: Money): string {
  return decimalText(rescale(amount.minor, amount.exponent, 2, 'two decimals'), 2);
}

/**
 * A whole number of major units: `10` for 10.00 USD.
 *
 * @throws RangeError when the amount has a fraction.
 */
export function wholeUnits(amount: Money): string {
  return rescale(amount.minor, amount.exponent, 0, 'a whole number').toString();
}

/**
 * A JSON number with the exact digits of a format.
 *
 * @example
 * jsonNumber(amount) // sent as 10.50
 * jsonNumber(amount, minorUnits) // sent as 1050
 */
export function jsonNumber(amount: Money, format: MoneyFormat = decimal): JsonNumberLiteral {
  return new JsonNumberLiteral(format(amount));
}

/** A decimal as providers reply it; a JSON library may write a small one with an exponent (`1e-8`). */
const replied = /^(\d{1,255})(?:\.(\d{1,255}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * Reads a decimal of a provider's reply: any number of decimals, as long as those past the currency's are zero.
 * The text of the result is the protocol's own format.
 *
 * @throws RangeError when the text is no decimal, has digits the currency cannot hold, or the currency is unknown.
 * @example fromDecimal('10.5000', 'USD').text // '10.50'
 */
export function fromDecimal(text: string, currency: string): Money {
  const found = findCurrency(currency);
  if (found === undefined) throw unknownCurrency(currency);
  const match = replied.exec(text);
  if (match === null) throw new RangeError(`"${text.slice(0, 40)}" is not a decimal amount`);
  const [, whole = '', decimals = '', power = '0'] = match;
  const scale = decimals.length - Number.parseInt(power, 10);
  const digits = BigInt(whole + decimals);
  return moneyOfMinor(rescale(digits, scale, found.exponent, `an amount of ${currency}`), currency);
}

/**
 * Reads whole minor units of a provider's reply.
 *
 * @throws RangeError when they are not whole, negative or too large to be exact, or the currency is unknown.
 * @example fromMinorUnits('1050', 'USD').text // '10.50'
 */
export function fromMinorUnits(units: string | bigint | number, currency: string): Money {
  return moneyOfMinor(wholeNumberOf(units), currency);
}

/** @throws RangeError when the text or number is not whole, negative or too large to be exact */
export function wholeNumberOf(units: string | bigint | number): bigint {
  if (typeof units === 'number' && !Number.isSafeInteger(units))
    throw new RangeError(`${units} is not an exact number of minor units`);
  if (typeof units === 'string' && !/^\d{1,255}$/.test(units))
    throw new RangeError(`"${units.slice(0, 40)}" is not a number of minor units`);
  return BigInt(units);
}

/** Moves the decimal point from one scale to another; what would be lost must be zero. */
export function rescale(units: bigint, from: number, to: number, wanted: string): bigint {
  if (to >= from) return units * 10n ** BigInt(to - from);
  const divisor = 10n ** BigInt(from - to);
  if (units % divisor !== 0n) throw new RangeError(`An amount has more decimals than ${wanted} can hold`);
  return units / divisor;
}
