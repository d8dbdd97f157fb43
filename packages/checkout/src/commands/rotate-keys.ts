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
      const left = await secrets.countOfOlder(db, sealer);
      if (left > 0)
        throw new Error(
          `Sealed again: ${count}. ${left} texts are still sealed with an older key: another process writes with it. ` +
            `Start every process with the key ${sealer.keyId} in front, then run rotate-keys again, and keep the older key until then.`,
        );
      say(`Sealed again: ${count}. Everything is sealed with the key ${sealer.keyId}.`);
    });
  },
};
