import { money, moneyOfMinor, type Money } from '@railyard/core';
import type { CommissionRow } from '../deployment/catalogue.ts';

/** A percentage has four decimals, and a hundred of it are the whole. */
const DECIMALS = 4;
const WHOLE = 100n * 10n ** BigInt(DECIMALS);

/**
 * The commission that the payer pays on top of an amount: the share and the fixed part of the first row in its currency, within the row's bounds; nothing
 * without such a row.
 *
 * @example commissionOn(money('10.00', 'USD'), [{ currency: 'USD', percent: '1.5', fixed: '0.30' }]).text // '0.45'
 */
export function commissionOn(amount: Money, rows: readonly CommissionRow[]): Money {
  const { currency } = amount;
  const row = rows.find((each) => each.currency === currency);
  if (row === undefined) return moneyOfMinor(0n, currency);
  const share = halfUp(amount.minor * partsOf(row.percent), WHOLE);
  const minor = share + money(row.fixed, currency).minor;
  const least = row.min === undefined ? minor : larger(minor, money(row.min, currency).minor);
  const most = row.max === undefined ? least : smaller(least, money(row.max, currency).minor);
  return moneyOfMinor(most, currency);
}

function partsOf(percent: string): bigint {
  const [whole = '', decimals = ''] = percent.split('.');
  return BigInt(whole + decimals.padEnd(DECIMALS, '0'));
}

/** The quotient of two numbers that are not negative. */
const halfUp = (of: bigint, by: bigint): bigint => (of * 2n + by) / (by * 2n);

/**
 * The value-added tax that an amount contains, rounded half up to the currency's smallest unit.
 *
 * @param rate in percent of the amount without the tax
 * @example vatIn(money('119.00', 'EUR'), '19').text // '19.00'
 */
export function vatIn({ minor, currency }: Money, rate: string): Money {
  const parts = partsOf(rate);
  return moneyOfMinor(halfUp(minor * parts, WHOLE + parts), currency);
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
