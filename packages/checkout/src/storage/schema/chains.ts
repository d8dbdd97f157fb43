import type { Generated, Timestamp } from './columns.ts';

export interface ChainsTable {
  id: string;
  scheduleId: string;
  merchantKey: string;
  test: boolean;
  midId: string;
  tokenHash: string;
  began: string;
  startDate: string | null;
  pausedAfter: string | null;
  pausesText: Generated<string>;
  endedAt: Timestamp | null;
  pollAt: Timestamp | null;
  polls: Generated<number>;
  wakes: Generated<number>;
  createdAt: Timestamp;
}

export type DueDayState = 'begun' | 'settled' | 'declined_soft' | 'declined_hard' | 'paused' | 'missed' | 'refused';

export interface DueDaysTable {
  mandateId: string;
  day: string;
  state: DueDayState;
  chargeId: string | null;
  firstTried: string | null;
  lastTried: string | null;
  at: Timestamp;
}
