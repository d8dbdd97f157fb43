import { expect, it } from 'vitest';
import { answerWith, type Good, limitsOf, type Limit } from './support/limits.ts';

const long = (length: number) => 'x'.repeat(length);
const names = ['BankName', 'BankCode', 'BranchName', 'BranchCode', 'AccountNumber'];
const good: Good = {
  key: 'bank-deposit',
  currency: 'BDT',
  parameters: {
    BankName: 'Example Bank',
    BankCode: '0123',
    BranchName: 'Main street',
    BranchCode: '045',
    AccountNumber: '1234567',
  },
};

limitsOf(
  good,
  names.map((name): Limit => [name, ['1', long(255), undefined], ['', long(256), 7, null]]),
);

it('is taken in any currency and country', () => {
  expect(answerWith({ ...good, currency: 'SEK', session: { billing_address: { country: 'SE' } } })).toEqual([]);
});
