import { bodyLimits, isForbidden } from './body-limits.ts';
import { isPlainObject } from './fields.ts';

/** Far more than a body may have; from there on names stay as they are. */
const MOST_OBJECTS = 2 * bodyLimits.keys;

/** No name whose parts may be read is longer. */
const LONGEST_NAME = bodyLimits.depth * bodyLimits.keyLength;

type Nested = Record<string, unknown>;

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
  const nested: Nested = Object.create(null);
  const own: Own = { objects: new Set(), byName: new Map() };
  // Names without brackets first: a name that came twice keeps the value without brackets, whichever came first.
  for (const [name, value] of entries) if (!name.includes('[')) nested[name] = value;
  for (const [name, value] of entries) {
    if (!name.includes('[')) continue;
    const place = placeOf(name);
    const within = place && (own.byName.get(place.within) ?? objectAt(nested, place.within, own));
    if (place === undefined || within === undefined || Object.hasOwn(within, place.part)) nested[name] = value;
    else within[place.part] = value;
  }
  return Object.fromEntries(Object.entries(nested).map(([name, value]) => [name, withLists(value, own)]));
}

/** Objects that may be changed. Any other may be the merchant's own and is copied, once, before something is put into it. */
interface Own {
  readonly objects: Set<unknown>;
  /** By their whole name: many fields stand in one object, and each finds it at once. */
  readonly byName: Map<string, Nested>;
}

/** `a[b][c]` as `c` within `a[b]`; `undefined` for any other form. */
function placeOf(name: string): { readonly within: string; readonly part: string } | undefined {
  const open = name.lastIndexOf('[');
  const part = name.slice(open + 1, -1);
  return open !== -1 && name.endsWith(']') && isPart(part) ? { within: name.slice(0, open), part } : undefined;
}

/** The object of a name, made where there is none; `undefined` where something else stands at a part of it, or it is no bracket form. */
function objectAt(root: Nested, name: string, own: Own): Nested | undefined {
  const parts = own.objects.size > MOST_OBJECTS ? undefined : partsOf(name);
  if (parts === undefined) return undefined;
  let at = root;
  for (const part of parts) {
    const next = Object.hasOwn(at, part) ? at[part] : {};
    if (!isPlainObject(next)) return undefined;
    const ours = own.objects.has(next) ? next : { ...next };
    own.objects.add(ours);
    at = at[part] = ours;
  }
  own.byName.set(name, at);
  return at;
}

/** `a[b]` as `a`, `b`, where one more part is not too deep. */
function partsOf(name: string): readonly string[] | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const open = name.indexOf('[');
  const parts = open === -1 ? [name] : [name.slice(0, open), ...name.slice(open + 1, -1).split('][')];
  const isForm = (open === -1 || name.endsWith(']')) && parts.length + 1 < bodyLimits.depth;
  return isForm && parts.every(isPart) ? parts : undefined;
}

const isPart = (part: string): boolean =>
  part !== '' && !part.includes('[') && !part.includes(']') && !isForbidden(part);

/** Turns what brackets built with the names 0, 1, 2 … into lists; what was sent nested stays as it is. */
function withLists(value: unknown, own: Own): unknown {
  if (!isPlainObject(value) || !own.objects.has(value)) return value;
  const names = Object.keys(value);
  for (const name of names) {
    const each = value[name];
    // To write what is there already costs a lookup of its name.
    if (typeof each === 'object') value[name] = withLists(each, own);
  }
  const isList = names.length > 0 && names.every((_name, index) => Object.hasOwn(value, String(index)));
  return isList ? names.map((_name, index) => value[String(index)]) : value;
}
