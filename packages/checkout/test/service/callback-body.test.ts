import { PAYER_FIELDS } from '@railyard/core/payment';
import { describe, expect, test } from 'vitest';
import { callbackBody } from '../../src/callbacks/body.ts';
import { type CallbackFacts, callbackDate } from '../../src/callbacks/fields.ts';
import type { MerchantConfig } from '../../src/deployment/catalogue.ts';
import { CALLBACK_DATA } from '../../src/deployment/catalogue.ts';
import { callbackHashOf } from '../support/callback-hash.ts';
import { openSession } from '../support/open-session.ts';
import { merchant } from '../support/service.ts';

const PAYMENT = '09381e67-e711-48c2-98d5-6fec2c728128';

function written(session: ReturnType<typeof openSession>, facts: Partial<CallbackFacts> = {}) {
  return callbackBody({
    paymentId: PAYMENT,
    session,
    words: { type: 'sale', status: 'success', order_status: 'settled' },
    reason: undefined,
    receivedText: undefined,
    payerIp: '192.0.2.7',
    at: Date.parse('2026-11-21T12:34:56.789Z'),
    route: {
      method: 'pix',
      methodAlias: 'pix-alias',
      connectorId: 'instant',
      midId: 'pix-main',
      cardBrand: null,
      digitalWallet: null,
      panType: null,
    },
    ...facts,
  });
}

const bodyOf = (...given: Parameters<typeof written>) => new URLSearchParams(written(...given).body);

