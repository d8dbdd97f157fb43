import { lstatSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import type { CheckoutConfig } from '../deployment/config.ts';
import { DATA_DIRECTORY } from '../deployment/data-directory.ts';

const OTHERS = 0o077;

/**
 * Has Node keep what it compiles from here on beside the embedded database: a later start does not compile it again. What is kept is executed,
 * so the data directory and the one in it must be this process's user's, without rights for others; the directories above them are not looked
 * at. Call it after the configuration has been loaded: the texts in a module, such as passwords, are in what it is compiled to.
 *
 * @param config as it was written: it may hold anything
 */
export function keepCompiledCode({ databaseUrl, dataDir = DATA_DIRECTORY }: CheckoutConfig): void {
  if (databaseUrl !== undefined || dataDir === 'memory' || typeof dataDir !== 'string') return;
  const kept = join(dataDir, 'compiled');
  if (rightsTo(dataDir) === 'ours' && rightsTo(kept) !== 'shared') enableCompileCache(kept);
}

/** Where files have no owners it cannot be known. */
function rightsTo(directory: string): 'ours' | 'shared' | 'missing' {
  const found = lstatSync(directory, { throwIfNoEntry: false });
  if (found === undefined) return 'missing';
  const isOurs = found.isDirectory() && found.uid === process.geteuid?.() && (found.mode & OTHERS) === 0;
  return isOurs ? 'ours' : 'shared';
}
