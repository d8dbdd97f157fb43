import { currency as findCurrency } from './currencies.ts';

/**
 * An amount of one currency: never negative, never a float.
 *
 * `text` is what the merchant sent, byte for byte: it is hashed, stored, echoed and called back.
 * `minor` is what is computed with: whole minor units (cents, satoshi).
 */
export interface Money {
  readonly text: string;
  readonly minor: bigint;
  readonly currency: string;
  readonly exponent: number;
}

/** Why an amount cannot be read. `decimals`: more than the currency's format has; `fraction`: cents of a currency without cents. */
export type MoneyProblem = 'currency' | 'grammar' | 'decimals' | 'fraction';

export type ParsedMoney =
  | { readonly ok: true; readonly money: Money }
  | { readonly ok: false; readonly reason: MoneyProblem };

/** Longest amount text (protocol reference: order.amount, max 255). It also keeps a hostile text from becoming a huge bigint. */
const maxLength = 255;

/** Zero or no leading zero, then at least one decimal after a point; no sign, exponent, space or comma. */
const grammar = /^(0|[1-9]\d*)(?:\.(\d+))?$/;

/**
 * Decimals that the protocol writes for an exponent (protocol: Amount format): a currency without minor units is
 * written with two decimals, which must be zero.
 */
export function formatDecimals(exponent: number): number {
  return exponent === 0 ? 2 : exponent;
}

/**
 * Reads an amount as a merchant sends it. Fewer decimals than the format are fine ("123" for USD), because real
 * clients send them.
 *
 * @example
 * parseMoney('10.50', 'USD') // { ok: true, money: { text: '10.50', minor: 1050n, currency: 'USD', exponent: 2 } }
 * parseMoney('10.505', 'USD') // { ok: false, reason: 'decimals' }
 */
export function parseMoney(text: string, currency: string): ParsedMoney {
  const found = findCurrency(currency);
  if (found === undefined) return { ok: false, reason: 'currency' };
  const match = text.length > maxLength ? null : grammar.exec(text);
  if (match === null) return { ok: false, reason: 'grammar' };
  const [, whole = '', decimals = ''] = match;
  const { exponent } = found;
  if (decimals.length > formatDecimals(exponent)) return { ok: false, reason: 'decimals' };
  if (exponent === 0 && /[1-9]/.test(decimals)) return { ok: false, reason: 'fraction' };
  const minor = BigInt(whole + decimals.slice(0, exponent).padEnd(exponent, '0'));
  return { ok: true, money: { text, minor, currency, exponent } };
}

/**
 * As {@link parseMoney}, for amounts written in code.
 *
 * @throws RangeError when the text is not an amount of the currency.
 * @example money('10.50', 'USD').minor // 1050n
 */
export function money(text: string, currency: string): Money {
  const parsed = parseMoney(text, currency);
  if (parsed.ok) return parsed.money;
  if (parsed.reason === 'currency') throw unknownCurrency(currency);
  throw new RangeError(`"${text.slice(0, 40)}" is not an amount of ${currency} (${parsed.reason})`);
}

/**
 * An amount from minor units, its text in the protocol's format.
 *
 * @throws RangeError when the currency is unknown or the amount negative.
 * @example moneyOfMinor(1050n, 'USD').text // '10.50'
 */
export function moneyOfMinor(minor: bigint, currency: string): Money {
  const found = findCurrency(currency);
  if (found === undefined) throw unknownCurrency(currency);
  if (minor < 0n) throw new RangeError(`An amount of ${currency} cannot be negative`);
  const { exponent } = found;
  return { text: decimalText(minor, exponent) + (exponent === 0 ? '.00' : ''), minor, currency, exponent };
}

/** Minor units as a decimal with exactly `exponent` decimals. */
export function decimalText(minor: bigint, exponent: number): string {
  if (exponent === 0) return minor.toString();
  const digits = minor.toString().padStart(exponent + 1, '0');
  return `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

export function unknownCurrency(code: string): RangeError {
  return new RangeError(`Unknown currency "${code.slice(0, 12)}"`);
}
