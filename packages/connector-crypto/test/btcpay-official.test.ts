import { readFileSync } from 'node:fs';
import { checkAgainst, type Facts, type SentRequest } from '@railyard/conformance/official';
import { fromDecimal } from '@railyard/core';
import { eventKey } from '@railyard/core/driver';
import type { FlowName, HttpRequest } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  sampleAbsent,
  sampleClaim,
  sampleInvalid,
  sampleInvoice,
  sampleMethod,
  samplePaidMethod,
  samplePayout,
  samplePayoutUpdated,
  sampleProblem,
  samplePullPayment,
  sampleSettled,
} from '../src/btcpay.samples.ts';
import { btcpayConnector as connector } from '../src/index.ts';
import { exchange, lookedUp, OURS, paymentOf, type Script } from './support/exchange.ts';
import { sessionOf } from './support/sessions.ts';

const factsOf = (name: string): Facts =>
  JSON.parse(readFileSync(new URL(`official/${name}.json`, import.meta.url), 'utf8'));
const facts = factsOf('btcpay');
const official = checkAgainst(facts);
const webhooks = checkAgainst(factsOf('btcpay-webhooks'));

const settings = { api_key: 'the-api-key', store_id: sampleInvoice.storeId, webhook_secret: 'a-webhook-secret' };
const key = 'bitcoin-btcpay';
const NOTE = '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01';
const order = (amount: string, currency: string) => ({
  order: { number: 'order-1', amount, currency, description: 'Two books' },
});
const session = sessionOf(key, {}, order('25.00', 'EUR'));
const paidOut = sessionOf(
  key,
  { address: samplePayout.destination },
  { operation: 'credit', payee: { name: 'Ada Lovelace' }, ...order('0.25', 'BTC') },
);
const purchased = paymentOf(session, key);
const known = lookedUp(session, key, sampleInvoice.id);
const lost = lookedUp(session, key);
const payoutKnown = lookedUp(paidOut, key, samplePayout.id);
const payoutLost = lookedUp(paidOut, key);
const money = fromDecimal('25.00', 'EUR');
const refund = { id: NOTE, amount: money, remaining: money };
const looked = (more: object = {}) => ({ modification: { name: 'refund', id: NOTE, amount: money, ...more } });
const invoice = (status: string, more: object = {}) => [200, { ...sampleInvoice, status, ...more }] as const;
const method = (more: object = {}) => [200, [{ ...sampleMethod, ...more }]] as const;
const FAR = 4_102_444_800;

async function run(flow: FlowName, payment: object, script: Script, about: object = {}) {
  const exchanged = exchange({ connector, key, settings, flow, payment, about }, script);
  const result = await exchanged.drive();
  return {
    asked: exchanged.asked,
    outcome: result.kind === 'done' ? result.outcome : undefined,
    events: result.kind === 'reported' && 'events' in result.report ? result.report.events : undefined,
  };
}

const sentOf = (asked: readonly HttpRequest[]): readonly SentRequest[] =>
  asked.map(({ method: verb, url, headers, body }) => ({
    method: verb,
    path: new URL(url).pathname,
    query: Object.fromEntries(new URL(url).searchParams),
    headers,
    ...(body !== undefined && { body: JSON.parse(body) }),
  }));

