import { JsonNumberLiteral, type WireValue } from '@railyard/core';
import { CardHandle, type Codec, nameGivenTwice } from '@railyard/core/driver';
import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import { storable } from './storable.ts';

/** A request body once card parts are filled in. */
export type Filled =
  | string
  | number
  | boolean
  | null
  | undefined
  | JsonNumberLiteral
  | readonly Filled[]
  | { readonly [name: string]: Filled };

/** Puts a card's parts where their handles stand. */
export function fillIn(value: WireValue, open: (handle: CardHandle) => string): Filled {
  if (CardHandle.is(value)) return open(value);
  if (JsonNumberLiteral.is(value) || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: WireValue) => fillIn(each, open));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]: [string, WireValue]) => [name, fillIn(each, open)]),
  );
}

/** The content type of each codec's bodies. */
export const CONTENT_TYPES: Readonly<Record<Codec, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'application/xml',
  text: 'text/plain; charset=utf-8',
  none: 'text/plain; charset=utf-8',
};

/** Writes a body. Number literals keep their exact digits, `undefined` leaves a field out. */
export function writeBody(value: unknown, codec: Codec): string {
  if (codec === 'json') return writeJson(value);
  if (codec === 'form') return writeForm(value);
  if (codec === 'xml') return writeXml(value);
  return typeof value === 'string' ? value : '';
}

function writeJson(value: unknown): string {
  if (JsonNumberLiteral.is(value)) return value.literal;
  if (Array.isArray(value)) return `[${value.map((each: unknown) => writeJson(each)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, each]) => each !== undefined);
    return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${writeJson(each)}`).join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}

/** A value can never add a field of its own. */
function writeForm(fields: unknown): string {
  return new URLSearchParams(Object.entries(fields ?? {}).flatMap(([name, value]) => pairsOf(name, value))).toString();
}

/** Nested fields, in bracket form. */
function pairsOf(name: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return [];
  if (JsonNumberLiteral.is(value)) return [[name, value.literal]];
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([part, each]) => pairsOf(`${name}[${part}]`, each));
}

const xmlOptions = { ignoreAttributes: false, attributeNamePrefix: '@', suppressEmptyNode: true };

function writeXml(value: unknown): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${String(new XMLBuilder(xmlOptions).build(literalsToText(value)))}`;
}

function literalsToText(value: unknown): unknown {
  if (JsonNumberLiteral.is(value)) return value.literal;
  if (Array.isArray(value)) return value.map(literalsToText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, literalsToText(each)]));
}

/**
 * Reads a body. JSON numbers that a float would change arrive as the text that stood there, so that no amount is ever a float. What no
 * database keeps is replaced, see `storable`.
 *
 * @returns `undefined` when the text is not of that form, nested too deep, or an object of JSON that has two values under one name
 */
export function readBody(text: string, codec: Codec): unknown {
  try {
    return storable(parseBody(text, codec));
  } catch {
    return undefined;
  }
}

function parseBody(text: string, codec: Codec): unknown {
  if (codec === 'json') return readJson(text);
  if (codec === 'form') return readForm(text);
  if (codec === 'xml') return readXml(text);
  return codec === 'text' ? text : {};
}

/** A number of JSON stands at the beginning or behind one of these; a text without any is read in a third of the time. */
const MAY_HOLD_NUMBER = /(?:^|[[:,])\s*[-\d]/;

/** Nothing where an object has two values under one name: JSON does not say which of them counts (RFC 8259, 4), `JSON.parse` takes the last. */
function readJson(text: string): unknown {
  const value: unknown = MAY_HOLD_NUMBER.test(text) ? JSON.parse(text, exactNumber) : JSON.parse(text);
  return nameGivenTwice(text) === undefined ? value : undefined;
}

/** A safe integer becomes a number, however it is written: `1000.0` and `1e3` too. Everything else keeps its text. */
function exactNumber(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number') return value;
  const source = context?.source ?? String(value);
  if (!Number.isSafeInteger(value)) return source;
  return String(value) === source || isWhole(source) ? value : source;
}

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** Whether the fraction of a JSON number is zero. A float cannot say: it takes 0.9999999999999999999 for 1. */
function isWhole(source: string): boolean {
  const [, whole = '', decimals = '', power = '0'] = NUMBER.exec(source) ?? [];
  const scale = decimals.length - Number(power);
  return scale <= 0 || /^0*$/.test((whole + decimals).slice(-scale));
}

/** A name that is given several times has a list of its values, as an element of XML has. */
function readForm(text: string): unknown {
  const given = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const values = given.get(name);
    if (values === undefined) given.set(name, [value]);
    else values.push(value);
  }
  return Object.fromEntries([...given].map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

/** A document type that names its definition and declares nothing. */
const NAMED_TYPE = /<!DOCTYPE\s+[\w:.-]+(?:\s+(?:PUBLIC\s+"[^"<>]*"|SYSTEM)\s+"[^"<>]*")?\s*>/;

/**
 * A document type may name its definition, as Worldpay's does, which is never fetched. It declares nothing: entities of its own could grow
 * without bound or name files.
 */
function readXml(given: string): unknown {
  const text = given.replace(NAMED_TYPE, '');
  if (/<!DOCTYPE/i.test(text)) return undefined;
  return new XMLParser({
    ...xmlOptions,
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
  }).parse(text, true);
}
