import type { Timestamp } from './columns.ts';

export interface FindingsTable {
  kind: string;
  subject: string;
  detail: string;
  foundAt: Timestamp;
  handledAt: Timestamp;
}
