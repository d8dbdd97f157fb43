import { oneOrMany } from '@railyard/core/formats';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { differencesOf } from '../../src/drift/compare-reply.ts';
import { shapeOf } from '../../src/drift/reply-shape.ts';
import { endpoint } from '../support/sample.ts';

const of = (reply: z.ZodType, body: unknown, ...samples: readonly unknown[]) => {
  const examples = samples.map((sample) => ({ body: sample, source: 'the test itself' }));
  const asked = endpoint({ name: 'ask', path: '/', repeat: 'safe', request: () => ({}), reply, examples });
  const { ok } = asked.variants;
  const shape = shapeOf(asked, 'ok', ok ?? expect.fail());
  return differencesOf(shape, body).map(({ kind, place, form }) => `${kind} ${place} ${form}`.trim());
};

const node: z.ZodType = z.object({
  id: z.string(),
  get children() {
    return z.array(node).optional();
  },
});
const left: z.ZodType = z.object({ a: z.string(), next: z.lazy(() => left).optional() });
const right: z.ZodType = z.object({ b: z.string(), next: z.lazy(() => right).optional() });

describe('a field that no schema names', () => {
  test.each<readonly [string, z.ZodType, unknown, readonly string[]]>([
    ['at the top', z.object({ id: z.string() }), { id: '1', fee: 2 }, ['unnamed-field fee number']],
    [
      'its kind',
      z.object({}),
      { a: null, b: [], c: {}, d: true },
      ['unnamed-field a null', 'unnamed-field b array', 'unnamed-field c object', 'unnamed-field d boolean'],
    ],
    [
      'in an object',
      z.object({ a: z.object({ b: z.string() }) }),
      { a: { b: '', c: '' } },
      ['unnamed-field a.c string'],
    ],
    [
      'in a list, once',
      z.object({ l: z.array(z.object({})) }),
      { l: [{ x: 1 }, { x: 2 }] },
      ['unnamed-field l[].x number'],
    ],
    [
      'in a tuple',
      z.object({ l: z.tuple([z.object({ a: z.string() })], z.unknown()) }),
      { l: [{ a: '' }, { b: 1 }] },
      [],
    ],
    [
      'in the only item of a tuple',
      z.object({ l: z.tuple([z.object({ a: z.string() })]) }),
      { l: [{ a: '', b: 1 }] },
      ['unnamed-field l[].b number'],
    ],
    [
      'in the values of a map, whose names are data',
      z.record(z.string(), z.object({ a: z.string() })),
      { alice: { a: '', b: 1 } },
      ['unnamed-field {key}.b number'],
    ],
    [
      'of a union that has it in one alternative',
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      { a: '', b: '' },
      [],
    ],
    [
      'of a union that has it in none',
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      { a: '', c: '' },
      ['unnamed-field c string'],
    ],
    [
      'of a union by a word',
      z.discriminatedUnion('t', [z.object({ t: z.literal('x'), a: z.string() }), z.object({ t: z.literal('y') })]),
      { t: 'y', c: 1 },
      ['unnamed-field c number'],
    ],
    [
      'beside an intersection',
      z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
      { a: '', b: '', c: '' },
      ['unnamed-field c string'],
    ],
    [
      'before a transformation',
      z.object({ Amount: z.string() }).transform(({ Amount: amount }) => ({ amount })),
      { Amount: '1', amount: '2' },
      ['unnamed-field amount string'],
    ],
    [
      'where a list may be one element',
      z.object({ r: oneOrMany(z.object({ id: z.string() })) }),
      { r: { id: '1', x: '2' } },
      ['unnamed-field r[].x string'],
    ],
    ['behind code that may rename it', z.preprocess((value) => value, z.object({ a: z.string() })), { b: 1 }, []],
    ['where any is taken', z.looseObject({ a: z.string() }), { a: '', b: { c: 1 } }, []],
    [
      'where others are taken by a schema',
      z.object({ a: z.string() }).catchall(z.object({ b: z.string() })),
      { a: '', x: { c: '', b: '' } },
      ['unnamed-field {key}.c string'],
    ],
    ['where nothing is said', z.unknown(), { a: { b: 1 } }, []],
    [
      'deep in a schema that names itself',
      node,
      { id: '1', children: [{ id: '2', children: [{ id: '3', x: 1, children: [] }] }] },
      ['unnamed-field children[].children[].x number'],
    ],
    [
      'of two alternatives that name themselves',
      z.union([left, right]),
      { a: '', next: { b: '', next: { c: 1 } } },
      ['unnamed-field next.next.c number'],
    ],
  ])('%s', (_place, schema, body, found) => {
    expect(of(schema, body)).toEqual(found);
  });

  test('is none where a sample has it, and within what only a sample has', () => {
    const sample = { id: '1', livemode: false, card: { brand: 'x' }, list: [{ known: 1 }] };
    const body = {
      id: '2',
      livemode: true,
      card: { brand: 'y', country: 'DE' },
      list: [{ known: 1, fresh: 2 }],
      new: 1,
    };
    const schema = z.object({ id: z.string(), list: z.array(z.object({})) });
    expect(of(schema, body, sample)).toEqual(['unnamed-field list[].fresh number', 'unnamed-field new number']);
  });

  test('whose name may be data is `{key}`, however many there are', () => {
    const body = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [String(4111111111110000 + index), index]),
    );
    expect(of(z.object({}), body)).toEqual(['unnamed-field {key} number']);
  });
});

describe('an optional field that is missing', () => {
  const schema = z.object({
    a: z.string().optional(),
    b: z.string().nullish(),
    c: z.string().default('x'),
    d: z.object({ e: z.string().optional() }).optional(),
    f: z.string(),
  });

  test('is named, and `null` is none', () => {
    expect(of(schema, { f: '', b: null })).toEqual(['missing-optional a', 'missing-optional c', 'missing-optional d']);
    expect(of(schema, { a: '', b: '', c: '', d: {}, f: '' })).toEqual(['missing-optional d.e']);
  });

  test('is not missed in alternatives, because another may have been meant', () => {
    expect(of(z.union([schema, z.object({ g: z.string() })]), { g: '' })).toEqual([]);
  });
});

test('a reply that is deep, long or wide is looked at in part', () => {
  const deep = (levels: number): unknown => (levels === 0 ? {} : { id: '', x: 1, children: [deep(levels - 1)] });
  expect(of(node, deep(100)).filter((each) => each.includes('unnamed')).length).toBeLessThan(6);
  const long = {
    l: Array.from({ length: 1000 }, (_, index) => ({ [`name${'abcdefghijklmnopqrst'[index % 20]}`]: 1 })),
  };
  expect(of(z.object({ l: z.array(z.object({})) }), long)).toHaveLength(20);
  const letters = [...'abcdefghij'];
  const wide = Object.fromEntries(letters.flatMap((a) => letters.map((b) => [`${a}o${b}e`, 1])));
  expect(of(z.object({}), wide)).toHaveLength(32);
});
