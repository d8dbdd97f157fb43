import { readFileSync } from 'node:fs';
import { checkAgainst, type Facts, type SentRequest } from '@railyard/conformance/official';
import { fromDecimal } from '@railyard/core';
import type { FlowName, HttpRequest } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { conektaConnector as connector } from '../src/index.ts';
import {
  orderWith,
  sampleAbsent,
  sampleCharge,
  sampleCharges,
  sampleNoCharges,
  sampleNotification,
  sampleOrder,
  samplePaid,
  sampleRefund,
  sampleRefunded,
  sampleRefusal,
  sampleTransferOrder,
} from '../src/conekta.samples.ts';
import { exchange, lookedUp, OURS, paymentOf, type Script } from './support/exchange.ts';
import { sessionOf } from './support/sessions.ts';

const facts: Facts = JSON.parse(readFileSync(new URL('official/conekta.json', import.meta.url), 'utf8'));
const official = checkAgainst(facts);

const ORDER = sampleOrder.id;
const session = (key: string, more: object = {}) => sessionOf(key, {}, more);
const known = lookedUp(session('cash-voucher'), 'cash-voucher', ORDER);
const lost = lookedUp(session('cash-voucher'), 'cash-voucher');
const money = fromDecimal('10.00', 'MXN');
const refund = { id: '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01', amount: money, remaining: money };
const modification = {
  modification: { name: 'refund', id: refund.id, amount: money, providerReference: sampleRefund.id },
};

async function run(
  flow: FlowName,
  payment: object,
  script: Script,
  { key = 'cash-voucher', about = {}, settings = {} } = {},
) {
  const made = { connector, key, flow, payment, settings: { api_key: 'the-key', ...settings }, about };
  const { asked, drive } = exchange(made, script);
  return { result: await drive(), sent: asked.map(requestOf) };
}

function requestOf({ method, url, headers, body }: HttpRequest): SentRequest {
  const { pathname: path, searchParams } = new URL(url);
  const query = Object.fromEntries(searchParams);
  return { method, path, query, headers, ...(body !== undefined && { body: JSON.parse(body) }) };
}

describe('every request of every flow is what the official description says', () => {
  const long = { order: { number: 'order-1', amount: '10.00', currency: 'MXN', description: 'x'.repeat(1024) } };
  const short = { order: { ...long.order, description: 'ab' } };
  const buying = (more?: object) =>
    run('purchase', paymentOf(session('cash-voucher', more), 'cash-voucher'), [[200, sampleOrder]]);
  const flows: readonly (readonly [string, () => ReturnType<typeof run>, number])[] = [
    ['a voucher', () => buying(), 1],
    ['a voucher of a description longer than the name of a product', () => buying(long), 1],
    ['a voucher of a description shorter than the name of a product', () => buying(short), 1],
    [
      'a voucher with a life of its own',
      () =>
        run('purchase', paymentOf(session('cash-voucher'), 'cash-voucher'), [[200, sampleOrder]], {
          settings: { expires_in_hours: 48 },
        }),
      1,
    ],
    [
      'a transfer',
      () => run('purchase', paymentOf(session('spei'), 'spei'), [[200, sampleTransferOrder]], { key: 'spei' }),
      1,
    ],
    [
      'a refused order',
      () => run('purchase', paymentOf(session('cash-voucher'), 'cash-voucher'), [[422, sampleRefusal]]),
      1,
    ],
    ['a lookup', () => run('status', known, [[200, samplePaid]]), 1],
    ['a lookup by our reference', () => run('status', lost, [[200, sampleCharges]]), 1],
    [
      'a refund',
      () =>
        run(
          'refund',
          known,
          [
            [200, samplePaid],
            [200, sampleRefunded],
          ],
          { about: refund },
        ),
      2,
    ],
    [
      'a refund whose reply was lost',
      () => run('refund', known, [[200, samplePaid], 'lost', [200, sampleRefunded]], { about: refund }),
      2,
    ],
    [
      'the lookup of a refund',
      () => run('modificationStatus', known, [[200, sampleRefunded]], { about: modification }),
      1,
    ],
  ];
  it.each(flows)('%s', async (_name, sends, requests) => {
    const { sent } = await sends();
    expect(sent).toHaveLength(requests);
    expect(sent.flatMap((each) => official.request(each))).toEqual([]);
  });

  it('a request that is changed on purpose is refused', async () => {
    const [sent] = (await buying()).sent;
    if (sent === undefined) throw new Error('No request was sent.');
    const body = z.record(z.string(), z.unknown()).parse(sent.body);
    const offences = (change: object) => official.request({ ...sent, body: { ...body, ...change } });
    expect(offences({ currency: 'PESOS' })).toEqual([expect.stringContaining('currency')]);
    expect(offences({ currency: undefined })).toEqual([expect.stringContaining("'currency'")]);
    expect(offences({ customer_info: { name: 'Ana' } }).length).toBeGreaterThan(0);
    expect(offences({ line_items: [{ name: 'ab', quantity: 1, unit_price: 1 }] })).toEqual([
      expect.stringContaining('name'),
    ]);
    expect(offences({ line_items: [{ name: 'abc', quantity: 1, unit_price: 1.5 }] })).toEqual([
      expect.stringContaining('unit_price'),
    ]);
    expect(offences({ notify_url: 'https://pay.example' })).toEqual([expect.stringContaining('(notify_url)')]);
    expect(official.request({ ...sent, method: 'PUT' })).toEqual([expect.stringContaining('no such operation')]);
  });
});

