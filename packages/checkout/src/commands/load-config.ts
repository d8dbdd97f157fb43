import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CheckoutConfig } from '../deployment/config.ts';

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

/** Of a file that does not parse Node says what is wrong, but neither which file it is nor where in it. */
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

/** Adds the environment's settings; those of the configuration override them. */
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
