import { compareMoney } from '../money/arithmetic.ts';
import { currency as findCurrency } from '../money/currencies.ts';
import { type Money, parseMoney } from '../money/money.ts';
import type { Operation } from './operation.ts';

/**
 * One row of a limits table: decimal amounts in `currency`, both edges included. An absent column matches everything.
 *
 * @example { operation: 'credit', country: 'KE', currency: 'KES', operator: 'equitel-ke', min: '10', max: '100000' }
 */
export interface LimitRow {
  readonly operation?: Operation | undefined;
  readonly currency: string;
  readonly country?: string | undefined;
  readonly operator?: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

export interface LimitsTable {
  readonly rows: readonly LimitRow[];
  /** Where the numbers come from, for the documentation. */
  readonly source: string;
}

export interface LimitQuery {
  readonly operation: Operation;
  readonly amount: Money;
  readonly country?: string | undefined;
  readonly operator?: string | undefined;
}

export type LimitBreach = { readonly kind: 'below' | 'above'; readonly limit: string };

/** Declares limits as data. `defineConnector` refuses impossible limits: see `limitProblem`. */
export function limitsTable(source: string, rows: readonly LimitRow[]): LimitsTable {
  return { source, rows };
}

/** The problem of a row, or nothing: an unknown currency, amounts that are no amounts of their currency, a min above its max. */
export function limitProblem({ currency, min, max }: LimitRow): string | undefined {
  if (findCurrency(currency) === undefined) return `"${currency}" is no currency.`;
  const [low, high] = [min, max].map((text) => (text === undefined ? undefined : parseMoney(text, currency)));
  if (low?.ok === false) return `min is no amount of ${currency}.`;
  if (high?.ok === false) return `max is no amount of ${currency}.`;
  return low && high && compareMoney(low.money, high.money) > 0 ? 'min is above max. Swap them.' : undefined;
}

/** A MID's rows stand before the method's: the first matching row decides. */
export function mergeLimits(table: LimitsTable, overrides: readonly LimitRow[]): LimitsTable {
  return overrides.length === 0 ? table : { source: table.source, rows: [...overrides, ...table.rows] };
}

/** The row that applies, or `undefined` where the table says nothing. */
export function limitFor(table: LimitsTable, query: LimitQuery): LimitRow | undefined {
  return table.rows.find(
    (row) =>
      row.currency === query.amount.currency &&
      (row.operation === undefined || row.operation === query.operation) &&
      (row.country === undefined || row.country === query.country) &&
      (row.operator === undefined || row.operator === query.operator),
  );
}

/** Compares an amount with the table; both edges are allowed. */
export function checkLimits(table: LimitsTable, query: LimitQuery): LimitBreach | undefined {
  const row = limitFor(table, query);
  return row && rangeBreach(row, query.amount);
}

/** Compares an amount with a range in its own currency; both edges are allowed. No amount is within an edge that is none. */
export function rangeBreach(range: Range, { minor }: Money): LimitBreach | undefined {
  const { min, max } = range;
  const [least, most] = edgesOf(range);
  if (min !== undefined && (least === undefined || minor < least)) return { kind: 'below', limit: min };
  if (max !== undefined && (most === undefined || minor > most)) return { kind: 'above', limit: max };
  return undefined;
}

type Range = Pick<LimitRow, 'currency' | 'min' | 'max'>;

/** The edges of a row in minor units, read once: nothing for an edge that is missing or is no amount of the currency. */
const read = new WeakMap<Range, readonly (bigint | undefined)[]>();

function edgesOf(range: Range) {
  const before = read.get(range);
  if (before !== undefined) return before;
  const { currency, min, max } = range;
  const edges = [min, max].map((edge = '') => {
    const parsed = parseMoney(edge, currency);
    return parsed.ok ? parsed.money.minor : undefined;
  });
  read.set(range, edges);
  return edges;
}
