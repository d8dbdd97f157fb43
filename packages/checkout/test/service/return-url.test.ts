import { signRequest } from '@railyard/core';
import { describe, expect, test } from 'vitest';
import { returnUrl } from '../../src/sessions/return-url.ts';
import { openSession } from '../support/open-session.ts';
import { merchant } from '../support/service.ts';

const session = openSession();
const { number } = session.request.order;
const payment = {
  id: '09381e67-e711-48c2-98d5-6fec2c728128',
  reference: 'ref-1',
  method: 'redirect',
  methodAlias: 'shop-pay',
  cardBrand: null,
};

const parameters = (url: string) => [...new URL(returnUrl(url, session, payment)).searchParams];

describe('a return URL', () => {
  test('carries payment, transaction, order and their hash', () => {
    const { amount = '', currency, description } = session.request.order;
    const signed = { payment_id: payment.id, number, amount, currency, description };
    expect(parameters('https://shop.example/ok')).toEqual([
      ['payment_id', payment.id],
      ['trans_id', 'ref-1'],
      ['order_id', number],
      ['hash', signRequest('return', signed, merchant.password)],
    ]);
  });

  test('has each reserved name once, with our value, and keeps the rest', () => {
    const found = parameters('https://shop.example/ok?order_id=other&order_id=again&hash=dead&x=1&y=a%26b#part');
    expect(found.map(([name]) => name).toSorted()).toEqual(['hash', 'order_id', 'payment_id', 'trans_id', 'x', 'y']);
    expect(Object.fromEntries(found)).toMatchObject({ order_id: number, x: '1', y: 'a&b' });
    expect(returnUrl('https://shop.example/ok#part', session, payment)).toMatch(/#part$/);
  });

  test('has an international host in ASCII', () => {
    expect(returnUrl('https://exämple.com/ok', session, payment)).toMatch(/^https:\/\/xn--exmple-cua\.com\/ok\?/);
  });

  test('without a payment carries nothing', () => {
    expect(returnUrl('https://shop.example/ok?x=1', session, undefined)).toBe('https://shop.example/ok?x=1');
  });

  test('carries what the merchant has switched on', () => {
    const { merchant: of } = session;
    const config = { ...of.config, returnData: ['payment_method', 'brand', 'checkout_payment_method'] as const };
    const on = { ...session, merchant: { ...of, config: { ...config, returnData: [...config.returnData] } } };
    const url = new URL(returnUrl('https://shop.example/ok?brand=mine', on, payment));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      payment_method: 'shop-pay',
      brand: 'redirect',
      checkout_payment_method: 'shop-pay',
    });
  });
});
