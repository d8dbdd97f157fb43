import { type Codec, JsonNumberLiteral } from '@railyard/core';
import { XMLBuilder, XMLParser } from 'fast-xml-parser';

const xmlOptions = { ignoreAttributes: false, attributeNamePrefix: '@', suppressEmptyNode: true };

/** Reads a request body by its content type. Numbers that a float would change keep their text; what is no body is `undefined`. */
export function readRequestBody(text: string, contentType: string): unknown {
  try {
    if (contentType.includes('json')) return JSON.parse(text, exactNumber);
    if (contentType.includes('x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text));
    if (contentType.includes('xml')) return new XMLParser({ ...xmlOptions, parseTagValue: false }).parse(text);
  } catch {
    return undefined;
  }
  return text === '' ? undefined : text;
}

function exactNumber(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const source = context?.source ?? String(value);
  return Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? value : source;
}

const TYPES: Readonly<Record<Codec, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'application/xml',
  text: 'text/plain; charset=utf-8',
  none: 'text/plain; charset=utf-8',
};

/** Writes a reply as the endpoint's codec wants it. */
export function writeReplyBody(value: unknown, codec: Codec): { readonly type: string; readonly text: string } {
  return { type: TYPES[codec], text: writeBody(value, codec) };
}

function writeBody(value: unknown, codec: Codec): string {
  if (codec === 'json') return exactJson(value);
  if (codec === 'form') {
    const form = new URLSearchParams();
    for (const [name, each] of Object.entries(value ?? {})) form.append(name, String(plain(each)));
    return form.toString();
  }
  if (codec === 'xml') return String(new XMLBuilder(xmlOptions).build(plain(value)));
  return typeof value === 'string' ? value : '';
}

/** JSON in which number literals keep their digits. */
export function exactJson(value: unknown): string {
  if (JsonNumberLiteral.is(value)) return value.literal;
  if (Array.isArray(value)) return `[${value.map((each: unknown) => exactJson(each)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value).filter(([, each]) => each !== undefined);
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${exactJson(each)}`).join(',')}}`;
}

function plain(value: unknown): unknown {
  if (JsonNumberLiteral.is(value)) return value.literal;
  if (Array.isArray(value)) return value.map((each: unknown) => plain(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}
