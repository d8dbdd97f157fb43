import type { Directory } from '../merchants/directory.ts';
import type { Sealer } from '../secrets/index.ts';
import type { Stores } from '../storage/index.ts';
import type { PageTokens } from './page-token.ts';

/** Needed to store sessions and to read them again. */
export interface SessionDeps {
  readonly directory: Directory;
  readonly stores: Stores;
  /** Seals personal data and providers' data in the database. */
  readonly sealer: Sealer;
  readonly pageTokens: PageTokens;
}
