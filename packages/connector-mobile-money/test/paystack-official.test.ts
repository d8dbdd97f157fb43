import { readFileSync } from 'node:fs';
import { checkAgainst, type Facts, type SentRequest } from '@railyard/conformance/official';
import { fromDecimal } from '@railyard/core';
import type { FlowName, HttpRequest } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { paystackConnector as connector } from '../src/index.ts';
import {
  framed,
  sampleAbsent,
  sampleCharge,
  sampleFetchedRefund,
  sampleRecipient,
  sampleRefund,
  sampleRefunds,
  sampleRefusal,
  sampleTransfer,
  sampleVerified,
  sampleVerifiedTransfer,
} from '../src/paystack.samples.ts';
import { exchange, lookedUp, OURS, paymentOf, type Script } from './support/exchange.ts';
import { sessionOf } from './support/sessions.ts';

const facts: Facts = JSON.parse(readFileSync(new URL('official/paystack.json', import.meta.url), 'utf8'));
const official = checkAgainst(facts);

const settings = { secret_key: 'sk_test_of_an_account' };
const key = 'mobile-money-paystack';
const NOTE = '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01';
const ghana = { number: 'order-1', amount: '100.00', currency: 'GHS', description: 'Two books' };
const session = (network: string, more: object = {}) =>
  sessionOf(key, { mobile_number: '+233551234987', network }, { order: ghana, ...more });
const purchased = paymentOf(session('vod'), key);
const credited = paymentOf(session('mtn', { operation: 'credit', payee: { name: 'Ada Lovelace' } }), key);
const known = lookedUp(session('mtn'), key, OURS);
const paidOut = { ...known, operation: 'credit' };
const money = fromDecimal('100.00', 'GHS');
const refund = { id: NOTE, amount: money, remaining: money };
const looked = (more: object = {}) => ({ modification: { name: 'refund', id: NOTE, amount: money, ...more } });
const charge = (status: string) => [200, framed({ ...sampleCharge, reference: OURS, status })] as const;
const transfer = (status: string) => [200, framed({ ...sampleVerifiedTransfer, reference: OURS, status })] as const;
const other = { ...sampleRefund, transaction: { ...sampleRefund.transaction, reference: NOTE } };

async function run(flow: FlowName, payment: object, script: Script, about: object = {}) {
  const exchanged = exchange({ connector, key, settings, flow, payment, about }, script);
  let result = await exchanged.drive();
  while (result.kind === 'suspended')
    result = await exchanged.drive({ step: result.nextAction.step, values: { code: '123456' } });
  const events = result.kind === 'reported' && 'events' in result.report ? result.report.events : [];
  const told = events.map((event) => (event.kind === 'payment' ? event.outcome.status : event.kind)).join(' and ');
  return { asked: exchanged.asked, status: result.kind === 'done' ? result.outcome.status : told };
}

const sentOf = (asked: readonly HttpRequest[]): readonly SentRequest[] =>
  asked.map(({ method, url, headers, body }) => ({
    method,
    path: new URL(url).pathname,
    query: Object.fromEntries(new URL(url).searchParams),
    headers,
    ...(body !== undefined && { body: JSON.parse(body) }),
  }));

