import type { CheckoutConfig } from '../deployment/config.ts';
import type { Database } from '../storage/index.ts';
import type { TransitionDeps } from '../payments/change/deps.ts';
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** One subcommand. Its module imports nothing heavy before `run`, so that help appears at once. */
export interface Command {
  /** Its lines of the help, as `railyard-checkout` is called: `callbacks list [--dead]`. */
  readonly usage: readonly string[];
  /** @throws UsageError for arguments that it does not understand */
  readonly run: (args: readonly string[]) => Promise<void>;
}

/** The command was called wrongly; the message says how, in one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The reader of a pipe may have enough of it, as `head` has. The command ends then; a service does not. */
export function endWithReader(): void {
  process.stdout.off('error', endUnread).on('error', endUnread);
}

function endUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

/** Writes a line of an answer to standard output. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** How many to list, from what `--limit` was given. */
export function limitOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError('--limit takes a number from 1 to 999999.');
  return Number(text);
}

/** Read where no file is named: the first of these that exists in the folder. */
const DEFAULT_NAMES = ['railyard.config.mjs', 'railyard.config.js', 'railyard.config.ts'] as const;

/** The default names, as the help says them. */
export const DEFAULT_CONFIG = 'railyard.config.{mjs,js,ts}';

/**
 * Loads the module whose default export is the configuration, and adds what the environment names: the database in DATABASE_URL, the keys
 * in RAILYARD_ENCRYPTION_KEY. It is code of the deployment; its callers check its content.
 *
 * @throws Error that names the file if there is none, if it does not load, or if it exports nothing
 */
export async function loadConfig(given: string | undefined, folder = process.cwd()): Promise<CheckoutConfig> {
  const file = resolve(folder, given ?? defaultName(folder));
  if (!existsSync(file))
    throw new Error(`There is no ${file}. Name the configuration: railyard.config.mjs, for example.`);
  const module = await load(file);
  if (module.default === undefined)
    throw new Error(`${file} has no default export. Export the configuration as default.`);
  return withEnvironment(module.default, process.env);
}

function defaultName(folder: string): string {
  const name = DEFAULT_NAMES.find((each) => existsSync(join(folder, each)));
  if (name !== undefined) return name;
  throw new Error(`There is no ${DEFAULT_CONFIG} in ${folder}. Write railyard.config.mjs, or name another file.`);
}

/** For a file that does not parse Node reports the error, but neither the file nor the place. */
async function load(file: string): Promise<{ default?: CheckoutConfig }> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const isUnreadable = error instanceof SyntaxError && !why.startsWith('The requested module');
    const where = isUnreadable ? `. "node --check ${basename(file)}" shows the place.` : '';
    throw new Error(`${file} cannot be loaded: ${why}${where}`, { cause: error });
  }
}

/** Adds the environment's settings. The configuration's own override them. */
function withEnvironment(
  config: CheckoutConfig,
  { DATABASE_URL: databaseUrl, RAILYARD_ENCRYPTION_KEY: keys }: Readonly<Record<string, string | undefined>>,
): CheckoutConfig {
  return {
    ...(databaseUrl && { databaseUrl }),
    // Several, newest first, are separated by commas.
    ...(keys && { encryptionKey: keys.split(',').map((key) => key.trim()) }),
    ...config,
  };
}

/**
 * Opens the database of a configuration for one command, beside a running service if it is on a server.
 *
 * @throws Error that says what to do when the embedded database belongs to a running service
 */
export async function withDatabase(given: CheckoutConfig, use: (database: Database) => Promise<void>): Promise<void> {
  const { parseConfig } = await import('../deployment/config.ts');
  const { databasePlace } = await import('../deployment/config.ts');
  const { DirectoryInUseError, openDatabase } = await import('../storage/index.ts');
  const config = parseConfig(given);
  if (config.databaseUrl === undefined && config.dataDir === 'memory')
    throw new Error('This configuration keeps its data in the memory of the running service: no command can reach it.');
  const place = databasePlace(config, { warn: () => undefined });
  const database = await openDatabase(place).catch((error: unknown) => {
    if (!(error instanceof DirectoryInUseError)) throw error;
    throw new Error(
      'The embedded database belongs to the running service. Stop the service first, do it inside it with the object that ' +
        'startCheckout gives, or let the service use a PostgreSQL server (databaseUrl), which commands can share.',
      { cause: error },
    );
  });
  try {
    await use(database);
  } finally {
    await database.close();
  }
}

/** For an operator's decisions. A service that runs beside it on the server delivers the callback, else the next start does. */
export async function withDeciding(
  given: CheckoutConfig,
  use: (context: TransitionDeps) => Promise<void>,
): Promise<void> {
  const { randomUUID } = await import('node:crypto');
  const { parseConfig } = await import('../deployment/config.ts');
  const { sealerOf } = await import('../deployment/config.ts');
  const { secretsOf } = await import('../deployment/secrets.ts');
  const { catalogueAccess, loadNewest } = await import('../merchants/catalogue.ts');
  const { createLog, guardedLog } = await import('../log/log.ts');
  const { unmatchedHints } = await import('../payments/change/deps.ts');
  const { paymentQueues } = await import('../payments/change/deps.ts');
  const { databaseClock, storesOf } = await import('../storage/index.ts');
  const config = parseConfig(given);
  await withDatabase(given, async ({ db }) => {
    const { sealer } = sealerOf(config);
    const loaded = await loadNewest(catalogueAccess(db, databaseClock, sealer, config));
    if (loaded === undefined) throw new Error('No service has stored its merchants in this database yet.');
    const { directory } = loaded;
    await use({
      directory,
      stores: storesOf(db, databaseClock),
      sealer,
      now: Date.now,
      newId: randomUUID,
      unmatchedHints: unmatchedHints(),
      queues: paymentQueues(),
      log: guardedLog(createLog(process.stderr), new Set([...secretsOf(config), ...directory.secrets])),
      // The service finds due rows at its next poll.
      changed: () => undefined,
      wake: () => undefined,
    });
  });
}
