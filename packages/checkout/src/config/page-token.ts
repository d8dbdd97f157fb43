import { createHash, createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes the tokens of page addresses. 256 bits; the database holds only their hashes. */
export interface PageTokens {
  /** The token of a session. It can be made again at any time, so that a payer can be led back without storing it. */
  of(sessionId: string): string;
  hash(token: string): string;
}

export function pageTokens(key: Uint8Array): PageTokens {
  return {
    of: (sessionId) => createHmac('sha256', key).update(sessionId).digest('base64url'),
    hash: (token) => createHash('sha256').update(token).digest('hex'),
  };
}

/** The key of a data directory, made on first use and readable by its owner only. In memory: a key for this process. */
export function pageKey(dataDir: string): Uint8Array {
  if (dataDir === 'memory') return randomBytes(32);
  const file = join(dataDir, 'page.key');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  }
  return Buffer.from(readFileSync(file, 'utf8'), 'base64');
}