describe('every request of every flow is what the official description says', () => {
  const recipient = [201, framed(sampleRecipient)] as const;
  const flows: readonly (readonly [string, FlowName, object, Script, string, object?])[] = [
    ['a charge that is confirmed on the phone', 'purchase', purchased, [charge('pay_offline')], 'pending'],
    ['a charge that is paid at once', 'purchase', purchased, [charge('success')], 'settled'],
    ['a charge that wants a code', 'purchase', purchased, [charge('send_otp'), charge('success')], 'settled'],
    [
      'a code that is wrong',
      'purchase',
      purchased,
      [charge('send_otp'), [400, sampleRefusal], charge('send_otp'), charge('pay_offline')],
      'pending',
    ],
    [
      'a code that ends the charge',
      'purchase',
      purchased,
      [charge('send_otp'), [400, sampleRefusal], charge('failed')],
      'declined',
    ],
    [
      'a code whose charge is not there any more',
      'purchase',
      purchased,
      [charge('send_otp'), [400, sampleRefusal], [404, sampleAbsent]],
      'unknown',
    ],
    [
      'a charge that wants the phone number',
      'purchase',
      purchased,
      [charge('send_phone'), charge('pending')],
      'pending',
    ],
    ['a phone number that is refused', 'purchase', purchased, [charge('send_phone'), [400, sampleRefusal]], 'pending'],
    ['a refused charge', 'purchase', purchased, [[400, sampleRefusal]], 'declined'],
    ['a charge that timed out', 'purchase', purchased, [charge('timeout')], 'unknown'],
    ['a transfer', 'credit', credited, [recipient, [200, framed({ ...sampleTransfer, reference: OURS })]], 'pending'],
    ['a transfer to a refused wallet', 'credit', credited, [[400, sampleRefusal]], 'declined'],
    ['a refused transfer', 'credit', credited, [recipient, [400, sampleRefusal]], 'declined'],
    ['a lookup', 'status', known, [charge('ongoing')], 'pending'],
    ['a lookup of a charge that the payer has not finished', 'status', known, [charge('abandoned')], 'pending'],
    ['a lookup of a charge that timed out', 'status', known, [charge('timeout')], 'declined'],
    ['a lookup of a paid charge', 'status', known, [charge('success'), [200, framed([])]], 'settled'],
    [
      'a lookup of a charge that went back whole',
      'status',
      known,
      [charge('reversed'), [200, framed([{ ...sampleFetchedRefund, transaction_reference: OURS }])]],
      'settled and refund',
    ],
    [
      'a lookup of a charge that went back, of which the list does not tell yet',
      'status',
      known,
      [charge('reversed'), [200, framed([{ ...sampleFetchedRefund, transaction_reference: NOTE }])]],
      'unknown',
    ],
    ['a lookup of what is not there', 'status', known, [[404, sampleAbsent]], 'unknown'],
    ['a lookup of a transfer', 'status', paidOut, [transfer('received')], 'pending'],
    ['a lookup of a transfer that was not approved in time', 'status', paidOut, [transfer('abandoned')], 'declined'],
    ['a lookup of a transfer that came back', 'status', paidOut, [transfer('reversed')], 'declined'],
    ['a lookup of no transfer', 'status', paidOut, [[404, sampleAbsent]], 'unknown'],
    ['a refund', 'refund', known, [[200, framed(sampleRefund)]], 'pending', refund],
    ['a refused refund', 'refund', known, [[400, sampleRefusal]], 'declined', refund],
    ['a refund of another charge', 'refund', known, [[200, framed(other)]], 'unknown', refund],
    [
      'the lookup of a refund',
      'modificationStatus',
      known,
      [[200, framed(sampleFetchedRefund)]],
      'settled',
      looked({ providerReference: '3018284' }),
    ],
    [
      'the lookup of a refund whose reply was lost',
      'modificationStatus',
      known,
      [
        [
          200,
          {
            ...sampleRefunds,
            data: [{ ...sampleFetchedRefund, id: 1, merchant_note: 'of another' }, sampleFetchedRefund],
          },
        ],
      ],
      'settled',
      looked(),
    ],
    [
      'the lookup of a refund that is not listed',
      'modificationStatus',
      known,
      [[200, framed([])]],
      'unknown',
      looked(),
    ],
  ];
  const rows = flows.map(([name, flow, payment, script, status, about]) => {
    return { name, flow, payment, script, status, about };
  });

  it.each(rows)('$name', async ({ flow, payment, script, status, about }) => {
    const { asked, status: ended } = await run(flow, payment, script, about);
    const sent = sentOf(asked);
    expect(sent).toHaveLength(script.length);
    expect(ended).toBe(status);
    expect(sent.flatMap((request) => official.request(request))).toEqual([]);
  });

  it('a request that is changed on purpose is refused', async () => {
    const [sent] = sentOf((await run('purchase', purchased, [charge('pay_offline')])).asked);
    if (sent === undefined) throw new Error('No request was sent.');
    const body = z.record(z.string(), z.unknown()).parse(sent.body);
    const offences = (change: object) => official.request({ ...sent, body: { ...body, ...change } });
    expect(offences({ amount: '10000' })).toEqual([expect.stringContaining('amount: must be integer')]);
    expect(offences({ amount: 100.5 })).toEqual([expect.stringContaining('amount: must be integer')]);
    expect(offences({ currency: 'XOF' })).toEqual([expect.stringContaining('currency')]);
    expect(offences({ email: undefined })).toEqual([expect.stringContaining("'email'")]);
    expect(offences({ phone: '0551234987' })).toEqual([expect.stringContaining('(phone)')]);
    expect(official.request({ ...sent, path: '/charges' })).toHaveLength(1);
  });
});

describe('every sample is a reply of the official description', () => {
  it.each(connector.endpoints)('$name', ({ method, path, examples }) => {
    const at = { method, path: path.replace(/\{\w+\}/, '1') };
    const described = examples.filter(({ status }) => status !== 400);
    expect(described.length).toBeGreaterThan(0);
    expect([...new Set(described.flatMap(({ status = 200, body }) => official.reply(at, { status, body })))]).toEqual(
      [],
    );
  });

  it('a sample that is changed on purpose is refused', () => {
    const at = { method: 'GET', path: '/transaction/verify/1' };
    const paid = framed(sampleVerified);
    expect(official.reply(at, { status: 200, body: paid })).toEqual([]);
    expect(official.reply(at, { status: 200, body: framed({ ...sampleVerified, amount: '10000' }) })).toHaveLength(1);
    expect(official.reply(at, { status: 404, body: { ...sampleAbsent, code: 'gone' } })).toHaveLength(1);
  });
});

it('the defects of the description are named', () => {
  expect(facts.corrections.map(({ at }) => at)).toEqual([
    '#/components/schemas/ChargeCreate/properties/currency',
    '#/paths/~1refund/parameters',
  ]);
});