/** The session of a merchant with these settings. */
function sessionWith(
  config: Partial<Pick<MerchantConfig, 'callbackData' | 'callbackFormat' | 'password'>>,
  ...given: Parameters<typeof openSession>
) {
  const session = openSession(...given);
  return { ...session, merchant: { ...session.merchant, config: { ...session.merchant.config, ...config } } };
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

  test('reports the reason of a failure only, in at most 1024 characters', () => {
    const reason = 'x'.repeat(2000);
    expect(bodyOf(openSession(), { reason }).get('reason')).toBeNull();
    const words = { type: 'sale', status: 'fail', order_status: 'decline' } as const;
    expect(bodyOf(openSession(), { reason, words }).get('reason')).toHaveLength(1024);
    expect(bodyOf(openSession(), { reason: '😀'.repeat(1025), words }).get('reason')).toBe('😀'.repeat(1024));
  });

  test('reports what was paid where the payer chose the amount', () => {
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

describe('what a merchant has switched on', () => {
  const session = {
    customer: { name: 'Maria Silva', email: 'maria@example.com', birth_date: '1990-02-03' },
    billing_address: {
      country: 'BR',
      city: 'Olinda',
      address: 'Rua 1',
      zip: '53010',
      phone: '+5581999990000',
      district: 'Carmo',
    },
  };
  const provider = { reference: 'tx-1', status: 'PAID', code: '00' };
  const usual = [...bodyOf(openSession(session)).keys()];
  const added = (callbackData: MerchantConfig['callbackData']) =>
    Object.fromEntries(
      [...bodyOf(sessionWith({ callbackData }, session), { provider })].filter(([name]) => !usual.includes(name)),
    );

  test.each([
    [['arn', 'rrn'], { arn: '', rrn: '' }],
    [['brand', 'checkout_payment_method'], { brand: 'pix', checkout_payment_method: 'pix-alias' }],
    [['connector_name', 'mid_name'], { connector_name: 'instant', mid_name: 'pix-main' }],
    [['merchant_name', 'gateway_id'], { merchant_name: 'Test shop', gateway_id: 'tx-1' }],
    [['extended_data'], { 'extended_data[provider_status]': 'PAID', 'extended_data[provider_code]': '00' }],
    [
      [...PAYER_FIELDS],
      {
        payer_birth_date: '1990-02-03',
        payer_address: 'Rua 1',
        payer_country: 'BR',
        payer_city: 'Olinda',
        payer_district: 'Carmo',
        payer_zip: '53010',
        payer_email: 'maria@example.com',
        payer_phone: '+5581999990000',
        payer_ip: '192.0.2.7',
      },
    ],
  ] satisfies [MerchantConfig['callbackData'], object][])('%j is sent', (names, fields) => {
    expect(added(names)).toEqual(fields);
  });

  test('is in no hash', () => {
    const kept = openSession(session);
    const hash = bodyOf(kept).get('hash');
    for (const name of CALLBACK_DATA) {
      const { merchant: of } = kept;
      const on = { ...kept, merchant: { ...of, config: { ...of.config, callbackData: [name] } } };
      expect(bodyOf(on, { provider }).get('hash')).toBe(hash);
    }
  });

  test.each(['sale', 'recurring', 'refund'] as const)(
    'sends ARN and RRN of a %s empty until they are known',
    (type) => {
      const words = { type, status: 'success', order_status: 'settled' } as const;
      expect(Object.fromEntries(bodyOf(sessionWith({ callbackData: ['arn', 'rrn'] }), { words }))).toMatchObject({
        arn: '',
        rrn: '',
      });
    },
  );

  test.each(['capture', 'void', 'debit', 'credit', 'transfer', 'chargeback'] as const)(
    'leaves ARN and RRN of a %s out until they are known',
    (type) => {
      const words = { type, status: 'success', order_status: 'settled' } as const;
      const names = [...bodyOf(sessionWith({ callbackData: ['arn', 'rrn'] }), { words }).keys()];
      expect(names).not.toContain('arn');
      expect(names).not.toContain('rrn');
    },
  );

  test('leaves out what is not known', () => {
    const form = bodyOf(sessionWith({ callbackData: ['gateway_id', 'extended_data', ...PAYER_FIELDS] }), {
      payerIp: undefined,
    });
    expect([...form.keys()].filter((name) => /^(gateway|extended|payer)/.test(name))).toEqual([]);
  });
});

test('a transfer reports its receiver, other operations do not', () => {
  const payee = { name: 'Ann Lee', email: 'ann@example.com' };
  const payee_billing_address = { country: 'GB', city: 'Leeds', address: 'Street 1' };
  const request = openSession().request;
  const of = (operation: typeof request.operation) => ({
    ...openSession(),
    request: { ...request, operation, payee, payee_billing_address },
  });
  const payeeFields = (session: ReturnType<typeof of>) =>
    [...bodyOf(session)].filter(([name]) => name.startsWith('payee_'));
  expect(payeeFields(of('transfer'))).toEqual([
    ['payee_name', 'Ann Lee'],
    ['payee_email', 'ann@example.com'],
    ['payee_country', 'GB'],
    ['payee_city', 'Leeds'],
    ['payee_address', 'Street 1'],
  ]);
  expect(payeeFields(of('purchase'))).toEqual([]);
});

test('a crypto payment reports network and address', () => {
  const session = openSession();
  const crypto = { ...session, request: { ...session.request, crypto: { network: 'TRC20' } } };
  const fields = Object.fromEntries(bodyOf(crypto, { crypto: { address: 'T-address', network: 'TRON (TRC20)' } }));
  expect(fields).toMatchObject({ crypto_network: 'TRC20', crypto_address: 'T-address' });
});

test('JSON carries the same fields, and custom data as it was sent', () => {
  const custom_data = { a: { b: 1 }, list: ['x', true], none: null };
  const { contentType, body } = written(sessionWith({ callbackFormat: 'json' }, { custom_data }));
  expect(contentType).toBe('application/json');
  const form = bodyOf(openSession());
  expect(JSON.parse(body)).toEqual({
    ...Object.fromEntries(form),
    order_number: expect.any(String),
    hash: expect.stringMatching(/^[0-9a-f]{40}$/),
    custom_data,
  });
});

test('of two passwords the newer one signs', () => {
  const fields = Object.fromEntries(bodyOf(sessionWith({ password: ['new-one', merchant.password] })));
  expect(fields['hash']).toBe(callbackHashOf(fields, 'new-one'));
});

test('dates are in UTC, to the second', () => {
  expect(callbackDate(0)).toBe('1970-01-01 00:00:00');
});
