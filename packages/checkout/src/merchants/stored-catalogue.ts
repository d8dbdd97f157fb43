import { isDeepStrictEqual } from 'node:util';
import type { Connector, DigitalWallet } from '@railyard/core';
import type { CallbackNetwork } from '../deployment/address-rules.ts';
import { sealedAt, type Sealer } from '../secrets/index.ts';
import {
  type ConfigurationsStore,
  configurationsStore,
  type Db,
  type SqlClock,
  type StoredConfiguration,
} from '../storage/index.ts';
import { type GivenCatalogue, merchantSchema, midSchema } from '../deployment/catalogue-schema.ts';
import { createDirectory, type Directory, type Retired } from './directory.ts';
import { ConfigError } from '../deployment/problems.ts';
import { readCatalogue } from '../deployment/read-catalogue.ts';
import { joinSecrets, type SplitCatalogue, splitSecrets } from '../deployment/split-secrets.ts';

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
 * Stores merchants and MIDs as a new version, unless the newest one says the same. What they leave out is kept as retired, because
 * payments may still belong to it.
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
    directoryOf(kept, access);
    if (stored !== undefined && before !== undefined && isSame(before, read.given))
      return { version: stored.version, changed: false };
    const version = (stored?.version ?? 0) + 1;
    const { open, secret } = splitSecrets(kept, access.connectors);
    const sealed = access.sealer.seal(secret, sealedAt.configuration(version));
    if (await access.store.add({ version, publicText: open, sealed, origin })) return { version, changed: true };
  }
  throw new Error('The configuration is being changed by others all the time. Try again.');
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
