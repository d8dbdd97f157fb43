import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  randomFillSync,
  type KeyObject,
} from 'node:crypto';
import { fromJsonText, toJsonText, type JsonValue } from '../storage/index.ts';
import type { Journal } from '@railyard/runtime';

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
  /** As `open`, for bytes. */
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
      const cipher = createCipheriv(ALGORITHM, sealing, iv).setAAD(boundTo(keyId, place));
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
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES))
    .setAAD(boundTo(id, place))
    // Always 16 bytes: Node would also accept a tag of 4 bytes, which can be guessed.
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

/** Every column that is sealed: what writes it and what reads it name the same place. */
export const sealedAt = {
  /** The merchant's request: names, addresses, tokens of cards. */
  request: (sessionId: string) => at('sessions', 'request_text', sessionId),
  /** The values that a flow was started with: document numbers and the like. */
  runInput: (runId: string) => at('flow_runs', 'input_text', runId),
  /** The questions to the payer or the address of a redirect, with the provider's one-time tokens. */
  runAsks: (runId: string) => at('flow_runs', 'suspended_text', runId),
  /** Replies of providers and payers: details of accounts, one-time codes. */
  reply: (runId: string, step: string) => at('journal', 'reply_text', `${runId}/${step}`),
  /** Method, address and headers of a notification. */
  notificationRequest: (id: string) => at('provider_notifications', 'request_text', id),
  notificationBody: (id: string) => at('provider_notifications', 'body', id),
  /** The body of a callback: the payer's name and address, tokens to charge again with. */
  callbackBody: (id: string) => at('callbacks', 'body', id),
  /** The answer that a repeat gets: it may hold a token to charge again with. */
  idempotencyAnswer: (merchantKey: string, idempotencyKey: string) =>
    at('idempotency_keys', 'answer_text', `${merchantKey}/${idempotencyKey}`),
  cardNumber: (cardId: string) => at('cards', 'number_text', cardId),
  /** A card that was entered into a merchant's form, until a payment begins with it. */
  enteredCard: (sessionId: string) => at('sessions', 'entry_text', sessionId),
  cardHolder: (cardId: string) => at('cards', 'holder_text', cardId),
  /** A merchant's token of a saved card, which callbacks repeat. */
  cardToken: (tokenHash: string) => at('card_tokens', 'token_text', tokenHash),
  /** The token with which a merchant charges a payer again, which callbacks repeat. */
  recurringToken: (paymentId: string) => at('payments', 'recurring_token', paymentId),
  /** The secrets of merchants and MIDs. */
  configuration: (version: number | string) => at('configurations', 'sealed', String(version)),
  /** The service's own, such as the key of page addresses. */
  serviceSecret: (name: string) => at('service_secrets', 'sealed', name),
} as const;

function at(table: string, column: string, row: string): SealedPlace {
  return { table, column, row };
}

/** A value as sealed JSON. A store writes it as it would write any other string. */
export const sealJson = (sealer: Sealer, value: unknown, place: SealedPlace): string =>
  sealer.seal(toJsonText(value), place);

/** Reads what `sealJson` made; a value from before values were sealed is read as it is. */
export function openJson(sealer: Sealer, value: JsonValue, place: SealedPlace): JsonValue {
  return typeof value === 'string' && isSealed(value) ? fromJsonText(sealer.open(value, place)) : value;
}

/** Opens a sealed text; one from before texts were sealed is read as it is. */
export const openText = (sealer: Sealer, text: string, place: SealedPlace): string =>
  isSealed(text) ? sealer.open(text, place) : text;

/** A journal whose replies are sealed where they are kept: they hold account details and the codes that payers enter. */
export function sealedJournal(journal: Journal, sealer: Sealer): Journal {
  return {
    begin: (run, step, kind) => journal.begin(run, step, kind),
    notSent: (run, step) => journal.notSent(run, step),
    async load(run) {
      const entries = await journal.load(run);
      return entries.map(({ reply, ...entry }) => ({
        ...entry,
        ...(reply !== undefined && { reply: openJson(sealer, reply, sealedAt.reply(run, entry.step)) }),
      }));
    },
    async finish(run, step, reply) {
      const place = sealedAt.reply(run, step);
      return openJson(sealer, await journal.finish(run, step, sealJson(sealer, reply, place)), place);
    },
  };
}
