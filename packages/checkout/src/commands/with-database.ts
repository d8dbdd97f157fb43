import type { CheckoutConfig } from '../deployment/config.ts';
import type { Database } from '../storage/index.ts';

/**
 * Opens the database of a configuration for one command, beside a running service if it is on a server.
 *
 * @throws Error that says what to do when the embedded database belongs to a running service
 */
export async function withDatabase(given: CheckoutConfig, use: (database: Database) => Promise<void>): Promise<void> {
  const { parseConfig } = await import('../deployment/config.ts');
  const { databasePlace } = await import('../deployment/database-place.ts');
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
