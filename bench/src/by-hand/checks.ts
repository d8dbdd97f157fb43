import { countryCodes, currency } from '@railyard/core';

// The checks that a careful person would write without a schema library. The rules are those of the protocol; so are the
// tables of countries and currencies, which are no work of the checker.

export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const surrogatePair = /[\ud800-\udbff][\udc00-\udfff]/g;

export function isClean(text: string, free = false): boolean {
  let surrogates = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 && !(free && (code === 9 || code === 10))) return false;
    if (code >= 0xd800 && code <= 0xdfff) surrogates = true;
  }
  return !surrogates || !/\p{Surrogate}/u.test(text);
}

function lengthOf(text: string): number {
  return text.length - (text.match(surrogatePair)?.length ?? 0);
}

/** A line of text with a length in characters. */
export function isText(value: unknown, min: number, max: number, pattern?: RegExp): value is string {
  if (typeof value !== 'string' || value.trim() === '' || !isClean(value)) return false;
  if (value.length < 2 * min && lengthOf(value) < min) return false;
  if (value.length > max && lengthOf(value) > max) return false;
  return pattern === undefined || pattern.test(value);
}

/** A text that may be written in several lines. */
export const isLines = (value: unknown, min: number, max: number): value is string =>
  typeof value === 'string' && isText(value.replace(/[\t\n\r]\s*/g, ' '), min, max);

const urlGrammar =
  /^https?:\/\/(?:\[[0-9a-f:.]+\]|[\p{L}\p{N}\p{M}_](?:[\p{L}\p{N}\p{M}_.-]*[\p{L}\p{N}\p{M}_])?)(?::\d{1,5})?(?:[/?#][^\s\\]*)?$/iu;

export function isUrl(value: unknown): value is string {
  return isText(value, 1, 1024) && urlGrammar.test(value) && URL.canParse(value);
}

const emailGrammar =
  /^[\w!#$%&'*+/=?^`{|}~-][\w.!#$%&'*+/=?^`{|}~-]*@(?:[\p{L}\p{N}][\p{L}\p{N}\p{M}-]*\.)+\p{L}[\p{L}\p{N}\p{M}-]*$/u;

export const isEmail = (value: unknown): value is string => isText(value, 2, 255, emailGrammar);
export const isName = (value: unknown, max: number): value is string =>
  isText(
    value,
    2,
    max,
    /^(?=.*\p{L})(?!.*\p{Nd}(?![\p{L}\p{Nd}]))[\p{L}\p{M}\p{Nd} .,&/()+'\x60\u00b4\u00b7\u2018\u2019\p{Join_Control}\u2010-\u2013\u30fb\u05f3\u05f4-]+$/u,
  );
export const isLatinName = (value: unknown, max: number): value is string =>
  isText(
    value,
    2,
    max,
    /^(?=.*\p{L})(?!.*\p{Nd}(?![\p{L}\p{Nd}]))[\p{Script=Latin}\u02bc\p{M}\p{Nd} .,&/()+'\x60\u00b4\u00b7\u2018\u2019\p{Join_Control}\u2010-\u2013\u30fb\u05f3\u05f4-]+$/u,
  );
export const isCountry = (value: unknown): value is string => typeof value === 'string' && countryCodes.has(value);
export const isCurrency = (value: unknown): value is string =>
  typeof value === 'string' && currency(value) !== undefined;

export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const moment = new Date(value);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(value);
}

/** `undefined` for what is no flag. */
export function flagOf(value: unknown): boolean | undefined {
  if (value === undefined || value === false || value === 'false' || value === 'N') return false;
  return value === true || value === 'true' || value === 'Y' ? true : undefined;
}

/** Minutes of `session_expiry`; `undefined` for what is no such number. */
export function minutesOf(value: unknown): number | undefined {
  if (value === undefined) return 60;
  const number = typeof value === 'string' && /^(?:0|[1-9]\d{0,8})$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= 720 ? number : undefined;
}

/** Between 1 and 100 texts, each once; `undefined` for anything else. */
export function listOf(value: unknown, isItem: (item: string) => boolean): string[] | undefined {
  if (!Array.isArray(value) || value.length < 1 || value.length > 100) return undefined;
  const items = new Set<string>();
  for (const item of value) {
    if (typeof item !== 'string' || !isItem(item)) return undefined;
    items.add(item);
  }
  return [...items];
}

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a body keeps to the limits of bodies: depth, keys, lengths of keys and lists. */
export function isModest(body: object): boolean {
  let keys = 0;
  const look = (value: object, level: number, isCart: boolean, within: string): boolean => {
    if (level >= 32) return false;
    if (Array.isArray(value)) {
      if (value.length > (isCart ? 1000 : 100)) return false;
      for (const child of value)
        if (typeof child === 'object' && child !== null && !look(child, level + 1, false, '')) return false;
      return true;
    }
    for (const [key, child] of Object.entries(value)) {
      keys += 1;
      if (keys > 2000 || key.length > 256 || forbidden.has(key)) return false;
      if (typeof child === 'object' && child !== null)
        if (!look(child, level + 1, within === 'cart' && key === 'items', key)) return false;
    }
    return true;
  };
  return look(body, 0, false, '');
}

/** Whether nothing in a block of the merchant's own would be lost on its way. */
export function isKeepable(value: unknown, free: boolean): boolean {
  if (typeof value === 'string') return isClean(value, free);
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (typeof value !== 'object' || value === null) return true;
  for (const [key, child] of Object.entries(value)) if (!isClean(key) || !isKeepable(child, free)) return false;
  return true;
}
