import type { Migration } from 'kysely/migration';
import { sessions } from './0001-sessions.ts';
import { payments } from './0002-payments.ts';
import { flowRuns } from './0003-flow-runs.ts';
import { notifications } from './0004-notifications.ts';
import { callbacks } from './0005-callbacks.ts';
import { oneRenewal } from './0006-one-renewal.ts';

/** Every migration by name, in order. A list of imports, so that a bundle carries them. A released one is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-sessions': sessions,
  '0002-payments': payments,
  '0003-flow-runs': flowRuns,
  '0004-notifications': notifications,
  '0005-callbacks': callbacks,
  '0006-one-renewal': oneRenewal,
};
