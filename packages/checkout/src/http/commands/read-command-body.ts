import { nestBrackets, TEXTS } from '@railyard/core';
import {
  type Answer,
  bodyLimits,
  checkBody,
  type Issue,
  issue,
  type ValidationBody,
  validationAnswer,
} from '@railyard/core/protocol';
import { MIMEType } from 'node:util';
import { checkObject, notAnObject, parseJson } from '../basics/json-body.ts';
import { formFields, utf8 } from '../basics/read-body.ts';

/** The fields of a command: those of a form with its brackets resolved, or an object of JSON. */
export type CommandBody =
  | { readonly ok: true; readonly body: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly answer: Answer<ValidationBody> };

export const COMMAND_TYPES: ReadonlySet<string> = new Set([
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/json',
]);

/** A part costs ten times as much to read as a field of a form; the longest command has less than a hundred. */
export const MOST_PARTS = 500;

type Field = readonly [name: string, value: unknown];

/**
 * Reads the body of a command: urlencoded, multipart, or JSON, which some clients also send under the content type of forms (reference:
 * Transport). A field that is sent blank counts as not sent, except for a token. A field sent twice is refused: what is signed must be what is done.
 *
 * @param type the content type without parameters
 * @param header the content type as it was sent, with the boundary of a multipart body
 */
export async function readCommandBody(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  header: string,
): Promise<CommandBody> {
  const fields = type === 'multipart/form-data' ? await multipart(bytes, header) : urlencodedOrJson(bytes, header);
  if (fields === undefined) return { ok: false, answer: notAnObject() };
  if (fields === 'charset') return refused('body', TEXTS.characters);
  if (fields === 'too many parts') return refused('body', TEXTS.keyCount(MOST_PARTS));
  if (fields === 'too many') return refused('body', TEXTS.keyCount(bodyLimits.keys));
  return 'json' in fields ? readJson(fields.json) : readFields(fields);
}

/** The fields of a body as they stand there, or why there are none. */
type Fields = readonly Field[] | 'too many' | 'too many parts' | 'charset' | undefined;

async function multipart(bytes: Uint8Array<ArrayBuffer>, header: string): Promise<Fields> {
  if (hasTooManyParts(bytes, header)) return 'too many parts';
  try {
    return [...(await new Response(bytes, { headers: { 'content-type': header } }).formData())];
  } catch {
    return undefined;
  }
}

/** Each part begins with the boundary; the last one stands behind them all. */
function hasTooManyParts(bytes: Uint8Array<ArrayBuffer>, header: string): boolean {
  const boundary = boundaryOf(header);
  // Without one nothing is read.
  if (boundary === null) return false;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let parts = -1;
  for (let at = body.indexOf(`--${boundary}`); at !== -1; at = body.indexOf(`--${boundary}`, at + 2)) {
    parts += 1;
    if (parts > MOST_PARTS) return true;
  }
  return false;
}

/** Read by the rules (WHATWG MIME Sniffing, 4.4) that the reader of the parts goes by: with others a sender could have other parts counted. */
function boundaryOf(header: string): string | null {
  try {
    return new MIMEType(header).params.get('boundary');
  } catch {
    return null;
  }
}

/** A text that is JSON stays one. A form is in the charset that is declared, UTF-8 unless one is; bytes that it does not have are refused. */
function urlencodedOrJson(bytes: Uint8Array, header: string): Fields | { readonly json: string } {
  const text = utf8(bytes);
  if (text === undefined) return undefined;
  return text.trimStart().startsWith('{') ? { json: text } : formIn(charsetOf(header), bytes);
}

/** The charsets that ISO 8859-1 is called by. All its bytes are characters. */
const LATIN_1: ReadonlySet<string> = new Set(['iso-8859-1', 'latin1', 'windows-1252']);

function charsetOf(header: string): string {
  try {
    return new MIMEType(header).params.get('charset')?.toLowerCase() ?? 'utf-8';
  } catch {
    return 'utf-8';
  }
}

function formIn(charset: string, bytes: Uint8Array): Fields {
  const fields = formFields(bytes);
  if (fields === undefined) return 'too many';
  const raw = Buffer.from(bytes).toString('latin1');
  if (!/%[89a-f]/i.test(raw) || charset === 'utf-8' || charset === 'utf8') return isUtf8(raw) ? fields : 'charset';
  if (!LATIN_1.has(charset)) return 'charset';
  const decoder = new TextDecoder('windows-1252');
  const read = (part: string) =>
    decoder.decode(Buffer.from(part.replaceAll('+', ' ').replaceAll(ESCAPED, asByte), 'latin1'));
  return raw.split('&').flatMap((pair) => {
    const at = pair.indexOf('=');
    return pair === ''
      ? []
      : [[read(at < 0 ? pair : pair.slice(0, at)), at < 0 ? '' : read(pair.slice(at + 1))] as const];
  });
}

const ESCAPED = /%([0-9a-f]{2})/gi;
const asByte = (_all: string, hex: string): string => String.fromCodePoint(Number.parseInt(hex, 16));

const isUtf8 = (raw: string): boolean =>
  !/%[89a-f]/i.test(raw) || utf8(Buffer.from(raw.replaceAll(ESCAPED, asByte), 'latin1')) !== undefined;

function readJson(text: string): CommandBody {
  const parsed = parseJson(text);
  const read = parsed.ok ? checkObject(parsed.body) : parsed;
  if (!read.ok) return read;
  // Amounts too come as numbers: a form has texts alone.
  const issues = unreadable(read.body);
  if (issues.length > 0) return { ok: false, answer: validationAnswer(issues) };
  const fields = Object.entries(read.body).map(([name, value]) => [
    name,
    typeof value === 'number' ? String(value) : value,
  ]);
  return { ok: true, body: Object.fromEntries(fields) };
}

/** Names with brackets that are still there after nesting: nothing reads them. Without its `amount[]` a refund would be a whole one. */
const unreadable = (body: object): Issue[] =>
  Object.keys(body)
    .filter((name) => name.includes('['))
    .map((name) => issue(name, TEXTS.unexpected));

const refused = (path: string, message: string): CommandBody => ({
  ok: false,
  answer: validationAnswer([issue(path, message)]),
});

/** Left out, it would have PAUSE and RUN mean all payers of a schedule instead of one. */
const TOKEN = 'recurring_token';

function readFields(fields: readonly Field[]): CommandBody {
  if (fields.length > bodyLimits.keys) return refused('body', TEXTS.keyCount(bodyLimits.keys));
  const flat = new Map<string, string>();
  for (const [name, value] of fields) {
    if (typeof value !== 'string') return refused(name, TEXTS.type('string'));
    if (flat.has(name)) return refused(name, TEXTS.notValid);
    flat.set(name, value);
  }
  const body = nestBrackets(Object.fromEntries([...flat].filter(([name, value]) => value !== '' || name === TOKEN)));
  const { excess, forbidden } = checkBody(body);
  const issues = excess === undefined ? [...forbidden, ...unreadable(body)] : [excess];
  return issues.length === 0 ? { ok: true, body } : { ok: false, answer: validationAnswer(issues) };
}
