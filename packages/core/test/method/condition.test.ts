import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Condition, defineMethod, field, readPath } from '../../src/index.ts';
import { createRegistry, describeCondition, holds, isGiven } from '../../src/registry.ts';
import { request, today } from './support.ts';

const data: Record<string, unknown> = {
  country: 'BR',
  blank: '',
  nothing: null,
  no: false,
  address: { city: 'Recife' },
};
const read = (path: string) => readPath(data, path);

describe('a condition', () => {
  test.for<[boolean, Condition]>([
    [true, { path: 'country', in: ['BR', 'CL'] }],
    [false, { path: 'country', in: ['CL'] }],
    [false, { path: 'country', in: [] }],
    [false, { path: 'absent', in: ['BR'] }],
    [false, { path: 'no', in: ['false'] }],
    [false, { path: 'country', notIn: ['BR'] }],
    [true, { path: 'country', notIn: ['CL'] }],
    [true, { path: 'absent', notIn: ['CL'] }],
    [true, { path: 'country', present: true }],
    [false, { path: 'country', present: false }],
    [true, { path: 'blank', present: false }],
    [true, { path: 'nothing', present: false }],
    [true, { path: 'absent', present: false }],
    [true, { path: 'no', present: true }],
    [true, { path: 'address.city', in: ['Recife'] }],
    [true, { all: [] }],
    [false, { any: [] }],
    [
      true,
      {
        all: [
          { path: 'country', present: true },
          { path: 'absent', present: false },
        ],
      },
    ],
    [
      false,
      {
        all: [
          { path: 'country', present: true },
          { path: 'absent', present: true },
        ],
      },
    ],
    [
      true,
      {
        any: [
          { path: 'absent', present: true },
          { path: 'country', in: ['BR'] },
        ],
      },
    ],
    [true, { any: [{ all: [{ path: 'country', in: ['BR'] }] }] }],
  ])('is %s for %j', ([expected, condition]) => {
    expect(holds(condition, read)).toBe(expected);
  });

  test('that is absent always holds', () => {
    expect(holds(undefined, read)).toBe(true);
  });

  test('reads as a sentence', () => {
    const condition: Condition = {
      any: [
        {
          all: [
            { path: 'a', in: ['x', 'y'] },
            { path: 'b', notIn: ['z'] },
          ],
        },
        { path: 'c', present: true },
        { path: 'd', present: false },
      ],
    };
    expect(describeCondition(condition)).toBe('a is x, y and b is none of z or c is given or d is absent');
  });

  test('reads as it says itself', () => {
    expect(describeCondition({ any: [{ path: 'a', in: ['x'] }], says: 'the set is used' })).toBe('the set is used');
  });

  test.for([
    [['x', 'y'], true],
    [['y'], false],
    [[], false],
    [[1, 'x'], true],
  ] as const)('of a list %j holds where one of its values is named: %s', ([list, expected]) => {
    expect(holds({ path: 'a', in: ['x'] }, () => list)).toBe(expected);
  });
});

describe('a path', () => {
  test.for([
    '__proto__',
    'constructor',
    'toString',
    'address.constructor.name',
    '__proto__.polluted',
    'country.length',
  ])('never reads the inherited %s', (path) => {
    expect(readPath(data, path)).toBeUndefined();
  });

  test('reads a key that only looks inherited', () => {
    expect(readPath(JSON.parse('{"__proto__":{"a":"own"}}'), '__proto__.a')).toBe('own');
  });

  test.for([undefined, null, 'text', 7])('of %j finds nothing', (value) => {
    expect(readPath(value, 'a.b')).toBeUndefined();
  });
});

test.for([
  [undefined, false],
  [null, false],
  ['', false],
  [' ', true],
  [0, true],
  [false, true],
])('%j counts as given: %s', ([value, expected]) => {
  expect(isGiven(value)).toBe(expected);
});

test('fields that belong together are looked at once each, however many they are', () => {
  let looks = 0;
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const any = names.map((name) => ({ path: `parameters.${name}`, present: true }));
  const part = () => field(z.string(), { label: 'Part', when: { any } });
  const together = defineMethod({
    key: 'together',
    title: 'Together',
    read: (sent) =>
      new Proxy(sent, {
        getOwnPropertyDescriptor(target, name) {
          looks += 1;
          return Reflect.getOwnPropertyDescriptor(target, name);
        },
      }),
    operations: {
      purchase: {
        parameters: z.strictObject(Object.fromEntries(names.map((name) => [name, part()]))),
        completion: [],
      },
    },
  });
  const checked = createRegistry([together]).validate(request({ methods: ['together'] }), { today });
  expect(checked).toMatchObject({ ok: true });
  // Each field asks for each of the others, and they for nothing further: a hundred looks, not thousands.
  expect(looks).toBeLessThan(100);
});
