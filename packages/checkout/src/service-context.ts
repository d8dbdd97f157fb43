import type { Credentials, Host, Transport } from '@railyard/runtime';
import type { CallbackSender } from './callbacks/sender.ts';
import type { Directory } from './config/directory.ts';
import type { ParsedConfig } from './config/config.ts';
import type { PageTokens } from './config/page-token.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import type { Log } from './log.ts';
import type { EarlyHints } from './notifications/early-hints.ts';
import type { Breakers } from './payments/breakers.ts';
import type { PaymentTurns } from './payments/contention.ts';
import type { RunsUnderWay } from './payments/runs-under-way.ts';
import type { Sealer } from './secrets/index.ts';
import type { Db, SqlClock, Stores } from './storage/index.ts';
import type { CardVault } from './vault/card-vault.ts';
import type { SecurityCodes } from './vault/security-codes.ts';
import type { RoundName } from './work/round-name.ts';

/** Shared by every part of the service. Made once at the start and passed on explicitly. */
export interface ServiceContext {
  readonly config: ParsedConfig;
  readonly directory: Directory;
  readonly db: Db;
  readonly sqlClock: SqlClock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds that never go back and do not step with the clock of the machine. */
  readonly monotonic: () => number;
  /** A random UUID. */
  readonly newId: () => string;
  /** From 0 to 1, for what must not come all at once. */
  readonly random: () => number;
  readonly stores: Stores;
  /** Seals what the database keeps of payers and providers. */
  readonly sealer: Sealer;
  /** Numbers of cards, sealed. */
  readonly vault: CardVault;
  /** Security codes of cards, for the runs under way in this process. */
  readonly securityCodes: SecurityCodes;
  readonly pageTokens: PageTokens;
  /** Unsigned notifications about references that no payment has yet. */
  readonly earlyHints: EarlyHints;
  readonly limits: RateLimits;
  /** Changes of one payment come one after the other. */
  readonly turns: PaymentTurns;
  /** How requests to others than the accounts of merchants leave. */
  readonly transport: Transport;
  /** How requests to the accounts leave. */
  readonly breakers: Breakers;
  readonly callbackSender: CallbackSender;
  readonly credentials: Credentials;
  readonly log: Log;
  readonly logCall: NonNullable<Host['log']>;
  /** Which process drives a run. */
  readonly owner: string;
  /** The runs that this process has in hand. */
  readonly underWay: RunsUnderWay;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
  /** Tells waiting pages and workers that a payment changed. */
  readonly changed: (paymentId: string) => void;
  /** Says that work of this kind is due, now or in so many milliseconds. */
  readonly wake: (work: RoundName, inMs?: number) => void;
}

/** The members needed to decide and write a change of a payment; a command has no others. */
export type DecidingContext = Pick<
  ServiceContext,
  'directory' | 'stores' | 'sealer' | 'now' | 'newId' | 'log' | 'changed' | 'wake' | 'earlyHints' | 'turns'
>;
