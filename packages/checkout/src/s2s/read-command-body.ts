import {
  type Answer,
  bodyLimits,
  checkBody,
  issue,
  nestBrackets,
  TEXTS,
  type ValidationBody,
  validationAnswer,
} from '@railyard/core';
import { notAnObject, readJsonBody } from '../http/json-body.ts';
import { utf8 } from '../http/read-body.ts';

/** The fields of a command: those of a form with its brackets resolved, or an object of JSON. */
export type CommandBody =
  | { readonly ok: true; readonly body: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly answer: Answer<ValidationBody> };

export const COMMAND_TYPES: ReadonlySet<string> = new Set([
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/json',
]);

type Field = readonly [name: string, value: unknown];

/**
 * Reads the body of a command: urlencoded, multipart, or JSON, which some clients also send under the content type of forms (reference:
 * Transport). A field that is sent blank counts as not sent. A field sent twice is refused: what is signed must be what is done.
 *
 * @param type the content type without parameters
 * @param header the content type as it was sent, with the boundary of a multipart body
 */
export async function readCommandBody(
  bytes: Uint8Array<ArrayBuffer>,
  type: string,
  header: string,
): Promise<CommandBody> {
  const fields = type === 'multipart/form-data' ? await multipart(bytes, header) : urlencodedOrJson(bytes);
  if (fields === undefined) return { ok: false, answer: notAnObject() };
  return typeof fields === 'string' ? readJson(fields) : readFields(fields);
}

async function multipart(bytes: Uint8Array<ArrayBuffer>, header: string): Promise<readonly Field[] | undefined> {
  try {
    return [...(await new Response(bytes, { headers: { 'content-type': header } }).formData())];
  } catch {
    return undefined;
  }
}

/** A text that is JSON stays one. */
function urlencodedOrJson(bytes: Uint8Array): readonly Field[] | string | undefined {
  const text = utf8(bytes);
  return text === undefined || text.trimStart().startsWith('{') ? text : [...new URLSearchParams(text)];
}

function readJson(text: string): CommandBody {
  const read = readJsonBody(text);
  return read.ok ? { ok: true, body: { ...read.body } } : read;
}

/** What is nested: whatever else stands in brackets would be passed over. */
const NESTED = /^(?:parameters|custom_data)\[/;

function readFields(fields: readonly Field[]): CommandBody {
  const refused = (path: string, message: string): CommandBody => ({
    ok: false,
    answer: validationAnswer([issue(path, message)]),
  });
  if (fields.length > bodyLimits.keys) return refused('body', TEXTS.keyCount(bodyLimits.keys));
  const flat = new Map<string, string>();
  for (const [name, value] of fields) {
    if (typeof value !== 'string') return refused(name, TEXTS.type('string'));
    if (flat.has(name)) return refused(name, TEXTS.notValid);
    flat.set(name, value);
  }
  const body = nestBrackets(Object.fromEntries([...flat].filter(([, value]) => value !== '')));
  const { excess, forbidden } = checkBody(body);
  const strange = Object.keys(body)
    .filter((name) => NESTED.test(name))
    .map((name) => issue(name, TEXTS.unexpected));
  const issues = excess === undefined ? [...forbidden, ...strange] : [excess];
  return issues.length === 0 ? { ok: true, body } : { ok: false, answer: validationAnswer(issues) };
}
