import { signSession } from '@railyard/core/protocol';
import { readPath } from '@railyard/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyMethodService, errorLines, postRaw } from '../support/any-method-service.ts';
import { parseConfig } from '../../src/deployment/config.ts';
import { createDirectory } from '../../src/merchants/directory.ts';
import { whoSupports } from '../../src/payments/modify.ts';
import { anyMethodConfig } from '../support/any-method-config.ts';
import { merchant, post, sessionBody } from '../support/service.ts';

let service: Awaited<ReturnType<typeof anyMethodService>>;
let address: string;

beforeAll(async () => {
  service = await anyMethodService([
    { key: 'card', mid: 'any' },
    { key: 'redirect', mid: 'any' },
  ]);
  address = `${service.url}/api/v1/session`;
});

afterAll(() => service.stop());

const hintsOf = (json: unknown): unknown[] => {
  const errors = readPath(json, 'errors');
  return Array.isArray(errors) ? errors.map((each) => readPath(each, 'hint')) : [];
};

/** Signed as it stands. */
const signed = (change: Readonly<Record<string, unknown>>, order: Readonly<Record<string, unknown>> = {}) => {
  const body = { ...sessionBody({ methods: ['card'] }, { currency: 'USD' }), ...change };
  const whole = { ...body, order: { ...body.order, ...order } };
  return { ...whole, hash: signSession({ ...body.order, ...texts(order) }, merchant.password) };
};
const texts = (order: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(order).map(([name, value]) => [name, String(value)]));

describe('a refused session says which values are taken', () => {
  test.each([
    ['another operation', signed({ operation: 'buy' }), 'operation', 'One of: purchase, debit, credit, transfer.'],
    ['a method that the merchant has not', signed({ methods: ['carrd'] }), 'methods', 'One of: card, redirect.'],
    [
      'an amount as a number',
      signed({}, { amount: 10 }),
      'order.amount',
      'A decimal in a string, such as "10.00". It was sent as number.',
    ],
    [
      'an amount with a comma',
      signed({}, { amount: '10,00' }),
      'order.amount',
      'A decimal in a string, such as "10.00".',
    ],
    [
      'a currency in lower case',
      signed({}, { currency: 'usd' }),
      'order.currency',
      'A code of ISO 4217 in upper case, such as "EUR".',
    ],
    [
      'a country by its name',
      signed({ billing_address: { country: 'Brazil' } }),
      'billing_address.country',
      'Two upper-case letters of ISO 3166-1, such as "BR".',
    ],
  ])('for %s, and has no other complaint', async (_what, body, path, hint) => {
    const { status, json } = await post(address, body);
    expect(status).toBe(400);
    expect(errorLines(json).map((line) => line.split(': ')[0])).toEqual([path]);
    expect(hintsOf(json)).toEqual([hint]);
  });

  test('and not, to one who does not sign, which methods the merchant has', async () => {
    const { json } = await post(address, { ...signed({ methods: ['carrd'] }), hash: 'x' });
    expect(JSON.stringify(json)).not.toContain('redirect');
  });

  test('with a currency that is no code, where the protocol complains of the amount too: that comes of the currency', async () => {
    const { json } = await post(address, signed({}, { currency: 'Dollar' }));
    expect(hintsOf(json)[0]).toBe(
      'The amount is not read while order.currency is wrong. Correct order.currency first.',
    );
  });
});

describe('a body that cannot be read', () => {
  test.each([
    ['nothing', '', 'The body is empty. Send a JSON object.'],
    ['a form', 'order=1&amount=2', 'The body is a form. Send a JSON object.'],
    ['JSON with a comma too many', '{"a":1,}', 'The body is not JSON: see line 1 column 8. Send a JSON object.'],
    ['bytes of no text', Uint8Array.from([0xff]), 'The body is not UTF-8. Encode it as UTF-8.'],
  ])('is called so where it holds %s', async (_what, text, why) => {
    const { json } = await postRaw(address, text);
    expect(errorLines(json)).toEqual([`body: ${why}`]);
  });

  test('is called so at the address of commands', async () => {
    const { json } = await postRaw(`${service.url}/post`, '{"action":"SALE",', { 'content-type': 'application/json' });
    expect(errorLines(json)).toEqual(['body: The body is not JSON: see line 1 column 18. Send a JSON object.']);
  });
});

