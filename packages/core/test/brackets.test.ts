import { describe, expect, it, test } from 'vitest';
import * as z from 'zod';
import { defineMethod, nestBrackets } from '../src/index.ts';
import { createRegistry, resolveMethod } from '../src/registry.ts';

describe('names in bracket form', () => {
  it.each<[string, object, object]>([
    ['become objects', { 'a[b]': 1, 'a[c][d]': 2 }, { a: { b: 1, c: { d: 2 } } }],
    ['become lists where they are 0, 1 …', { 'a[0]': 'x', 'a[1]': 'y' }, { a: ['x', 'y'] }],
    ['become lists in the order of their numbers', { 'a[1][n]': 'y', 'a[0][n]': 'x' }, { a: [{ n: 'x' }, { n: 'y' }] }],
    ['stay an object where there is a gap', { 'a[0]': 'x', 'a[2]': 'y' }, { a: { 0: 'x', 2: 'y' } }],
    ['join what was sent nested', { a: { b: 1 }, 'a[c]': 2 }, { a: { b: 1, c: 2 } }],
    ['leave what was sent nested as it is', { a: { 0: 'x' }, 'b[c]': 1 }, { a: { 0: 'x' }, b: { c: 1 } }],
    ['stay where something else stands', { a: 1, 'a[b]': 2 }, { a: 1, 'a[b]': 2 }],
    ['stay where they are said twice', { a: { b: 1 }, 'a[b]': 2 }, { a: { b: 1 }, 'a[b]': 2 }],
    ['stay where the whole is said after a part', { 'a[b]': 1, a: 2, 'a[c]': 3 }, { 'a[b]': 1, a: 2, 'a[c]': 3 }],
    [
      'stay where they are no bracket form',
      { 'a[': 1, 'b]': 2, '[c]': 3, 'd[]': 4, 'e[f]g': 5 },
      { 'a[': 1, 'b]': 2, '[c]': 3, 'd[]': 4, 'e[f]g': 5 },
    ],
  ])('%s', (_what, flat, nested) => {
    expect(nestBrackets({ ...flat })).toEqual(nested);
  });

  test('are never read deeper than a body may be', () => {
    const deep = `a${'[b]'.repeat(40)}`;
    expect(nestBrackets({ [deep]: 1 })).toEqual({ [deep]: 1 });
  });

  test.each(['a[__proto__][polluted]', 'a[constructor][prototype]', '__proto__[polluted]'])(
    '%s stays a name',
    (name) => {
      expect(nestBrackets({ [name]: 1 })).toEqual({ [name]: 1 });
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    },
  );

  test('make no more objects than a body may have by far', () => {
    const names = Array.from({ length: 2000 }, (_none, index) => [`a[${index}]${'[b]'.repeat(28)}`, 1]);
    const read = nestBrackets(Object.fromEntries(names));
    const countOf = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce((sum, each) => sum + countOf(each), 1)
        : 0;
    expect(countOf(read)).toBeLessThan(5000);
    expect(Object.keys(read).length).toBeGreaterThan(1000);
  });

  test('change nothing of the request itself', () => {
    const own = { a: { b: 1 } };
    nestBrackets({ ...own, 'a[c]': 2 });
    expect(own).toEqual({ a: { b: 1 } });
  });

  test('are read in the parameters of a method that declares it, and refused in others', () => {
    const items = z.array(z.strictObject({ name: z.string() })).optional();
    const operations = { purchase: { parameters: z.strictObject({ items }), completion: [] } };
    const nested = defineMethod({ key: 'nested', title: 'Nested', operations, read: nestBrackets });
    const flat = defineMethod({ key: 'flat', title: 'Flat', operations });
    const registry = createRegistry([nested, flat]);
    const sent = { 'items[0][name]': 'Hat', 'items[1][name]': 7 };
    const request = {
      merchant_key: 'm-1',
      operation: 'purchase',
      success_url: 'https://shop.example/thanks',
      hash: 'x',
      order: { number: 'order-1', amount: '1.00', currency: 'USD', description: 'Two books' },
      parameters: { nested: sent, flat: { 'items[0][name]': 'Hat' } },
    };
    const checked = registry.validate(request, { today: '2026-11-21' });
    expect(checked.ok || checked.issues.map(({ path }) => path)).toEqual([
      'parameters.nested.items.1.name',
      'parameters.flat.items[0][name]',
    ]);
    const good = registry.validate(
      { ...request, methods: ['nested'], parameters: { nested: { 'items[0][name]': 'Hat' } } },
      { today: '2026-11-21' },
    );
    expect(good.ok && resolveMethod(registry, good.session, 'nested')).toMatchObject({
      value: { parameters: { items: [{ name: 'Hat' }] } },
    });
  });
});