it('the name of a product has at most 249 UTF-16 units of the description, and halves no emoji', async () => {
  const order = { number: 'order-1', amount: '10.00', currency: 'MXN', description: '\u{1F600}'.repeat(200) };
  const payment = paymentOf(session('cash-voucher', { order }), 'cash-voucher');
  const { sent } = await run('purchase', payment, [[200, sampleOrder]]);
  expect(sent[0]?.body).toMatchObject({ line_items: [{ name: '\u{1F600}'.repeat(124) }] });
});

describe('every sample is a reply of the official description', () => {
  it.each(connector.endpoints)('$name', ({ method, path, examples }) => {
    const at = { method, path: path.replace('{id}', ORDER) };
    expect(examples.length).toBeGreaterThan(1);
    expect(examples.flatMap(({ status = 200, body }) => official.reply(at, { status, body }))).toEqual([]);
  });

  it('the order of the notification too, whose event the description does not hold', () => {
    const at = { method: 'GET', path: `/orders/${ORDER}` };
    expect(official.reply(at, { status: 200, body: sampleNotification.data.object })).toEqual([]);
  });

  it('a sample that is changed on purpose is refused', () => {
    const at = { method: 'POST', path: '/orders' };
    const reply = (body: unknown) => official.reply(at, { status: 200, body });
    expect(reply({ ...sampleOrder, amount: '10.00' })).toHaveLength(1);
    expect(reply({ ...sampleOrder, id: undefined })).toHaveLength(1);
    expect(reply(orderWith({ ...sampleCharge, status: undefined }))).not.toEqual([]);
    expect(official.reply(at, { status: 404, body: sampleAbsent })).toHaveLength(1);
    expect(official.reply({ method: 'GET', path: '/charges' }, { status: 200, body: sampleNoCharges })).toEqual([]);
  });
});

it('what the connector reads is found under our own reference alone', async () => {
  const other = { ...sampleCharges, data: [{ ...sampleCharge, reference_id: 'of-another-order' }] };
  const { result } = await run('status', lost, [[200, other]]);
  expect(result).toMatchObject({ kind: 'done', outcome: { status: 'unknown' } });
  const { result: found } = await run('status', lost, [[200, sampleCharges]]);
  expect(sampleCharge.reference_id).toBe(OURS);
  expect(found).toMatchObject({ outcome: { status: 'pending', providerReference: ORDER, show: { kind: 'voucher' } } });
});
