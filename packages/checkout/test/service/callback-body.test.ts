import { describe, expect, test } from 'vitest';
import { callbackBody, type CallbackFacts, callbackDate } from '../../src/callbacks/callback-body.ts';
import { callbackHashOf } from '../support/callback-hash.ts';
import { openSession } from '../support/open-session.ts';
import { merchant } from '../support/service.ts';

const PAYMENT = '09381e67-e711-48c2-98d5-6fec2c728128';

function bodyOf(session: ReturnType<typeof openSession>, facts: Partial<CallbackFacts> = {}): URLSearchParams {
  const words = { type: 'sale', status: 'success', order_status: 'settled' } as const;
  return new URLSearchParams(
    callbackBody({
      paymentId: PAYMENT,
      session,
      words,
      reason: undefined,
      receivedText: undefined,
      payerIp: '192.0.2.7',
      at: Date.parse('2026-11-21T12:34:56.789Z'),
      ...facts,
    }),
  );
}

const dataOf = (custom_data: unknown) =>
  [...bodyOf(openSession({ custom_data }))].filter(([name]) => name.startsWith('custom_data'));

describe('the body of a callback', () => {
  test('carries order, words, payer and the hash over them', () => {
    const session = openSession(
      {
        customer: { name: 'Maria Silva', email: 'maria@example.com' },
        billing_address: { country: 'BR', city: 'Olinda', address: 'Rua 1' },
      },
      { amount: '10' },
    );
    const fields = Object.fromEntries(bodyOf(session));
    expect(fields).toEqual({
      id: PAYMENT,
      order_number: session.request.order.number,
      order_amount: '10',
      order_currency: 'BRL',
      order_description: 'Important gift',
      order_status: 'settled',
      type: 'sale',
      status: 'success',
      customer_ip: '192.0.2.7',
      date: '2026-11-21 12:34:56',
      customer_name: 'Maria Silva',
      customer_email: 'maria@example.com',
      customer_country: 'BR',
      customer_city: 'Olinda',
      customer_address: 'Rua 1',
      hash: callbackHashOf(fields, merchant.password),
    });
  });

  test('tells the reason of a failure only, in at most 1024 characters', () => {
    const reason = 'x'.repeat(2000);
    expect(bodyOf(openSession(), { reason }).get('reason')).toBeNull();
    const words = { type: 'sale', status: 'fail', order_status: 'decline' } as const;
    expect(bodyOf(openSession(), { reason, words }).get('reason')).toHaveLength(1024);
  });

  test('tells what was paid where the payer chose the amount', () => {
    const { order, ...rest } = openSession({ methods: ['crypto'] }, { currency: 'BTC', amount: '0.5' }).request;
    const { amount: _amount, ...open } = order;
    const session = {
      ...openSession({ methods: ['crypto'] }),
      request: { ...rest, order: open, amount: 'payer' as const },
    };
    expect(bodyOf(session, { receivedText: '0.25' }).get('order_amount')).toBe('0.25');
    expect(bodyOf(session).get('order_amount')).toBe('');
  });

  // Bad inputs B409 and B411.
  test('keeps custom data from adding or replacing a field', () => {
    for (const custom_data of [
      { a: 'x&order_status=settled&status=success' },
      { 'x]&order_status': 'decline', '[': '1', 'a.b': '2', 'a b': '3', hash: 'x', 'custom_data]': 'y' },
    ]) {
      const form = bodyOf(openSession({ custom_data }));
      for (const name of ['order_status', 'status', 'hash', 'id']) expect(form.getAll(name)).toHaveLength(1);
      expect(form.get('order_status')).toBe('settled');
      for (const [key, value] of Object.entries(custom_data))
        expect(form.getAll(`custom_data[${key}]`)).toEqual([value]);
    }
  });

  test('writes nested custom data with bracket names, lists by position, and leaves null out', () => {
    expect(
      dataOf({ a: { b: { c: 'deep' } }, list: ['x', { y: 1 }], yes: true, no: false, none: null, text: '' }),
    ).toEqual([
      ['custom_data[a][b][c]', 'deep'],
      ['custom_data[list][0]', 'x'],
      ['custom_data[list][1][y]', '1'],
      ['custom_data[yes]', 'true'],
      ['custom_data[no]', 'false'],
      ['custom_data[text]', ''],
    ]);
  });

  test('keeps every character of a text', () => {
    const text = 'ä + & = % # \t\n "\' 😀 ]';
    expect(dataOf({ text })).toEqual([['custom_data[text]', text]]);
  });
});

test('dates are in UTC, to the second', () => {
  expect(callbackDate(0)).toBe('1970-01-01 00:00:00');
});
