import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The encryption key of a demo whose checkout is on a database server: made on first use and kept in the data directory, for its
 * owner only. A deployment gives one of its own, the same to every process.
 */
export function demoKey(dataDir: string): string {
  const file = join(dataDir, 'server.key');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}
