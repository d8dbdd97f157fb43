import { nameGivenTwice } from '../formats/name-given-twice.ts';

/** Present in every browser and in Node; declared here because this package is compiled without either's types. */
declare const URLSearchParams: new (text: string) => Iterable<[name: string, value: string]>;

/** A value of `custom_data` or `extended_data`. In a form, values are texts and lists are objects with the keys 0, 1, 2 … */
export type CallbackData =
  | string
  | number
  | boolean
  | null
  | readonly CallbackData[]
  | { readonly [name: string]: CallbackData };

type Draft = Record<string, CallbackData>;

const NESTED = /^(custom_data|extended_data)\[(.*)\]$/s;

/** The fields of a callback's body, form or JSON; undefined if it is neither, or gives a name twice: nothing says which value counts. */
export function readFields(text: string): Readonly<Record<string, CallbackData>> | undefined {
  return text.startsWith('{') ? readJson(text) : readForm(text);
}

function readJson(text: string): Draft | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return isObject(read) && nameGivenTwice(text) === undefined ? read : undefined;
  } catch {
    return undefined;
  }
}

function readForm(text: string): Draft | undefined {
  // Without a prototype, so that no name of a field can mean anything else.
  const fields: Draft = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const [, field, path] = NESTED.exec(name) ?? [];
    const keys = field === undefined || path === undefined ? [name] : [field, ...path.split('][')];
    if (!put(fields, keys, value)) return undefined;
  }
  return fields;
}

function put(fields: Draft, keys: readonly string[], value: string): boolean {
  let at = fields;
  for (const key of keys.slice(0, -1)) {
    const next = (at[key] ??= Object.create(null));
    if (!isObject(next)) return false;
    at = next;
  }
  const last = keys.at(-1) ?? '';
  if (last in at) return false;
  at[last] = value;
  return true;
}

function isObject(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Name and value of a query, with or without its question mark. */
export function queryOf(query: string): [name: string, value: string][] {
  return [...new URLSearchParams(query.replace(/^\?/, ''))];
}
