import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { root } from '../../../test/support/workspace.ts';
import { textFor } from '../src/import/text-for.ts';

const rules = z
  .object({ pattern: z.string(), minLength: z.int().optional(), maxLength: z.int().optional() })
  .transform(({ pattern, minLength: min, maxLength: max }) => ({ pattern, min, max }));
type Rules = z.output<typeof rules>;

/** The texts with a pattern of all official descriptions. */
const official: readonly Rules[] = readdirSync(join(root, 'packages'))
  .map((name) => join(root, 'packages', name, 'test/official'))
  .flatMap((folder) => filesIn(folder).map((name) => join(folder, name)))
  .flatMap((path) => rulesIn(JSON.parse(readFileSync(path, 'utf8'))));

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function rulesIn(value: unknown): readonly Rules[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(rulesIn);
  const own = rules.safeParse(value);
  return own.success ? [own.data, ...below] : below;
}

test('finds a text for the patterns of the official descriptions, but for a date of HTTP and a place on earth', () => {
  const without = official.filter((each) => textFor(each, 'name') === undefined);
  expect(official.length).toBeGreaterThan(40);
  expect([...new Set(without.map(({ pattern }) => pattern.slice(0, 12)))].toSorted()).toEqual([
    '^(-?(90|(\\d|',
    '^(Mon|Tue|We',
  ]);
});

test('a text that is found keeps pattern and length', () => {
  for (const each of official) {
    const text = textFor(each, 'name');
    if (text === undefined) continue;
    expect(text).toMatch(new RegExp(each.pattern));
    expect(text.length).toBeGreaterThanOrEqual(each.min ?? 0);
    expect(text.length).toBeLessThanOrEqual(each.max ?? Infinity);
  }
});

test.each([
  ['no rule', {}, 'name'],
  ['a least length', { min: 8 }, 'name----'],
  ['a greatest length', { max: 2 }, 'na'],
  ['a format', { format: 'date' }, '2026-01-31'],
  ['a format that is not known', { format: 'iban' }, 'name'],
  ['a format that is too long', { format: 'uuid', max: 10 }, undefined],
  ['a pattern with a prefix', { pattern: '^ch_[a-z0-9\\-]{8,}$' }, 'ch_11111111'],
  ['a pattern with a length of its own', { pattern: '^[0-9]+$', min: 3, max: 5 }, '111'],
  ['a pattern that no text keeps', { pattern: '^x(?=y)z$' }, undefined],
  ['a pattern that is none', { pattern: '(' }, undefined],
  ['a pattern that takes too long', { pattern: '^(a+)+b$', min: 60 }, undefined],
])('finds for %s: %o gives %s', (_, given, text) => {
  expect(textFor(given, 'name')).toBe(text);
});
