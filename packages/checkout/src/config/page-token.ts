import { createHash, createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
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

const KEY_BYTES = 32;

/**
 * The key of a data directory, made on first use and readable by its owner only. In memory: a key for this process.
 *
 * @throws Error when the file holds something else: with another key every page address of open sessions would lead nowhere.
 */
export function pageKey(dataDir: string): Uint8Array {
  if (dataDir === 'memory') return randomBytes(KEY_BYTES);
  const file = join(dataDir, 'page.key');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    // Written aside first: a process killed in between must not leave an empty key, with which anybody could make addresses.
    writeFileSync(`${file}.new`, randomBytes(KEY_BYTES).toString('base64'), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64');
  if (key.byteLength !== KEY_BYTES) throw new Error(`${file} is damaged: it must hold ${KEY_BYTES} bytes in Base64.`);
  return key;
}
