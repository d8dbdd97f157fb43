import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CheckoutConfig } from '../index.ts';

export const DEFAULT_CONFIG = 'railyard.config.js';

/**
 * Loads the module whose default export is the configuration, and adds what the environment names: the database in DATABASE_URL, the keys
 * in RAILYARD_ENCRYPTION_KEY. It is code of the deployment; its content is checked by whoever uses it.
 *
 * @throws Error that names the file if there is none, or if it exports nothing
 */
export async function loadConfig(given: string | undefined): Promise<CheckoutConfig> {
  const file = resolve(given ?? DEFAULT_CONFIG);
  if (!existsSync(file))
    throw new Error(`There is no ${file}. Write one, or name another: railyard-checkout my.config.js`);
  const module: { default?: CheckoutConfig } = await import(pathToFileURL(file).href);
  if (module.default === undefined)
    throw new Error(`${file} has no default export. Export the configuration as default.`);
  return withEnvironment(module.default, process.env);
}

/** What the environment adds; the configuration's own word counts more. */
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
