import type { Log } from '../log/log.ts';
import type { Directory } from '../merchants/directory.ts';
import type { Stores } from '../storage/index.ts';
import type { CardVault } from './card-vault.ts';
import type { SecurityCodes } from './security-codes.ts';

/** Needed to take cards and wallets, and to read them for a provider. */
export interface CardDeps {
  readonly directory: Directory;
  readonly stores: Stores;
  /** Numbers of cards, sealed. */
  readonly vault: CardVault;
  /** Security codes of cards, for the runs under way in this process. */
  readonly securityCodes: SecurityCodes;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A random UUID. */
  readonly newId: () => string;
}
