import type { Timestamp } from './columns.ts';

export interface SchedulesTable {
  id: string;
  merchantKey: string;
  test: boolean;
  historyText: string;
  pausesText: string;
  paused: boolean;
  version: number;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}
