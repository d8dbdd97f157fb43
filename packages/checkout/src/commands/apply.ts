import { type Command, say, UsageError } from './command.ts';
import { loadConfig } from './load-config.ts';
import { withDatabase } from './with-database.ts';

/** Stores the merchants and MIDs of a configuration, for services that run and for those that start without their own. */
export const apply: Command = {
  usage: [`apply [config file]            store its merchants and MIDs; running services take them up`],
  async run(args) {
    const [file, ...more] = args;
    if (more.length > 0 || file?.startsWith('-') === true) throw new UsageError('Give one configuration file.');
    const config = await loadConfig(file);
    const { parseConfig } = await import('../deployment/config.ts');
    const { sealerOf } = await import('../deployment/sealer-of.ts');
    const { catalogueAccess, storeCatalogue } = await import('../merchants/stored-catalogue.ts');
    const { databaseClock } = await import('../storage/index.ts');
    const parsed = parseConfig(config);
    const { given } = parsed;
    if (given === undefined) throw new Error(`${file ?? 'The configuration'} has no mids and merchants to apply.`);
    await withDatabase(config, async ({ db }) => {
      const { sealer } = sealerOf(parsed);
      const { version, changed } = await storeCatalogue(
        catalogueAccess(db, databaseClock, sealer, parsed),
        given,
        'change',
      );
      say(changed ? `Version ${version} is in force.` : `Version ${version} says the same; nothing has changed.`);
    });
  },
};