describe('every request of every flow is what the official description says', () => {
  const address = [200, [sampleMethod]] as const;
  const flows: readonly (readonly [string, FlowName, object, Script, string | undefined, object?])[] = [
    ['an invoice', 'purchase', purchased, [invoice('New'), address], 'pending'],
    ['a refused invoice', 'purchase', purchased, [[400, sampleInvalid]], 'declined'],
    ['an invoice without an address', 'purchase', purchased, [invoice('New'), [200, []]], 'declined'],
    [
      'an address of a test network',
      'purchase',
      { ...purchased, test: false },
      [invoice('New'), method({ destination: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' })],
      'declined',
    ],
    ['an invoice that is gone', 'purchase', purchased, [invoice('New'), [404, sampleAbsent]], 'unknown'],
    ['a payout', 'credit', paymentOf(paidOut, key), [[200, samplePayout]], 'pending'],
    ['a refused payout', 'credit', paymentOf(paidOut, key), [[400, sampleProblem]], 'declined'],
    ['a lookup of an invoice', 'status', known, [invoice('New'), method()], 'pending'],
    ['a lookup of coins that came', 'status', known, [invoice('Settled'), [200, [samplePaidMethod]]], undefined],
    ['a lookup of one that the merchant marked', 'status', known, [invoice('Settled'), method()], 'settled'],
    [
      'a lookup of one that has expired and is watched',
      'status',
      known,
      [invoice('Expired', { monitoringExpiration: FAR }), method()],
      'pending',
    ],
    ['a lookup of one that is watched no longer', 'status', known, [invoice('Expired'), method()], 'declined'],
    ['a lookup of one that is invalid', 'status', known, [invoice('Invalid'), method()], 'declined'],
    ['a lookup of no invoice', 'status', known, [[404, sampleAbsent]], 'unknown'],
    [
      'a lookup of another invoice',
      'status',
      known,
      [invoice('Settled', { metadata: { orderId: 'another' } }), [200, [samplePaidMethod]]],
      'unknown',
    ],
    ['a lookup after a lost reply', 'status', lost, [[200, [sampleInvoice]], address], 'pending'],
    ['a lookup after a request that was lost', 'status', lost, [[200, []]], 'unknown'],
    ['a lookup of a payout', 'status', payoutKnown, [[200, { ...samplePayout, state: 'Completed' }]], 'settled'],
    [
      'a lookup of a cancelled payout',
      'status',
      payoutKnown,
      [[200, { ...samplePayout, state: 'Cancelled' }]],
      'declined',
    ],
    ['a lookup of a lost payout', 'status', payoutLost, [[200, [samplePayout]]], 'pending'],
    ['a lookup of a payout that was never made', 'status', payoutLost, [[200, []]], 'unknown'],
    ['a refund', 'refund', known, [[200, samplePullPayment]], 'pending', refund],
    ['a refused refund', 'refund', known, [[400, sampleInvalid]], 'declined', refund],
    [
      'the lookup of a refund that the payer has claimed',
      'modificationStatus',
      known,
      [
        [200, samplePullPayment],
        [200, [sampleClaim]],
      ],
      'settled',
      looked({ providerReference: samplePullPayment.id }),
    ],
    [
      'the lookup of a refund of which a part is claimed, and a claim is cancelled',
      'modificationStatus',
      known,
      [
        [200, samplePullPayment],
        [
          200,
          [
            { ...sampleClaim, originalAmount: '10.00' },
            { ...sampleClaim, state: 'Cancelled' },
          ],
        ],
      ],
      'pending',
      looked({ providerReference: samplePullPayment.id }),
    ],
    [
      'the lookup of a refund whose reply was lost',
      'modificationStatus',
      known,
      [
        [200, [{ ...samplePullPayment, name: 'Refund of another' }, samplePullPayment]],
        [200, []],
      ],
      'pending',
      looked(),
    ],
    ['the lookup of no refund', 'modificationStatus', known, [[200, []]], 'unknown', looked()],
  ];
  const rows = flows.map(([name, flow, payment, script, status, about]) => {
    return { name, flow, payment, script, status, about };
  });

  it.each(rows)('$name', async ({ flow, payment, script, status, about }) => {
    const { asked, outcome } = await run(flow, payment, script, about);
    const sent = sentOf(asked);
    expect(sent).toHaveLength(script.length);
    expect(outcome?.status).toBe(status);
    expect(sent.flatMap((request) => official.request(request))).toEqual([]);
  });

  it('a request that is changed on purpose is refused', async () => {
    const [sent] = sentOf((await run('purchase', purchased, [invoice('New'), address])).asked);
    if (sent === undefined) throw new Error('No request was sent.');
    const body = z.record(z.string(), z.unknown()).parse(sent.body);
    const offences = (change: object) => official.request({ ...sent, body: { ...body, ...change } });
    expect(offences({ amount: 25 })).toEqual([expect.stringContaining('amount: must be string')]);
    expect(offences({ checkout: { paymentMethods: 'BTC-CHAIN' } })).toEqual([expect.stringContaining('array')]);
    expect(offences({ price: '25.00' })).toEqual([expect.stringContaining('(price)')]);
    expect(official.request({ ...sent, query: { order: OURS } })).toEqual([expect.stringContaining('query order')]);
  });
});

describe('coins count with their share of the price', () => {
  const payment = (id: string, value: string, status = 'Settled') => ({
    ...samplePaidMethod.payments[0],
    id,
    value,
    status,
  });
  const arrived = async (...payments: readonly object[]) => {
    const script: Script = [invoice('Processing'), method({ amount: '0.00030000', payments })];
    const { events = [] } = await run('status', known, script);
    return events.map((event) =>
      event.kind === 'deposit' ? [event.id, event.amount.text, event.confirmed, event.rejected ?? false] : [],
    );
  };

  it('thirds of it are together the whole, to the cent', async () => {
    const third = '0.00010000';
    expect(await arrived(payment('a', third), payment('b', third), payment('c', third, 'Processing'))).toEqual([
      ['a', '8.33', true, false],
      ['b', '8.34', true, false],
      ['c', '8.33', false, false],
    ]);
  });

  it('are worth what came, and the settled invoice says last that within the tolerance they are enough', async () => {
    const script: Script = [
      invoice('Settled'),
      method({ amount: '0.00030000', payments: [payment('a', '0.00029850')] }),
    ];
    const { events = [] } = await run('status', known, script);
    expect(events.map((event) => ('amount' in event ? [eventKey(event), event.amount.text] : []))).toEqual([
      ['deposit/a', '24.88'],
      [`deposit/${sampleInvoice.id}/enough`, '0.00'],
    ]);
  });

  it('are none after a double spend: the invoice is invalid, and so is each of them', async () => {
    const payments = [payment('a', '0.00030000', 'Invalid')];
    const found = await run('status', known, [invoice('Invalid'), method({ amount: '0.00030000', payments })]);
    expect(found.outcome?.status).toBe('declined');
  });

  it('too little, too much, and what was not confirmed in time', async () => {
    expect(await arrived(payment('a', '0.00029999'))).toEqual([['a', '25.00', true, false]]);
    expect(await arrived(payment('a', '0.00060000'))).toEqual([['a', '50.00', true, false]]);
    expect(await arrived(payment('a', '0.00030000', 'Invalid'))).toEqual([['a', '25.00', false, true]]);
  });
});

describe('every sample is a reply of the official description', () => {
  it.each(connector.endpoints)('$name', ({ method: verb, path, examples }) => {
    const at = { method: verb, path: path.replaceAll(/\{\w+\}/g, '1') };
    expect(examples.length).toBeGreaterThan(0);
    const offences = examples.flatMap(({ status = 200, body }) => official.reply(at, { status, body }));
    expect([...new Set(offences)]).toEqual([]);
  });

  it('and so are the webhooks', () => {
    const post = (name: string, body: unknown) =>
      webhooks.request({ method: 'POST', path: name, headers: { 'btcpay-sig': 'sha256=f' }, body });
    expect(post('InvoiceSettled', sampleSettled)).toEqual([]);
    expect(post('PayoutUpdated', samplePayoutUpdated)).toEqual([]);
    expect(post('InvoiceSettled', { ...sampleSettled, overPaid: 'no' })).toHaveLength(1);
  });

  it('a sample that is changed on purpose is refused', () => {
    const at = { method: 'GET', path: '/api/v1/invoices/1' };
    expect(official.reply(at, { status: 200, body: { ...sampleInvoice, status: 'Paid' } })).toHaveLength(1);
    expect(official.reply(at, { status: 418, body: sampleProblem })).toHaveLength(1);
  });
});

it('the defects of the descriptions are named', () => {
  const at = [facts, factsOf('btcpay-webhooks')].flatMap(({ corrections }) => corrections.map((each) => each.at));
  expect(at).toEqual([
    '#/components/schemas/CreateInvoiceRequest/allOf/1/additionalProperties',
    '#/components/schemas/InvoiceData/allOf/1/additionalProperties',
    '#/components/schemas/WebhookEvent/additionalProperties',
  ]);
});
