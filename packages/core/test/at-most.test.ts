import { expect, it } from 'vitest';
import { atMost } from '../src/formats.ts';

it.each([
  ['a text that fits', 'Coffee', 6, 'utf-16', 'Coffee'],
  ['one unit too long', 'Coffees', 6, 'utf-16', 'Coffee'],
  ['an emoji of two units at the end', 'Coffe\u{1F600}', 6, 'utf-16', 'Coffe'],
  ['an emoji where characters count', 'Coffe\u{1F600}', 6, 'characters', 'Coffe\u{1F600}'],
  ['a letter with a combining accent', 'Cafe\u0301', 4, 'utf-16', 'Caf'],
  ['a family joined of several emoji', 'a\u{1F468}\u200D\u{1F469}\u200D\u{1F467}', 5, 'characters', 'a'],
] as const)('cuts %s as the provider counts, and halves no sign', (_, text, max, unit, kept) => {
  expect(atMost(text, max, unit)).toBe(kept);
});
