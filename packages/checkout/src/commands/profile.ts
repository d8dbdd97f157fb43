import { type Command, say, UsageError } from './command.ts';
import { loadConfig } from './load-config.ts';
import { withDatabase } from './with-database.ts';
import type { Directory } from '../merchants/directory.ts';

/** Writes the profile with which a merchant validates requests and gets the service's own verdict. */
export const profile: Command = {
  usage: ['profile KEY [config file]      the public profile of a merchant key, as JSON'],
  async run(args) {
    const [key, file, ...more] = args;
    if (key === undefined || more.length > 0) throw new UsageError('Give a merchant key, and a configuration file.');
    const config = await loadConfig(file);
    const { parseConfig } = await import('../deployment/config.ts');
    const { createDirectory } = await import('../merchants/directory.ts');
    const parsed = parseConfig(config);
    if (parsed.given !== undefined) return printProfile(createDirectory(parsed), key);
    const { sealerOf } = await import('../deployment/sealer-of.ts');
    const { catalogueAccess, loadNewest } = await import('../merchants/stored-catalogue.ts');
    const { databaseClock } = await import('../storage/index.ts');
    await withDatabase(config, async ({ db }) => {
      const { sealer } = sealerOf(parsed);
      const loaded = await loadNewest(catalogueAccess(db, databaseClock, sealer, parsed));
      printProfile(loaded?.directory, key);
    });
  },
};

function printProfile(directory: Directory | undefined, key: string): void {
  const found = directory?.find(key);
  // The key is not repeated: a mistyped argument may be a secret.
  if (found === undefined) throw new Error('No merchant has this key.');
  say(JSON.stringify(found.merchant.profile, undefined, 2));
}
