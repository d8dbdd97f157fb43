import { requestSignatureHeaders } from '@railyard/core/merchant';
import type { Context } from 'hono';
import type { Sent } from '../../signatures.ts';
import type { HttpEnv } from './answers.ts';
import { TEXTS } from '@railyard/core';
import {
  bodyLimits,
  checkBody,
  issue,
  validationAnswer,
  type Answer,
  type ErrorBody,
  type Issue,
  type ValidationBody,
} from '@railyard/core/protocol';
import { endOfString, nameGivenTwice } from '@railyard/core/driver';
import { IncomingMessage } from 'node:http';
import { OverloadedError } from './limits.ts';

/**
 * The media type of a request's body, in lower case and without parameters; `undefined` for a compressed body. Nothing is
 * unpacked: a compressed body may be a thousand times as large as it looks.
 */
export function contentTypeOf(c: Context): string | undefined {
  if ((c.req.header('content-encoding') ?? 'identity') !== 'identity') return undefined;
  return c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** The body of a request: an object within the limits of bodies, or the answer that refuses it. */
export type JsonBody =
  | { readonly ok: true; readonly body: object }
  | { readonly ok: false; readonly answer: Answer<ValidationBody> };

/** Checks the body of a request that is not a session request; those are checked by `parseSession` in the same way. */
export function checkObject(body: unknown): JsonBody {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { ok: false, answer: notAnObject() };
  const { excess, forbidden } = checkBody(body);
  const issues = excess === undefined ? forbidden : [excess];
  return issues.length === 0 ? { ok: true, body } : { ok: false, answer: validationAnswer(issues) };
}

/** The answer to a body that is no JSON object. */
export const notAnObject = (): Answer<ValidationBody> => unreadableBody(TEXTS.type('object'));

/** The answer to a body that could not be read, with the reason. */
export const unreadableBody = (why: string): Answer<ValidationBody> => validationAnswer([issue('body', why)]);

/** The reason why bytes are no text. */
export const NOT_UTF_8 = 'The body is not UTF-8. Encode it as UTF-8.';

/** Why a text is not JSON. Nothing of the text itself: it may hold a card number. */
function whyNotJson(text: string, error: unknown): string {
  if (text.trim() === '') return 'The body is empty. Send a JSON object.';
  if (/^[\w.[\]%+-]+=/.test(text)) return 'The body is a form. Send a JSON object.';
  const [place] = /line \d+ column \d+/.exec(error instanceof Error ? error.message : '') ?? [];
  return `The body is not JSON${place === undefined ? '' : `: see ${place}`}. Send a JSON object.`;
}

/**
 * Parses a JSON body, or answers why it is refused: it is no JSON, too large, or gives a name twice. Of two values the merchant may have signed one and
 * the service would act on the other.
 */
export function parseJson(
  text: string,
): { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly answer: Answer<ValidationBody> } {
  const excess = text.length > MOST_MARKS ? excessOf(text) : undefined;
  if (excess !== undefined) return { ok: false, answer: validationAnswer([excess]) };
  try {
    const body: unknown = JSON.parse(text);
    const twice = nameGivenTwice(text);
    return twice === undefined
      ? { ok: true, body }
      : { ok: false, answer: validationAnswer([{ ...issue(twice, TEXTS.notValid), hint: GIVEN_TWICE }]) };
  } catch (error) {
    return { ok: false, answer: unreadableBody(whyNotJson(text, error)) };
  }
}

export const GIVEN_TWICE = 'The body gives this name twice. Send it once.';

/** Far above what `checkBody` accepts: to make the objects of so many would cost more than to count them. */
const MOST_MARKS = 8 * bodyLimits.keys;

/** The fault of a text that begins so many objects and lists and names so many keys that it is not worth reading, at its top-level field. */
function excessOf(text: string): Issue | undefined {
  // It is no object.
  if (!text.trimStart().startsWith('{')) return issue('body', TEXTS.type('object'));
  let marks = 0;
  let depth = 0;
  let string = '';
  let field = 'body';
  for (let at = 0; at < text.length && marks <= MOST_MARKS; at += 1) {
    const sign = text[at];
    if (sign === '"') {
      const end = endOfString(text, at);
      if (depth === 1) string = text.slice(at + 1, end);
      at = end;
    } else if (sign === '{' || sign === '[') {
      marks += 1;
      depth += 1;
    } else if (sign === '}' || sign === ']') depth -= 1;
    else if (sign === ':') {
      marks += 1;
      if (depth === 1) field = string;
    }
  }
  if (marks <= MOST_MARKS) return undefined;
  const name = field.length > bodyLimits.keyLength ? 'body' : field;
  return issue(name, depth > bodyLimits.depth ? TEXTS.nesting(bodyLimits.depth) : TEXTS.keyCount(bodyLimits.keys));
}

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

/** JSON also comes under the content type of forms, because some clients send it so; anything else is refused by its content type. */
const JSON_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/x-www-form-urlencoded']);

/** Reads the bytes of a JSON body, and refuses another content type or a body that is too large. */
export async function readJsonBytes(
  c: Context<HttpEnv>,
): Promise<Extract<ReadBody, { ok: true }> | { readonly ok: false; readonly answer: Answer<ErrorBody> }> {
  const type = contentTypeOf(c);
  if (type === undefined) return { ok: false, answer: compressed() };
  if (!JSON_TYPES.has(type)) return { ok: false, answer: refusalOf(415, 'Send the request as application/json.') };
  const body = await readBytes(c);
  return body.ok ? body : { ok: false, answer: refusalOf(413, 'The request body is larger than 256 KB.') };
}

/** A refusal of the request as a whole. */
export const refusalOf = (status: number, error_message: string): Answer<ErrorBody> => ({
  status,
  body: { http_code: status, error_code: String(status), error_message },
});

/** The answer to a compressed body. */
export const compressed = (): Answer<ErrorBody> =>
  refusalOf(415, 'The body has a Content-Encoding. Send it uncompressed, without this header.');

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

/** How a request came. One header of the signature is enough to be judged by it. */
export function sentBy(c: Context<HttpEnv>, body: Uint8Array): Sent {
  const came = { client: c.get('client'), requestId: c.get('requestId') };
  const names = requestSignatureHeaders;
  const [key, id, timestamp, signature] = [names.key, names.id, names.timestamp, names.signature].map((name) =>
    c.req.header(name),
  );
  if ([key, id, timestamp, signature].every((each) => each === undefined)) return { ...came, signature: undefined };
  const { pathname, search } = new URL(c.req.url);
  const covered = { id: id ?? '', timestamp: timestamp ?? '', method: c.req.method, path: pathname + search, body };
  return { ...came, signature: { ...covered, key: key ?? '', signature: signature ?? '' } };
}
