import type { Transport } from '@railyard/runtime';
import type { LookupDeps } from '../../payments/lookups/deps.ts';
import type { HttpDeps } from '../basics/deps.ts';

/** Needed to show the hosted page and to take what payers send. */
export type PageDeps = LookupDeps &
  HttpDeps & {
    /** How requests to others than the accounts of merchants leave. */
    readonly transport: Transport;
    /** Aborts when the service stops. */
    readonly stopping: AbortSignal;
  };
