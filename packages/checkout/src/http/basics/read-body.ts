import { bodyLimits } from '@railyard/core/protocol';
import type { Context } from 'hono';
import { IncomingMessage } from 'node:http';
import type { HttpEnv } from './answers.ts';
import { OverloadedError } from './overloaded.ts';

export type ReadBody = { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> } | { readonly ok: false };

/** Of a body above the limit so much is read and thrown away, because a sender who is cut off does not hear why. */
const DISCARDED_BYTES = 64 * bodyLimits.bytes;

/** The sender broke the connection off before the body had ended: no fault of the service, and nothing was done. */
export class BrokenOffError extends Error {}

/**
 * Reads a body up to the protocol's limit. Nothing of a larger one is kept, and its connection ends with the answer.
 *
 * @throws BrokenOffError where the sender goes before the body has ended
 * @throws OverloadedError where too many requests are handled once it is there
 */
export async function readBytes(c: Context<HttpEnv>): Promise<ReadBody> {
  const place = c.get('place');
  place?.leave();
  const read = await readPieces(c);
  if (place?.take() === false) throw new OverloadedError();
  return read;
}

/** Straight from Node's request where there is one: a web request and its stream, made for the body alone, cost a tenth of a session. */
async function readPieces(c: Context): Promise<ReadBody> {
  const incoming: unknown = c.env?.incoming;
  const pieces = new Pieces();
  try {
    if (incoming instanceof IncomingMessage) await readIncoming(incoming, pieces);
    else for await (const chunk of c.req.raw.body ?? []) if (!pieces.take(chunk)) break;
  } catch (error) {
    throw new BrokenOffError('The body ended before its time.', { cause: error });
  }
  const read = pieces.read();
  if (!read.ok) c.header('connection', 'close');
  return read;
}

/** The part of a body that has arrived. */
class Pieces {
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  /** @returns whether more may come */
  take(chunk: Uint8Array): boolean {
    this.#size += chunk.byteLength;
    if (this.#size <= bodyLimits.bytes) this.#chunks.push(chunk);
    else this.#chunks.length = 0;
    return this.#size <= DISCARDED_BYTES;
  }

  read(): ReadBody {
    return this.#size <= bodyLimits.bytes ? { ok: true, bytes: Buffer.concat(this.#chunks) } : { ok: false };
  }
}

/** By events, which cost a third of an iterator. */
function readIncoming(incoming: IncomingMessage, pieces: Pieces): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (error?: Error) => {
      incoming.off('data', take).off('end', end).off('error', end).off('close', broken);
      if (error === undefined) resolve();
      else reject(error);
    };
    const take = (chunk: Buffer) => {
      if (pieces.take(chunk)) return;
      incoming.pause();
      end();
    };
    const broken = () => end(new Error('The connection was closed.'));
    if (incoming.readableEnded) return resolve();
    if (incoming.destroyed) return broken();
    incoming.on('data', take).on('end', end).on('error', end).on('close', broken);
  });
}

/** The text of UTF-8 bytes, or `undefined` where they are none. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const AMPERSAND = '&'.charCodeAt(0);
const PLUS = '+'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);

/** The fields of an urlencoded form in their order; `undefined` where they are more than a body may have: those are not even decoded. */
export function formFields(bytes: Uint8Array): readonly (readonly [name: string, value: string])[] | undefined {
  // A plus sign is a blank there, and URLSearchParams takes long over many of them.
  const blanks = new Uint8Array(bytes);
  let fields = 0;
  let before = AMPERSAND;
  for (let at = 0; at < blanks.length; at += 1) {
    const byte = blanks[at] ?? 0;
    if (byte === PLUS) blanks[at] = SPACE;
    // Nothing between two ampersands is no field.
    if (before === AMPERSAND && byte !== AMPERSAND) fields += 1;
    before = byte;
  }
  if (fields > bodyLimits.keys) return undefined;
  return fields === 0 ? [] : [...new URLSearchParams(Buffer.from(blanks.buffer).toString('utf8'))];
}

/** The fields of an urlencoded form; the first value of a repeated name. */
export async function readForm(c: Context<HttpEnv>): Promise<ReadonlyMap<string, string> | undefined> {
  const body = await readBytes(c);
  const read = body.ok ? formFields(body.bytes) : undefined;
  if (read === undefined) return undefined;
  const fields = new Map<string, string>();
  for (const [name, value] of read) if (!fields.has(name)) fields.set(name, value);
  return fields;
}
