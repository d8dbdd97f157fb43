import type { Credentials, Host, Transport } from '@railyard/runtime';
import type { Directory } from './config/directory.ts';
import type { ParsedConfig } from './config/config.ts';
import type { PageTokens } from './config/page-token.ts';
import type { Log } from './log.ts';
import type {
  CallbacksStore,
  Db,
  NotificationsStore,
  PaymentsStore,
  RunsStore,
  SessionsStore,
  SqlClock,
} from './storage/index.ts';

/** What every part of the service works with. Made once at the start and passed on explicitly. */
export interface ServiceContext {
  readonly config: ParsedConfig;
  readonly directory: Directory;
  readonly db: Db;
  readonly sqlClock: SqlClock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A random UUID. */
  readonly newId: () => string;
  readonly stores: {
    readonly sessions: SessionsStore;
    readonly payments: PaymentsStore;
    readonly runs: RunsStore;
    readonly callbacks: CallbacksStore;
    readonly notifications: NotificationsStore;
  };
  readonly pageTokens: PageTokens;
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly log: Log;
  readonly logCall: NonNullable<Host['log']>;
  /** Which process drives a run. */
  readonly owner: string;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
  /** Tells waiting pages and workers that a payment changed. */
  readonly changed: (paymentId: string) => void;
}
