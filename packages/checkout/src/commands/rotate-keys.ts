import { type Command, say, UsageError } from './command.ts';
import { loadConfig } from './load-config.ts';
import { withDatabase } from './with-database.ts';

/** Seals everything with the newest encryption key, so that the older ones can go. */
export const rotateKeys: Command = {
  usage: ['rotate-keys [config file]      seal everything with the newest encryption key'],
  async run(args) {
    const [file, ...more] = args;
    if (more.length > 0 || file?.startsWith('-') === true) throw new UsageError('Give one configuration file.');
    const config = await loadConfig(file);
    const { parseConfig } = await import('../deployment/config.ts');
    const { sealerOf } = await import('../deployment/sealer-of.ts');
    const secrets = await import('../secrets/index.ts');
    await withDatabase(config, async ({ db }) => {
      const { sealer } = sealerOf(parseConfig(config));
      const count = await secrets.rotateKeys(db, sealer);
      say(`Sealed again: ${count}. Everything is sealed with the key ${sealer.keyId}.`);
    });
  },
};
