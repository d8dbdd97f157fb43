import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownerFile } from './owner-file.ts';
import { KEY_BYTES } from './sealer.ts';

/** 32 bytes in Base64. Node's decoder passes over what is no Base64, so a key with a slip in it would be another key. */
export const KEY_FORM = /^[A-Za-z0-9+/]{43}=$/;

/** Newest first. */
export type EncryptionKeys = readonly [Uint8Array, ...Uint8Array[]];

/** Where the keys come from when the configuration names none. */
export type KeyHome =
  /** Nothing outlives this process. */
  | 'memory'
  /** A file beside the data, made on first use. */
  | { readonly dataDir: string }
  /** Several processes share the data, so no process may make a key of its own. */
  | 'server';

/** No key for data that would be lost without it. */
export class NoEncryptionKeyError extends Error {
  override readonly name = 'NoEncryptionKeyError';
}

/**
 * The keys of a deployment: those of the configuration, and behind them those of the data directory's file, so that what was
 * sealed before the configuration named a key still opens.
 *
 * @param configured 32 bytes in Base64 each, newest first
 * @throws NoEncryptionKeyError for a server database without a key
 */
export function encryptionKeys(configured: readonly string[], home: KeyHome): EncryptionKeys {
  const given = configured.map((each) => keyOf(each, 'encryptionKey'));
  const [newest, ...older] =
    typeof home === 'object' ? [...given, ...ofDirectory(home.dataDir, given.length > 0)] : given;
  if (newest !== undefined) return [newest, ...older];
  if (home === 'memory') return [randomBytes(KEY_BYTES)];
  throw new NoEncryptionKeyError(
    'A database server needs an encryption key, the same in every process: give 32 bytes in Base64 as RAILYARD_ENCRYPTION_KEY or encryptionKey. ' +
      'Make one with: openssl rand -base64 32',
  );
}

function ofDirectory(dataDir: string, given: boolean): Uint8Array[] {
  const file = join(dataDir, 'encryption.key');
  if (!existsSync(file)) {
    if (given) return [];
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    ownerFile(file, `${randomBytes(KEY_BYTES).toString('base64')}\n`);
  }
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (lines.length === 0) throw new Error(`${file} is damaged: it is empty.`);
  return lines.map((line) => keyOf(line, file));
}

/** The error names where the key stands, never the key. */
function keyOf(base64: string, where: string): Uint8Array {
  const text = base64.trim();
  if (KEY_FORM.test(text)) return Buffer.from(text, 'base64');
  throw new Error(`${where} is no encryption key: it must hold ${KEY_BYTES} bytes in Base64.`);
}
