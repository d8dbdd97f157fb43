import { isDeepStrictEqual } from 'node:util';
import type { Connector, DigitalWallet } from '@railyard/core';
import type { CallbackNetwork } from '../deployment/addresses.ts';
import { sealedAt, type Sealer } from '../secrets/index.ts';
import {
  configurationsStore,
  type ConfigurationsStore,
  type Db,
  type SqlClock,
  type StoredConfiguration,
} from '../storage/index.ts';
import { ConfigError, merchantSchema, midSchema, readCatalogue, type GivenCatalogue } from '../deployment/catalogue.ts';
import { createDirectory, type Directory, type LiveDirectory, type Retired } from './directory.ts';
import { joinSecrets, splitSecrets, type SplitCatalogue } from '../deployment/secrets.ts';
import type { Log } from '../log/log.ts';

/** The dependencies of reading and storing merchants and MIDs. */
export interface CatalogueAccess {
  readonly store: ConfigurationsStore;
  readonly sealer: Sealer;
  readonly connectors: readonly Connector[];
  readonly wallets: readonly DigitalWallet[];
  readonly network: CallbackNetwork;
}

export function catalogueAccess(
  db: Db,
  clock: SqlClock,
  sealer: Sealer,
  {
    connectors,
    wallets,
    callbackNetwork,
  }: {
    readonly connectors: readonly Connector[];
    readonly wallets: readonly DigitalWallet[];
    readonly callbackNetwork: CallbackNetwork;
  },
): CatalogueAccess {
  return { store: configurationsStore(db, clock), sealer, connectors, wallets, network: callbackNetwork };
}

export interface LoadedDirectory {
  readonly version: number;
  readonly directory: Directory;
}

const NOTHING: GivenCatalogue = { mids: [], merchants: [] };
/** Of so many processes that store a version at once, the last one succeeds. */
const MAX_TRIES = 20;

/**
 * The newest version, ready for use.
 *
 * @throws ConfigError when this process cannot use it: a connector that is not installed, a variable that is not set
 */
export async function loadNewest(access: CatalogueAccess): Promise<LoadedDirectory | undefined> {
  const stored = await access.store.newest();
  if (stored === undefined) return undefined;
  return { version: stored.version, directory: directoryOf(opened(access, stored), access) };
}

/**
 * Stores merchants and MIDs as a new version, unless the newest one says the same. Merchants and MIDs that they leave out are kept as retired, because
 * payments may still belong to them.
 *
 * @throws ConfigError with every problem; nothing is stored then
 */
export async function storeCatalogue(
  access: CatalogueAccess,
  given: GivenCatalogue,
  origin: StoredConfiguration['origin'],
): Promise<{ readonly version: number; readonly changed: boolean }> {
  const read = readCatalogue(given, access.connectors, access.network);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const stored = await access.store.newest();
    const before = stored && opened(access, stored);
    const problems = [...movedMids(given, before), ...(read.ok ? [] : read.problems)];
    if (!read.ok || problems.length > 0) throw new ConfigError(problems);
    const kept: SplitCatalogue = { ...read.given, retired: retiredBy(read.given, before) };
    const { sameNames } = directoryOf(kept, access);
    if (stored !== undefined && before !== undefined && isSame(before, read.given))
      return { version: stored.version, changed: false };
    if (sameNames.length > 0) throw new ConfigError(sameNames);
    const version = (stored?.version ?? 0) + 1;
    const { open, secret } = splitSecrets(kept, access.connectors);
    const sealed = access.sealer.seal(secret, sealedAt.configuration(version));
    if (await access.store.add({ version, publicText: open, sealed, origin })) return { version, changed: true };
  }
  throw new Error('Another process stored a configuration before each of the tries. Give the configuration again.');
}

const opened = ({ sealer }: CatalogueAccess, { version, publicText, sealed }: StoredConfiguration): SplitCatalogue =>
  joinSecrets(publicText, sealer.open(sealed, sealedAt.configuration(version)));

const isSame = ({ mids, merchants }: SplitCatalogue, given: GivenCatalogue): boolean =>
  isDeepStrictEqual({ mids, merchants }, { mids: given.mids, merchants: given.merchants });

function directoryOf(
  { mids, merchants, retired }: SplitCatalogue,
  { connectors, wallets, network }: CatalogueAccess,
): Directory {
  const read = readCatalogue({ mids, merchants }, connectors, network);
  if (!read.ok) throw new ConfigError(read.problems);
  return createDirectory({ ...read.catalogue, connectors, wallets, retired: readRetired(retired) });
}

