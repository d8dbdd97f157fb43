import type { ColumnType } from './columns.ts';

export interface TestClocksTable {
  merchantKey: string;
  /** Milliseconds; a bigint, which drivers give as text. */
  aheadMs: ColumnType<string, string, string>;
  lastMove: string;
}
