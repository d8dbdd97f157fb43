import type { Stores } from '../storage/index.ts';

/** Needed to judge a signature. */
export interface SignatureDeps {
  readonly stores: Pick<Stores, 'requestIds'>;
}
