import { expect, it } from 'vitest';
import { answer, sessionOf } from './support/sessions.ts';

const inCurrency = (currency: string, amount = '10.00') => ({
  order: { number: 'order-1', amount, currency, description: 'Two books' },
});

it('redirect takes a session without parameters', () => {
  expect(answer(sessionOf('redirect', {}))).toEqual([]);
  expect(answer(sessionOf('redirect', { payer_id: 'A' }))).toEqual([
    expect.stringContaining('parameters.redirect.payer_id'),
  ]);
});

it('redirect takes the currencies of PayPal and no others', () => {
  for (const currency of ['USD', 'EUR', 'BRL', 'TWD'])
    expect(answer(sessionOf('redirect', {}, inCurrency(currency)))).toEqual([]);
  expect(answer(sessionOf('redirect', {}, inCurrency('JPY', '1000')))).toEqual([]);
  expect(answer(sessionOf('redirect', {}, inCurrency('INR')))).not.toEqual([]);
});
