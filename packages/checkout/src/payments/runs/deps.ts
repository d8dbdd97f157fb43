import type { Credentials, Host } from '@railyard/runtime';
import type { Db, SqlClock } from '../../storage/index.ts';
import type { LogLine } from '../../log/log.ts';
import type { AttemptDeps } from '../attempt/deps.ts';
import type { Breakers } from './breakers.ts';

/** Needed to execute runs. */
export interface RunDeps extends AttemptDeps {
  readonly db: Db;
  readonly sqlClock: SqlClock;
  /** How requests to the accounts leave. */
  readonly breakers: Breakers;
  readonly credentials: Credentials;
  readonly logCall: (line: LogLine) => void;
  /** Counts what replies have that their connectors do not declare. */
  readonly drift: NonNullable<Host['drift']>;
}
