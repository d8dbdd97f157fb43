import { expect, it } from 'vitest';
import { answerWith, type Good, limitsOf } from './support/limits.ts';

const long = (length: number) => 'x'.repeat(length);
const good: Good = {
  key: 'bank-beneficiary',
  currency: 'EUR',
  parameters: { beneficiary: { name: 'Example Shop', account: '1234567890' } },
};

limitsOf(good, [
  ['beneficiary', [undefined], [{ name: 'Shop' }, { account: '1' }, 'Shop', { name: 'a', account: '1', bic: 'x' }]],
  ['beneficiary.name', ['S', long(255)], ['', long(256), 7, undefined]],
  ['beneficiary.account', ['1', long(255)], ['', long(256), 7, undefined]],
]);

it('is taken in any currency and country', () => {
  expect(answerWith({ ...good, currency: 'SEK', session: { billing_address: { country: 'SE' } } })).toEqual([]);
});
