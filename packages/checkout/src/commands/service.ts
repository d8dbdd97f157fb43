import { DEFAULT_CONFIG, UsageError, loadConfig, say, withDatabase, type Command } from './command.ts';
import type { Directory } from '../merchants/directory.ts';
import type { standardLog } from '../log/log.ts';
import type { Checkout } from '../service.ts';

/** Stores the merchants and MIDs of a configuration, for running services and for services that start without their own. */
export const apply: Command = {
  usage: [`apply [config file]            store the merchants and MIDs of the file; running services load them`],
  async run(args) {
    const [file, ...more] = args;
    if (more.length > 0 || file?.startsWith('-') === true) throw new UsageError('Give one configuration file.');
    const config = await loadConfig(file);
    const { parseConfig } = await import('../deployment/config.ts');
    const { sealerOf } = await import('../deployment/config.ts');
    const { catalogueAccess, storeCatalogue } = await import('../merchants/catalogue.ts');
    const { databaseClock } = await import('../storage/index.ts');
    const parsed = parseConfig(config);
    const { given } = parsed;
    if (given === undefined)
      throw new Error(`${file ?? 'The configuration'} has no mids and merchants to apply. Add both.`);
    await withDatabase(config, async ({ db }) => {
      const { sealer } = sealerOf(parsed);
      const { version, changed } = await storeCatalogue(
        catalogueAccess(db, databaseClock, sealer, parsed),
        given,
        'change',
      );
      say(
        changed
          ? `Version ${version} is in force.`
          : `Version ${version} has the same merchants and MIDs already; nothing has changed.`,
      );
    });
  },
};

/** Writes the profile with which a merchant validates requests as the service does. */
export const profile: Command = {
  usage: ['profile KEY [config file]      write the public profile of a merchant key, as JSON'],
  async run(args) {
    const [key, file, ...more] = args;
    if (key === undefined || more.length > 0) throw new UsageError('Give a merchant key, and a configuration file.');
    const config = await loadConfig(file);
    const { parseConfig } = await import('../deployment/config.ts');
    const { createDirectory } = await import('../merchants/directory.ts');
    const parsed = parseConfig(config);
    if (parsed.given !== undefined) return printProfile(createDirectory(parsed), key);
    const { sealerOf } = await import('../deployment/config.ts');
    const { catalogueAccess, loadNewest } = await import('../merchants/catalogue.ts');
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
  if (found === undefined) throw new Error('No merchant has this key. Give the key or testKey of a merchant.');
  say(JSON.stringify(found.merchant.profile, undefined, 2));
}

/** Seals everything with the newest encryption key, so that the older ones can go. */
export const rotateKeys: Command = {
  usage: ['rotate-keys [config file]      seal all stored texts with the newest encryption key'],
  async run(args) {
    const [file, ...more] = args;
    if (more.length > 0 || file?.startsWith('-') === true) throw new UsageError('Give one configuration file.');
    const config = await loadConfig(file);
    const { parseConfig } = await import('../deployment/config.ts');
    const { sealerOf } = await import('../deployment/config.ts');
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

/** Starts the service, which runs until it is asked to stop. */
export const start: Command = {
  usage: [`[config file]                  start the hosted checkout (default: ${DEFAULT_CONFIG})`],
  async run(args) {
    const [file, ...more] = args;
    if (more.length > 0 || file?.startsWith('-') === true) throw new UsageError('Give one configuration file.');
    // Its files hold requests and keys, so only their owner may read new ones.
    process.umask(0o077);
    const config = await loadConfig(file);
    const [{ standardLog }, { startCheckout }] = await Promise.all([import('../log/log.ts'), import('../service.ts')]);
    const log = standardLog();
    const checkout = await startCheckout(config, { log });
    // Before the address is said: a process manager may ask it to stop as soon as it has read it.
    stopOnSignal(checkout, log);
    process.stderr.write(`The checkout listens on ${checkout.url}\n`);
  },
};

/** Connections that are open get this long to bring the request that they may be sending. */
const LAST_CALL_MS = 1000;
/** Process managers kill after 30 seconds in most places; ending by itself says so in the exit code. */
const END_MS = 29_000;
/** For the last lines of the log. */
const LOG_MS = 1000;

/** The first signal lets work under way finish. The second ends at once, like a crash, which loses nothing either. */
function stopOnSignal(checkout: Checkout, log: ReturnType<typeof standardLog>): void {
  let asked = false;
  const end = () => process.exit(1);
  const stop = () => {
    if (asked) end();
    asked = true;
    setTimeout(end, END_MS).unref();
    void checkout.stop({ lastCallMs: LAST_CALL_MS }).then(() => leave(log));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/** Ends the process even if the log cannot be written, because its waiting lines would keep the process for ever. */
async function leave(log: ReturnType<typeof standardLog>): Promise<void> {
  if (!(await log.flush(LOG_MS))) process.exit();
}
