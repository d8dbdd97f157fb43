import type { Stores } from '../storage/index.ts';

/** Needed to handle a request once. */
export interface IdempotencyDeps {
  readonly stores: Pick<Stores, 'idempotency'>;
  /** A random UUID. */
  readonly newId: () => string;
}
