import { describe, expect, test } from 'vitest';
import { type Condition, describeCondition, holds, isGiven, readPath } from '../../src/index.ts';

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
