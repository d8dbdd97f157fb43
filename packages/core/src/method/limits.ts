import { compareMoney, type Money, money } from '../money/index.ts';
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

/** Declares limits as data. Amounts that are no amounts of their currency are refused at once. */
export function limitsTable(source: string, rows: readonly LimitRow[]): LimitsTable {
  for (const row of rows) {
    const min = row.min === undefined ? undefined : money(row.min, row.currency);
    const max = row.max === undefined ? undefined : money(row.max, row.currency);
    if (min && max && compareMoney(min, max) > 0)
      throw new Error(`Limits row ${JSON.stringify(row)}: min is above max. Swap them.`);
  }
  return { source, rows };
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
  if (row?.min !== undefined && compareMoney(query.amount, money(row.min, row.currency)) < 0)
    return { kind: 'below', limit: row.min };
  if (row?.max !== undefined && compareMoney(query.amount, money(row.max, row.currency)) > 0)
    return { kind: 'above', limit: row.max };
  return undefined;
}
