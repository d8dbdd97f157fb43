import { expect, it } from 'vitest';
import { answerWith, type Good, limitsOf } from './support/limits.ts';

const good: Good = { key: 'ips-qr', currency: 'EUR', parameters: {} };

limitsOf(good, []);

it.each(['EUR', 'RSD', 'BAM', 'MKD'])('is paid in %s, and in no other currency', (currency) => {
  expect(answerWith({ ...good, currency })).toEqual([]);
});

it.each(['USD', 'HRK', 'ALL', 'rsd'])('is not paid in %s', (currency) => {
  expect(answerWith({ ...good, currency })).toContainEqual(expect.stringContaining('order.currency: '));
});
