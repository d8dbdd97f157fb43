import { expect, it } from 'vitest';
import { answer, sessionOf } from './support/sessions.ts';

const KEYS = ['cash-voucher', 'spei'] as const;
const inPesos = (amount: string, currency = 'MXN') => ({
  order: { number: 'order-1', amount, currency, description: 'Two books' },
});

it.each(KEYS)('%s takes a session in pesos without parameters', (key) => {
  expect(answer(sessionOf(key, {}))).toEqual([]);
  expect(answer(sessionOf(key, { expires_at: 1 }))).toEqual([expect.stringContaining(`parameters.${key}.expires_at`)]);
});

it.each(KEYS)('%s leaves name, e-mail and phone number to the payer', (key) => {
  expect(answer(sessionOf(key, {}, { customer: undefined, billing_address: undefined }))).toEqual([]);
});

it.each(KEYS)('%s takes what fits the price of a product, and pesos alone', (key) => {
  expect(answer(sessionOf(key, {}, inPesos('21474836.47')))).toEqual([]);
  expect(answer(sessionOf(key, {}, inPesos('21474836.48')))).toEqual([expect.stringContaining('order.amount')]);
  expect(answer(sessionOf(key, {}, inPesos('10.00', 'USD')))).not.toEqual([]);
});
