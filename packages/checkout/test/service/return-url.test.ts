import { signRequest } from '@railyard/core/protocol';
import { verifyReturn } from '@railyard/core/merchant';
import { describe, expect, test } from 'vitest';
import { returnUrl } from '../../src/sessions/session.ts';
import { openSession } from '../support/open-session.ts';
import { callbackSecret } from '../support/receiver.ts';
import { merchant } from '../support/service.ts';

const session = openSession();
const { number } = session.request.order;
const payment = {
  id: '09381e67-e711-48c2-98d5-6fec2c728128',
  merchantReference: 'ref-1',
  method: 'redirect',
  methodAlias: 'shop-pay',
  cardBrand: null,
  state: 'settled' as const,
  unknown: false,
  updatedAt: new Date('2026-11-21T12:00:00.400Z'),
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
      ['state', expect.stringMatching(/^settled\.1795348800\.v1,[A-Za-z0-9+/]{43}=$/)],
      ['hash', signRequest('return', signed, merchant.password)],
    ]);
  });

  test('has each reserved name once, with our value, and keeps the rest', () => {
    const found = parameters('https://shop.example/ok?order_id=other&order_id=again&hash=dead&x=1&y=a%26b#part');
    expect(found.map(([name]) => name).toSorted()).toEqual([
      'hash',
      'order_id',
      'payment_id',
      'state',
      'trans_id',
      'x',
      'y',
    ]);
    expect(Object.fromEntries(found)).toMatchObject({ order_id: number, x: '1', y: 'a&b' });
    expect(returnUrl('https://shop.example/ok#part', session, payment)).toMatch(/#part$/);
  });

  test.each(['a=b%20c', 'id={ORDER_ID}', 'flag', 'p=b~(c)*', 'a=1&&b=+'])(
    'keeps the query of the merchant byte for byte: %s',
    (query) => {
      expect(returnUrl(`https://shop.example/ok?order%5Fid=dead&${query}`, session, payment)).toContain(
        `/ok?${query.replace('&&', '&')}&payment_id=`,
      );
    },
  );

  test('has an international host in ASCII', () => {
    expect(returnUrl('https://exämple.com/ok', session, payment)).toMatch(/^https:\/\/xn--exmple-cua\.com\/ok\?/);
  });

  test('without a payment carries nothing', () => {
    expect(returnUrl('https://shop.example/ok?x=1', session, undefined)).toBe('https://shop.example/ok?x=1');
  });

  test('says how the payment stood, which the merchant verifies with the callback secret', () => {
    const now = payment.updatedAt.getTime();
    const read = (change: (query: URLSearchParams) => void, at = now, merchantKey = merchant.key) => {
      const query = new URL(returnUrl('https://shop.example/ok', session, payment)).searchParams;
      change(query);
      const { order } = session.request;
      const checked = verifyReturn({ query: `?${query}`, order, secret: callbackSecret, merchantKey, now: at });
      return checked.ok ? checked.return.status : checked.reason;
    };
    const put = (name: string, value: string) => (query: URLSearchParams) => query.set(name, value);
    const replaced = (from: string, to: string) => (query: URLSearchParams) =>
      query.set('state', (query.get('state') ?? '').replace(from, to));
    expect(read(() => undefined)).toBe('settled');
    expect(read(put('hash', 'wrong'))).toBe('settled');
    expect(read(replaced('settled', 'decline'))).toBe('wrong-state');
    expect(read(replaced('settled.1', 'settled.2'))).toBe('wrong-state');
    expect(read(put('payment_id', '3f6a1c52-8d0e-4b7a-9c11-5e2d7f804a63'))).toBe('wrong-state');
    expect(read(put('trans_id', 'ref-2'))).toBe('wrong-state');
    expect(read(put('order_id', 'order-other'))).toBe('other-order');
    expect(read(() => undefined, now, merchant.testKey)).toBe('wrong-state');
    expect(read(() => undefined, now + 24 * 3_600_000)).toBe('expired-state');
    expect(read((query) => query.delete('state'))).toBe('no-signature');
    expect(read((query) => query.append('state', 'settled'))).toBe('no-signature');
  });

  test('carries no legacy hash where the merchant wants none, not even one of the address', () => {
    const { merchant: of } = session;
    const off = { ...session, merchant: { ...of, config: { ...of.config, returnHash: false } } };
    const found = new URL(returnUrl('https://shop.example/ok?hash=dead', off, payment)).searchParams;
    expect([...found.keys()]).toEqual(['payment_id', 'trans_id', 'order_id', 'state']);
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
