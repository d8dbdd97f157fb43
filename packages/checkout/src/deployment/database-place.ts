import type { Log } from '../log/log.ts';
import type { openDatabase } from '../storage/index.ts';
import type { ParsedConfig } from './config.ts';

/** The database that a configuration names. */
export function databasePlace(
  { databaseUrl, databasePoolSize, dataDir }: ParsedConfig,
  log: Pick<Log, 'warn'>,
): Parameters<typeof openDatabase>[0] {
  if (databaseUrl === undefined) return dataDir === 'memory' ? 'memory' : { dataDir };
  const onLost = (why: string) => log.warn({ event: 'database-connection-lost', error: why });
  return { url: databaseUrl, poolSize: databasePoolSize, onLost };
}
