import type { NotificationDeps } from '../notifications/receive.ts';
import type { Transport } from '@railyard/runtime';
import type { LookupDeps, OperationDeps } from '../payments/runs/deps.ts';
import type { HttpDeps } from './basics/limits.ts';

/** Needed to carry out server-to-server commands. */
export type CommandDeps = OperationDeps & HttpDeps;

/** Needed by all routes together. */
export type AppDeps = PageDeps & MerchantApiDeps & NotificationDeps;

/** Needed to answer merchants' servers. */
export type MerchantApiDeps = OperationDeps & HttpDeps;

/** Needed to show the hosted page and to take what payers send. */
export type PageDeps = LookupDeps &
  HttpDeps & {
    /** How requests to others than the accounts of merchants leave. */
    readonly transport: Transport;
    /** Aborts when the service stops. */
    readonly stopping: AbortSignal;
  };
