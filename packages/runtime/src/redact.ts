import { JsonNumberLiteral } from '@railyard/core';
import { CardHandle } from '@railyard/core/driver';

const MASK = '•••';

/**
 * Masks every value whose dotted name is not in `visible`. Items of a list share one name (`cart.items.name`).
 */
export function redact(value: unknown, visible: readonly string[], name = ''): unknown {
  if (value === undefined || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => redact(each, visible, name));
  if (typeof value === 'object' && !CardHandle.is(value) && !JsonNumberLiteral.is(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, redact(each, visible, name === '' ? key : `${name}.${key}`)]),
    );
  if (CardHandle.is(value) || !visible.includes(name)) return MASK;
  return JsonNumberLiteral.is(value) ? value.literal : value;
}

/** Shorter values are words of everyday texts. */
const SHORTEST_HIDDEN = 4;

/** The texts that `redact` masks: what a provider may repeat in a field that is shown. */
export function hiddenTexts(value: unknown, visible: readonly string[], name = ''): string[] {
  if (typeof value === 'string') return visible.includes(name) || value.length < SHORTEST_HIDDEN ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((each) => hiddenTexts(each, visible, name));
  if (typeof value !== 'object' || value === null || CardHandle.is(value) || JsonNumberLiteral.is(value)) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    hiddenTexts(each, visible, name === '' ? key : `${name}.${key}`),
  );
}

/** Masks the texts of `hiddenTexts` wherever they stand within a value. */
export function withoutTexts(value: unknown, texts: readonly string[]): unknown {
  if (typeof value === 'string')
    return value.length < SHORTEST_HIDDEN ? value : texts.reduce((rest, text) => rest.replaceAll(text, MASK), value);
  if (Array.isArray(value)) return value.map((each) => withoutTexts(each, texts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutTexts(each, texts)]));
}
