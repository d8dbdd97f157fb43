import type { Sealer } from '../secrets/index.ts';
import type { Stores } from '../storage/index.ts';

/** Needed to handle a request once. */
export interface IdempotencyDeps {
  readonly stores: Pick<Stores, 'idempotency'>;
  /** Seals the answers that are kept. */
  readonly sealer: Sealer;
  /** A random UUID. */
  readonly newId: () => string;
}
