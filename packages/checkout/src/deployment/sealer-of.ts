import { createSealer, encryptionKeys, type Sealer } from '../secrets/index.ts';
import type { ParsedConfig } from './config.ts';

/** The sealer of a configuration, and the data directory of the embedded database, if it has one. */
export function sealerOf({
  databaseUrl,
  dataDir,
  encryptionKey,
}: Pick<ParsedConfig, 'databaseUrl' | 'dataDir' | 'encryptionKey'>): {
  readonly sealer: Sealer;
  readonly dataDir: string | undefined;
} {
  if (databaseUrl !== undefined)
    return { sealer: createSealer(encryptionKeys(encryptionKey, 'server')), dataDir: undefined };
  const home = dataDir === 'memory' ? dataDir : { dataDir };
  return {
    sealer: createSealer(encryptionKeys(encryptionKey, home)),
    dataDir: dataDir === 'memory' ? undefined : dataDir,
  };
}
