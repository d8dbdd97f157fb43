import { expect, it, test } from 'vitest';
import { isOfAnother, money, ofThisPayment, settled } from '../../src/index.ts';

const paid = settled('pay_1', money('10.00', 'EUR'));

it('keeps the outcome of a reply that refers to what was asked for', () => {
  expect(ofThisPayment(paid, { merchantReference: 'a', providerReference: 'pay_1' }, 'a')).toBe(paid);
  expect(ofThisPayment(paid, { merchantReference: 'a' })).toBe(paid);
});

it.each([
  [{ merchantReference: 'b' }, 'a'],
  [{ merchantReference: 'a', providerReference: 'pay_2' }, 'a'],
])('makes the outcome of a reply about another payment than %j unknown, whatever it says', (asked, said) => {
  expect(ofThisPayment(paid, asked, said)).toMatchObject({ status: 'unknown' });
});

test.each([
  [{ merchantReference: 'a' }, { merchantReference: 'a' }, false],
  [{}, { merchantReference: 'b' }, false],
  [{ merchantReference: 'a' }, {}, false],
  [{ merchantReference: 'a' }, { merchantReference: '' }, true],
  [{ merchantReference: 'a', providerReference: 'b' }, { merchantReference: 'a', providerReference: 'c' }, true],
  [{}, {}, false],
])('asked for %j, a reply about %j is of another: %s', (asked, said, isOther) => {
  expect(isOfAnother(asked, said)).toBe(isOther);
});
