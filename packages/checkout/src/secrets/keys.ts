import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { KEY_BYTES, sealedAt, type Sealer } from './sealer.ts';
import type { Db } from '../storage/index.ts';
import { readReference, readReferences } from '@railyard/runtime';
import * as z from 'zod';

/**
 * Writes a file that only its owner can read. Written aside and flushed first: a process killed in between must not leave an
 * empty one.
 */
export function ownerFile(file: string, text: string): void {
  const handle = openSync(`${file}.new`, 'w', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(`${file}.new`, file);
}

/** 32 bytes in Base64. Node's decoder skips characters that are no Base64, so a mistyped key would be another key. */
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

const reference = z.union([z.strictObject({ env: z.string().min(1) }), z.strictObject({ file: z.string().min(1) })]);

const given = z.union([z.string(), reference]);

/** The secret itself; problems are reported at its path. */
function readSecret(
  value: z.output<typeof given>,
  text: z.ZodType<string, string>,
  context: z.core.$RefinementCtx,
  path: number[],
): string {
  const found = typeof value === 'string' ? { ok: true as const, text: value } : readReference(value);
  const parsed = found.ok ? text.safeParse(found.text) : undefined;
  const problems = found.ok ? (parsed?.error?.issues.map(({ message }) => message) ?? []) : [found.why];
  for (const message of problems) context.issues.push({ code: 'custom', input: value, path, message });
  return parsed?.data ?? '';
}

/** A missing value is reported as missing, any other fault by a hint. */
const hinting = (hint: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? 'Invalid input: received undefined' : hint,
});

/**
 * A secret as a configuration gives it: the text, or where it stands.
 *
 * @param text the schema of the secret
 * @example secretValue(z.string().min(1)).parse({ env: 'MERCHANT_PASSWORD' })
 */
export function secretValue(text: z.ZodType<string, string>) {
  return z
    .union([z.string(), reference], hinting('Give a text, { env: "NAME" } or { file: "/path" }.'))
    .transform((value, context) => readSecret(value, text, context, []));
}

/** A secret, or several: `[new, old]` while it is being replaced. Each may be a reference. */
export function secretValues(text: z.ZodType<string, string>, hint: string, most = 2) {
  return z
    .union([given, z.array(given).min(1).max(most)], hinting(hint))
    .transform((value, context) =>
      Array.isArray(value)
        ? value.map((each, index) => readSecret(each, text, context, [index]))
        : readSecret(value, text, context, []),
    );
}

/** Any values, with every reference in them replaced by its secret. */
export const valuesWithSecrets = z.record(z.string(), z.unknown()).transform((given, context) => {
  const { values, problems } = readReferences(given);
  for (const { path, why, reference } of problems)
    context.issues.push({ code: 'custom', input: reference, path: [...path], message: why });
  return { ...values };
});

/**
 * A secret that all processes of one database share: made by whichever asks first, sealed, and the same for ever after.
 *
 * @param make the secret, if there is none yet
 */
export async function serviceSecret(
  db: Db,
  sealer: Sealer,
  name: string,
  make: () => Uint8Array,
  at: Date,
): Promise<Uint8Array> {
  const found = await read(db, name);
  if (found !== undefined) return sealer.openBytes(found, sealedAt.serviceSecret(name));
  const sealed = sealer.seal(make(), sealedAt.serviceSecret(name));
  await db
    .insertInto('serviceSecrets')
    .values({ name, sealed, madeAt: at })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  // The first process to insert decides, even if it is another one.
  const stored = await read(db, name);
  if (stored === undefined) throw new Error(`The secret ${name} was not stored.`);
  return sealer.openBytes(stored, sealedAt.serviceSecret(name));
}

async function read(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('serviceSecrets').select('sealed').where('name', '=', name).executeTakeFirst();
  return row?.sealed;
}
