import { CardHandle, JsonNumberLiteral } from '@railyard/core';

const MASK = '•••';

/**
 * Masks every value whose dotted name is not in the list: what nobody named is never shown. Items of a list share one name
 * (`cart.items.name`).
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
