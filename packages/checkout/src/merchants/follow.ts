import type { GivenCatalogue } from '../deployment/catalogue-schema.ts';
import type { Log } from '../log/log.ts';
import type { LiveDirectory } from './live-directory.ts';
import { ConfigError } from '../deployment/problems.ts';
import { type CatalogueAccess, type LoadedDirectory, loadNewest, storeCatalogue } from './stored-catalogue.ts';

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
 * The merchants and MIDs that a process starts with: its own, stored if they are new; else those that the database has.
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
  const takeUp = async () => {
    const loaded = await loadNewest(access);
    if (loaded === undefined || loaded.version <= version) return;
    directory.swap(loaded.directory);
    ({ version } = loaded);
    refused = '';
    log.info({ event: 'configuration-taken-up', version });
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
