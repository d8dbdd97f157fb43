import type { Directory } from '../merchants/directory.ts';
import type { Sealer } from '../secrets/index.ts';
import type { Stores } from '../storage/index.ts';

/** Needed to read how a payment stands. */
export interface PaymentStateDeps {
  readonly directory: Directory;
  readonly stores: Stores;
  /** Seals personal data and providers' data in the database. */
  readonly sealer: Sealer;
  /** A random UUID. */
  readonly newId: () => string;
}
