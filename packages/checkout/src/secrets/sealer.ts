import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomFillSync,
} from 'node:crypto';

/** Where a sealed text stands. It opens only there, so that one row's secret cannot be moved into another row. */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  /** The row's primary key. */
  readonly row: string;
}

/** Encrypts texts for the database, so that access to the database alone does not reveal them. */
export interface Sealer {
  /** The id of the key that seals. */
  readonly keyId: string;
  /** @returns `v1.<key id>.<Base64 of IV, ciphertext and tag>` */
  seal(secret: string | Uint8Array, place: SealedPlace): string;
  /**
   * @throws UnknownKeyError when none of the keys made it
   * @throws SealError when it was changed, or made for another place
   */
  open(sealed: string, place: SealedPlace): string;
  /** As `open`, for what is not text. */
  openBytes(sealed: string, place: SealedPlace): Uint8Array;
}

/** The text was sealed with a key that this process does not have. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';

  constructor(keyId: string, known: readonly string[]) {
    super(
      `Sealed data needs the encryption key with the id ${keyId}; this process has ${known.join(', ')}. ` +
        'Give that key too, behind the newest one.',
    );
  }
}

/** The sealed text was changed, or stands in another place than the one it was sealed for. */
export class SealError extends Error {
  override readonly name = 'SealError';

  constructor({ table, column, row }: SealedPlace) {
    super(`What is sealed in ${table}.${column} of ${row} does not open: it was changed or belongs to another row.`);
  }
}

export const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';
/** Without it Node opens what has a tag of 4 bytes, too, and that can be guessed. */
const OPTIONS = { authTagLength: TAG_BYTES };

const SEALED = /^v1\.([0-9a-f]{8})\./;

/** Whether a stored text is sealed. What was written before texts were sealed is JSON or Base64 and never looks like it. */
export const isSealed = (text: string): boolean => SEALED.test(text);

/** Which key a sealed text needs. */
export const keyIdOf = (sealed: string): string | undefined => SEALED.exec(sealed)?.[1];

/**
 * A sealer over keys of 32 bytes: the newest seals, all of them open.
 *
 * @example const sealer = createSealer([newest, older]);
 */
export function createSealer([newest, ...older]: readonly [Uint8Array, ...Uint8Array[]]): Sealer {
  const keys = new Map<string, KeyObject>();
  for (const key of [newest, ...older]) {
    if (key.byteLength !== KEY_BYTES) throw new Error(`An encryption key has ${KEY_BYTES} bytes.`);
    keys.set(idOf(key), createSecretKey(key));
  }
  const keyId = idOf(newest);
  const sealing = createSecretKey(newest);
  const openBytes = (sealed: string, place: SealedPlace): Buffer => {
    const [prefix, id] = SEALED.exec(sealed) ?? [];
    if (prefix === undefined || id === undefined) throw new SealError(place);
    const key = keys.get(id);
    if (key === undefined) throw new UnknownKeyError(id, [...keys.keys()]);
    return decrypted(Buffer.from(sealed.slice(prefix.length), 'base64'), key, id, place);
  };
  return {
    keyId,
    seal(secret, place) {
      const iv = nextIv();
      const cipher = createCipheriv(ALGORITHM, sealing, iv, OPTIONS).setAAD(boundTo(keyId, place));
      const text = typeof secret === 'string' ? Buffer.from(secret, 'utf8') : secret;
      const bytes = Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
      return `v1.${keyId}.${bytes.toString('base64')}`;
    },
    open: (sealed, place) => openBytes(sealed, place).toString('utf8'),
    openBytes,
  };
}

function decrypted(bytes: Buffer, key: KeyObject, id: string, place: SealedPlace): Buffer {
  if (bytes.byteLength < IV_BYTES + TAG_BYTES) throw new SealError(place);
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), OPTIONS)
    .setAAD(boundTo(id, place))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]);
  } catch {
    throw new SealError(place);
  }
}

/** Random bytes for the IVs to come: asking for twelve costs as much as sealing. None is used twice. */
const ivs = Buffer.allocUnsafeSlow(IV_BYTES * 512);
let usedIvs = ivs.byteLength;

function nextIv(): Buffer {
  if (usedIvs === ivs.byteLength) {
    randomFillSync(ivs);
    usedIvs = 0;
  }
  const iv = Buffer.from(ivs.subarray(usedIvs, usedIvs + IV_BYTES));
  usedIvs += IV_BYTES;
  return iv;
}

/** JSON keeps the parts apart: no two places give the same bytes. */
const boundTo = (keyId: string, { table, column, row }: SealedPlace): Buffer =>
  Buffer.from(JSON.stringify(['v1', keyId, table, column, row]), 'utf8');

/** The key's id distinguishes keys and shows nothing of the key. */
const idOf = (key: Uint8Array): string =>
  createHash('sha256').update('railyard encryption key id').update(key).digest('hex').slice(0, 8);
