import { bodyLimits, forbiddenKeys } from './body-limits.ts';
import { isPlainObject } from './fields.ts';

const BRACKETED = /^([^[\]]+)((?:\[[^[\]]+\])+)$/;

/**
 * Reads names in bracket form as nested values, the way form-encoded requests write them (protocol: Set 6): what a method with nested
 * parameters declares as its `read`. Names from 0 on, without
 * a gap, are a list. A name that contradicts another one, or is no bracket form, stays as it is and is refused by name.
 *
 * @example nestBrackets({ 'cart[items][0][name]': 'Hat' }) // { cart: { items: [{ name: 'Hat' }] } }
 */
export function nestBrackets(flat: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(flat);
  if (!entries.some(([name]) => name.includes('['))) return { ...flat };
  // Without a prototype, so that no name means anything to the object itself.
  const nested: Record<string, unknown> = Object.create(null);
  for (const [name, value] of entries) {
    const parts = partsOf(name);
    if (parts === undefined || !put(nested, parts, value)) nested[name] = value;
  }
  return Object.fromEntries(Object.entries(nested).map(([name, value]) => [name, withLists(value, flat[name])]));
}

function partsOf(name: string): readonly string[] | undefined {
  const [, first = '', rest = ''] = BRACKETED.exec(name) ?? [];
  const parts = [first, ...rest.slice(1, -1).split('][')];
  const isSound = rest !== '' && parts.length < bodyLimits.depth && !parts.some((part) => forbiddenKeys.has(part));
  return isSound ? parts : undefined;
}

/** @returns false where something else stands at a part of the path */
function put(root: Record<string, unknown>, parts: readonly string[], value: unknown): boolean {
  let at = root;
  for (const part of parts.slice(0, -1)) {
    const next = Object.hasOwn(at, part) ? at[part] : {};
    if (!isPlainObject(next)) return false;
    // A copy, because it may be the merchant's own object.
    at = at[part] = { ...next };
  }
  const last = parts.at(-1) ?? '';
  if (Object.hasOwn(at, last)) return false;
  at[last] = value;
  return true;
}

/** Turns what brackets built with the names 0, 1, 2 … into lists; what was sent nested stays as it is. */
function withLists(value: unknown, sent: unknown): unknown {
  if (value === sent || !isPlainObject(value)) return value;
  const names = Object.keys(value);
  const isList = names.length > 0 && names.every((_name, index) => Object.hasOwn(value, String(index)));
  const before = isPlainObject(sent) ? sent : {};
  if (isList) return names.map((_name, index) => withLists(value[String(index)], undefined));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withLists(each, before[name])]));
}
