import { currencies, JsonNumberLiteral, type Money, moneyOfMinor } from '@railyard/core';
import { CardHandle } from '@railyard/core/driver';

/** A value at a dotted place; list items by their number. */
export type Leaf = readonly [place: string, value: unknown];

/** Every value of plain data with its place. Amounts, number literals and card handles are values. */
export function leavesOf(value: unknown, place = ''): Leaf[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null || isWhole(value)) return [[place, value]];
  return Object.entries(value).flatMap(([name, each]) => leavesOf(each, place === '' ? name : `${place}.${name}`));
}

function isWhole(value: object): boolean {
  return isMoney(value) || CardHandle.is(value) || JsonNumberLiteral.is(value);
}

function isMoney(value: object): value is Money {
  return (
    'minor' in value && typeof value.minor === 'bigint' && 'currency' in value && typeof value.currency === 'string'
  );
}

/** A value as text, for comparing and for showing. */
export function leafText(value: unknown): string {
  if (JsonNumberLiteral.is(value)) return value.literal;
  if (CardHandle.is(value)) return value.toJSON();
  return String(value);
}

/**
 * Other values of the same kind, to see what changes with them. Several, because a flow may refuse one of them: a longer
 * text, a text of the same length, an amount of another size, an amount of another currency.
 */
export function variations(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return [`${value}7`, sameLength(value)];
  if (typeof value === 'number') return [value + 1];
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'object' && value !== null && isMoney(value))
    return [moneyOfMinor(value.minor + 100n, value.currency)];
  return [];
}

/** A text with another last letter or digit, so that a number stays a number of its length and a UUID a UUID. */
function sameLength(text: string): string {
  const last = text.at(-1) ?? '';
  return text.slice(0, -1) + (/\d/.test(last) ? (last === '7' ? '8' : '7') : last === 'a' ? 'b' : 'a');
}

/** The same amount in another currency of as many decimals. */
export function otherCurrency(value: unknown): Money | undefined {
  if (typeof value !== 'object' || value === null || !isMoney(value)) return undefined;
  const other = [...currencies.values()].find(
    ({ code, exponent }) => code !== value.currency && exponent === value.exponent,
  );
  return other && moneyOfMinor(value.minor, other.code);
}

/** A copy of plain data with another value at one place. */
export function withLeaf(data: unknown, place: string, value: unknown): unknown {
  if (place === '') return value;
  if (typeof data !== 'object' || data === null || isWhole(data)) return data;
  const copy = Object.entries(data).map(([name, each]): [string, unknown] => {
    if (place === name) return [name, value];
    return [name, place.startsWith(`${name}.`) ? withLeaf(each, place.slice(name.length + 1), value) : each];
  });
  return Array.isArray(data) ? copy.map(([, each]) => each) : Object.fromEntries(copy);
}