describe('a command', () => {
  test.each([
    [
      '/post',
      'One of: SALE, DEBIT, RECURRING_SALE, RECURRING_DEBIT, RETRY, CREDIT2CARD, CARD2CARD, CAPTURE, VOID, CREDITVOID, DEBIT2VIRTUAL, DEBIT2VIRTUAL_CALC, DEBIT2VIRTUAL_COMPLETE, CREDIT2VIRTUAL, CREDIT2CRYPTO, GET_TRANS_STATUS, GET_TRANS_STATUS_BY_ORDER, GET_TRANS_DETAILS, CREATE_SCHEDULE, UPDATE_SCHEDULE, PAUSE_SCHEDULE, PAUSE, RUN_SCHEDULE, RUN, DELETE_SCHEDULE, DESCHEDULE, SCHEDULE_INFO.',
    ],
    [
      '/post-va',
      'One of: SALE, CAPTURE, VOID, CREDITVOID, DEBIT2VIRTUAL, DEBIT2VIRTUAL_CALC, DEBIT2VIRTUAL_COMPLETE, CREDIT2VIRTUAL, CREDIT2CRYPTO, GET_TRANS_STATUS.',
    ],
  ])('at %s that is not known is told those that are', async (path, known) => {
    const { json } = await postRaw(`${service.url}${path}`, 'action=SELL', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(hintsOf(json)).toEqual([known]);
  });

  test.each([
    ['GET', undefined, 405],
    ['POST', { 'content-type': 'text/plain' }, 415],
  ])('that is refused before it is read has the form of commands: %s', async (method, headers, code) => {
    const reply = await fetch(`${service.url}/post`, { method, ...(headers && { headers, body: 'x' }) });
    expect(await reply.json()).toMatchObject({ http_code: code, result: 'ERROR', error_code: code });
  });
});

test.each([
  ['a request', '/api/v1/session', 'application/json'],
  ['a command', '/post', 'application/x-www-form-urlencoded'],
])('%s with a compressed body is told to send it uncompressed', async (_what, path, type) => {
  const headers = { 'content-type': type, 'content-encoding': 'gzip' };
  const { status, json } = await postRaw(`${service.url}${path}`, 'x', headers);
  expect([status, readPath(json, 'error_message')]).toEqual([
    415,
    'The body has a Content-Encoding. Send it uncompressed, without this header.',
  ]);
});

test('a request of another content type leaves a line in the log, with the id that its answer has', async () => {
  const { json } = await postRaw(address, '{}', { 'content-type': 'text/plain' });
  const id = String(readPath(json, 'request_id'));
  const line = service.lines.find((each) => each.includes(id));
  expect(JSON.parse(line ?? '')).toMatchObject({
    event: 'request-refused',
    request: id,
    status: 415,
    why: 'Send the request as application/json.',
  });
});

describe('a modification that the account of a payment does not have', () => {
  const local = 'http://127.0.0.1';
  const paid = { midId: 'open-banking', methodAlias: 'open-banking' } as const;
  const asked = { modification: 'refund', word: 'CREDITVOID' } as const;

  test.each([
    [
      'names the other methods that have it',
      paid,
      'The account of this payment has no CREDITVOID. Your other methods with one: card, crypto.',
    ],
    [
      'leaves out the method of the payment, which another account serves',
      { ...paid, methodAlias: 'card' },
      'The account of this payment has no CREDITVOID. Your other methods with one: crypto.',
    ],
    [
      'says that the account is gone, where it is no longer configured',
      { ...paid, midId: 'gone' },
      'The account of this payment is no longer configured. Ask the operator.',
    ],
  ] as const)('%s', (_what, payment, hint) => {
    const config = anyMethodConfig({ providerUrl: local, callbackUrl: local, port: 1 });
    const directory = createDirectory(parseConfig(config));
    const found = directory.find(merchant.key);
    expect(found && whoSupports({ directory }, found.merchant, payment, asked)).toBe(hint);
  });
});
