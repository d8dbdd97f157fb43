import { createSealer, encryptionKeys, type Sealer } from '../secrets/index.ts';
import type { ParsedConfig } from './config.ts';

type SealedWith = Pick<ParsedConfig, 'databaseUrl' | 'dataDir' | 'encryptionKey'>;

interface Sealed {
  readonly sealer: Sealer;
  /** Of the embedded database, if it has one. */
  readonly dataDir: string | undefined;
}

/** The sealer of a configuration, and the data directory. */
export function sealerOf({ databaseUrl, dataDir, encryptionKey }: SealedWith): Sealed {
  if (databaseUrl !== undefined)
    return { sealer: createSealer(encryptionKeys(encryptionKey, 'server')), dataDir: undefined };
  const home = dataDir === 'memory' ? dataDir : { dataDir };
  return {
    sealer: createSealer(encryptionKeys(encryptionKey, home)),
    dataDir: dataDir === 'memory' ? undefined : dataDir,
  };
}
