import { JsonNumberLiteral } from '@railyard/core';
import { CardHandle } from '@railyard/core/driver';

/** A leaf of plain data with its place. */
export interface Leaf {
  readonly place: string;
  readonly value: unknown;
}

/** Every leaf of plain data; a list's items have their number for a name. */
export function leavesOf(value: unknown, place = ''): readonly Leaf[] {
  if (typeof value !== 'object' || value === null || CardHandle.is(value) || JsonNumberLiteral.is(value))
    return [{ place, value }];
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, place === '' ? name : `${place}.${name}`));
}

/** A copy with another value at a place; `undefined` takes the field away. */
export function withValue(data: unknown, place: string, value: unknown): unknown {
  const [name = '', ...rest] = place.split('.');
  const inner = (at: unknown) => (rest.length === 0 ? value : withValue(at, rest.join('.'), value));
  if (Array.isArray(data)) {
    const items = data.map((each: unknown, index) => (String(index) === name ? inner(each) : each));
    return items.filter((each) => each !== undefined);
  }
  const object: Record<string, unknown> = typeof data === 'object' && data !== null ? { ...data } : {};
  const next = inner(Object.hasOwn(object, name) ? object[name] : undefined);
  if (next === undefined) delete object[name];
  else object[name] = next;
  return object;
}

/** A copy whose lists have no item. */
export function withoutItems(data: unknown): unknown {
  if (Array.isArray(data)) return [];
  if (typeof data !== 'object' || data === null || JsonNumberLiteral.is(data)) return data;
  return Object.fromEntries(Object.entries(data).map(([name, each]) => [name, withoutItems(each)]));
}

/** Text for comparing and searching; card parts and number literals as what stands for them. */
export function asText(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'bigint' ? String(each) : JsonNumberLiteral.is(each) ? each.literal : each,
  );
}
