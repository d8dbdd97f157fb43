import type { Log } from '../../log/log.ts';
import type { Directory } from '../../merchants/directory.ts';
import type { PageTokens } from '../../sessions/page-token.ts';
import type { SignatureDeps } from '../../signatures/deps.ts';
import type { Stores } from '../../storage/index.ts';
import type { RateLimits } from './rate-limits.ts';

/** Needed to read a request, limit its sender and judge its signature. */
export interface HttpDeps {
  readonly stores: SignatureDeps['stores'] & Pick<Stores, 'issuedIds'>;
  readonly directory: Directory;
  readonly limits: RateLimits;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly pageTokens: PageTokens;
}