/** Retired MIDs and merchants; entries that can no longer be read are ignored. */
function readRetired({ mids, merchants }: GivenCatalogue): Retired {
  return {
    mids: mids.flatMap((each) => midSchema.safeParse(each).data ?? []),
    merchants: merchants.flatMap((each) => merchantSchema.safeParse(each).data ?? []),
  };
}

function retiredBy({ mids, merchants }: GivenCatalogue, before: SplitCatalogue | undefined): GivenCatalogue {
  const { retired } = before ?? { retired: NOTHING };
  const [ids, keys] = [new Set(mids.map(({ id }) => id)), new Set(merchants.map(({ key }) => key))];
  return {
    mids: [...(before?.mids ?? []), ...retired.mids].filter(({ id }) => !ids.has(id)),
    merchants: [...(before?.merchants ?? []), ...retired.merchants].filter(({ key }) => !keys.has(key)),
  };
}

/** A payment finds its provider by its MID, so a MID stays with its connector. */
function movedMids({ mids }: GivenCatalogue, before: SplitCatalogue | undefined): string[] {
  const known = new Map(
    [...(before?.retired.mids ?? []), ...(before?.mids ?? [])].map((mid) => [mid.id, mid.connector]),
  );
  // A value that is not a list has been reported already.
  return (Array.isArray(mids) ? mids : []).flatMap(({ id, connector }, index) => {
    const was = known.get(id);
    if (was === undefined || was === connector) return [];
    return [`mids.${index}.connector: "${id}" is a MID of ${was}. Give the account at ${connector} another id.`];
  });
}

/**
 * How often a process checks whether another one changed merchants or MIDs. Every five seconds it would ask more than two queries a second
 * in the minute of an idle process into which all falls that is done seldom.
 */
const POLL_MS = 6000;

export interface Following {
  /** Stores a version and takes it up. @returns its number @throws ConfigError with every problem */
  readonly configure: (catalogue: GivenCatalogue) => Promise<number>;
  stop(): Promise<void>;
}

export interface FollowOptions {
  readonly access: CatalogueAccess;
  readonly directory: LiveDirectory;
  readonly first: LoadedDirectory;
  readonly log: Log;
  /** Whether other processes can change it too. */
  readonly shared: boolean;
  /** Comes after a version was taken up. */
  readonly taken: () => Promise<void>;
}

/**
 * The merchants and MIDs that a process starts with: its own, stored if they are new; else the database's.
 *
 * @throws ConfigError when there are none, or when this process cannot use them
 */
export async function firstDirectory(
  access: CatalogueAccess,
  given: GivenCatalogue | undefined,
): Promise<LoadedDirectory> {
  if (given !== undefined) await storeCatalogue(access, given, 'start');
  const loaded = await loadNewest(access);
  if (loaded !== undefined) return loaded;
  throw new ConfigError(['mids: there are none, neither here nor in the database. Give mids and merchants once.']);
}

/** Takes up the versions that any process stores. A version that this process cannot use is logged; the previous one stays. */
export function followConfiguration({ access, directory, first, log, shared, taken }: FollowOptions): Following {
  let { version } = first;
  let refused = '';
  const warn = ({ sameNames }: Directory) => {
    for (const why of sameNames) log.warn({ event: 'methods-of-one-name', version, why });
  };
  warn(first.directory);
  const takeUp = async () => {
    const loaded = await loadNewest(access);
    if (loaded === undefined || loaded.version <= version) return;
    directory.swap(loaded.directory);
    ({ version } = loaded);
    refused = '';
    log.info({ event: 'configuration-taken-up', version });
    warn(loaded.directory);
    await taken();
  };
  const poll = async () => {
    const newest = await access.store.newestVersion().catch(() => 0);
    if (newest <= version) return;
    await takeUp().catch((error: unknown) => {
      const why = error instanceof Error ? error.message : 'unknown';
      const problem = `${newest}: ${why}`;
      // It is tried again, because a variable may be set or a file appear; the same problem is reported once.
      if (problem !== refused) log.error({ event: 'configuration-refused', version: newest, using: version, why });
      refused = problem;
    });
  };
  let polling = Promise.resolve();
  const timer = !shared
    ? undefined
    : setInterval(() => {
        polling = polling.then(poll);
      }, POLL_MS).unref();
  return {
    async configure(catalogue) {
      const stored = await storeCatalogue(access, catalogue, 'change');
      await takeUp();
      return stored.version;
    },
    async stop() {
      clearInterval(timer);
      await polling;
    },
  };
}
