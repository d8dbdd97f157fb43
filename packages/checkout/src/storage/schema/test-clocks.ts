import type { ColumnType } from 'kysely';

export interface TestClocksTable {
  merchantKey: string;
  /** Milliseconds; a bigint, which drivers give as text. */
  aheadMs: ColumnType<string, string, string>;
  lastMove: string;
}
