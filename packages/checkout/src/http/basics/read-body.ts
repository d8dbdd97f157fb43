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

async function readPieces(c: Context<HttpEnv>): Promise<ReadBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of piecesOf(c)) {
      size += chunk.byteLength;
      if (size <= bodyLimits.bytes) chunks.push(chunk);
      else chunks.length = 0;
      if (size > DISCARDED_BYTES) break;
    }
  } catch (error) {
    throw new BrokenOffError('The body ended before its time.', { cause: error });
  }
  if (size <= bodyLimits.bytes) return { ok: true, bytes: Buffer.concat(chunks) };
  c.header('connection', 'close');
  return { ok: false };
}

/** Straight from Node's request where there is one: a web request and its stream, made for the body alone, cost a tenth of a session. */
function piecesOf(c: Context): AsyncIterable<Uint8Array> {
  const incoming: unknown = c.env?.incoming;
  if (incoming instanceof IncomingMessage) return incoming.iterator({ destroyOnReturn: false });
  return c.req.raw.body ?? new ReadableStream({ start: (empty) => empty.close() });
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
