import { expect, it, test } from 'vitest';
import { isOfAnother, money, ofThisPayment, settled } from '../../src/index.ts';

const paid = settled('pay_1', money('10.00', 'EUR'));

it('keeps the outcome of a reply that names what was asked for', () => {
  expect(ofThisPayment(paid, [{ asked: 'a', said: 'a' }])).toBe(paid);
});

it('makes the outcome of a reply about another payment unknown, whatever it says', () => {
  expect(ofThisPayment(paid, [{ asked: 'a', said: 'b' }])).toMatchObject({ status: 'unknown' });
});

test.each([
  [[{ asked: 'a', said: 'a' }], false],
  [[{ asked: undefined, said: 'b' }], false],
  [[{ asked: 'a', said: undefined }], false],
  [[{ asked: 'a', said: '' }], true],
  [
    [
      { asked: 'a', said: 'a' },
      { asked: 'b', said: 'c' },
    ],
    true,
  ],
  [[], false],
])('%j is of another: %s', (names, isOther) => {
  expect(isOfAnother(names)).toBe(isOther);
});
