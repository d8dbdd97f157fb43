import type { Timestamp } from './columns.ts';

export interface ServiceSecretsTable {
  name: string;
  /** See `createSealer`. */
  sealed: string;
  madeAt: Timestamp;
}

export interface ConfigurationsTable {
  version: number;
  publicText: string;
  sealed: string;
  origin: 'start' | 'change';
  appliedAt: Timestamp;
}
