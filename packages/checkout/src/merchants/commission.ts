import { type Money, money, moneyOfMinor } from '@railyard/core';
import type { CommissionRow } from '../deployment/commission-schema.ts';

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
  const share = (amount.minor * partsOf(row.percent) * 2n + WHOLE) / (WHOLE * 2n);
  const minor = share + money(row.fixed, currency).minor;
  const least = row.min === undefined ? minor : larger(minor, money(row.min, currency).minor);
  const most = row.max === undefined ? least : smaller(least, money(row.max, currency).minor);
  return moneyOfMinor(most, currency);
}

function partsOf(percent: string): bigint {
  const [whole = '', decimals = ''] = percent.split('.');
  return BigInt(whole + decimals.padEnd(DECIMALS, '0'));
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
