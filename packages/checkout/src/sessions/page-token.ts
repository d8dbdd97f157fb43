import { createHmac, createSecretKey, hash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Sealer, serviceSecret } from '../secrets/index.ts';
import type { Db } from '../storage/index.ts';

/** Makes the tokens of page addresses. 256 bits; the database holds only their hashes. */
export interface PageTokens {
  /** The token of a session. It can be made again at any time, so that a payer can be led back without storing it. */
  of(sessionId: string): string;
  hash(token: string): string;
}

export function pageTokens(key: Uint8Array): PageTokens {
  // Made once: with raw bytes each token would make a key object of its own, which costs more than the token.
  const secret = createSecretKey(key);
  return {
    of: (sessionId) => createHmac('sha256', secret).update(sessionId).digest('base64url'),
    hash: (token) => hash('sha256', token),
  };
}

const KEY_BYTES = 32;

/**
 * The key of the page addresses, the same in every process of a database. A data directory from before it was kept in the
 * database has it in a file, and goes on with it.
 *
 * @param dataDir of the embedded engine
 * @throws Error when the file holds something else: with another key every page address of open sessions would lead nowhere.
 */
export function pageKey(db: Db, sealer: Sealer, at: Date, dataDir?: string): Promise<Uint8Array> {
  const file = dataDir === undefined ? undefined : join(dataDir, 'page.key');
  const make = () => (file !== undefined && existsSync(file) ? keyOfFile(file) : randomBytes(KEY_BYTES));
  return serviceSecret(db, sealer, 'page-token-key', make, at);
}

function keyOfFile(file: string): Uint8Array {
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64');
  if (key.byteLength !== KEY_BYTES) throw new Error(`${file} is damaged: it must hold ${KEY_BYTES} bytes in Base64.`);
  return key;
}
