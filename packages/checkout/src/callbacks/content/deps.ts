import type { Sealer } from '../../secrets/index.ts';
import type { Stores } from '../../storage/index.ts';

/** Needed to write what a merchant is sent. */
export interface CallbackContentDeps {
  readonly stores: Stores;
  readonly sealer: Sealer;
}
