import type { DriftKind } from '@railyard/runtime';
import type { Timestamp } from './columns.ts';

export interface ReplyDriftTable {
  connectorId: string;
  version: string;
  endpoint: string;
  kind: DriftKind;
  reply: string;
  status: number;
  place: string;
  form: string;
  seen: string;
  firstSeenAt: Timestamp;
  lastSeenAt: Timestamp;
}
