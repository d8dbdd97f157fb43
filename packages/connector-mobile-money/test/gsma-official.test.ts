import { readFileSync } from 'node:fs';
import { checkAgainst, type Facts, type SentRequest } from '@railyard/conformance/official';
import type { FlowName, HttpRequest } from '@railyard/runtime';
import { fromDecimal } from '@railyard/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  sampleAbsent,
  sampleDuplicate,
  sampleListedReversal,
  sampleRefusal,
  sampleResponse,
  sampleReversal,
  sampleState,
  sampleTransaction,
} from '../src/gsma.samples.ts';
import { gsmaConnector as connector } from '../src/index.ts';
import { exchange, lookedUp, OURS, paymentOf, type Script } from './support/exchange.ts';
import { sessionOf } from './support/sessions.ts';

const factsOf = (name: string): Facts =>
  JSON.parse(readFileSync(new URL(`official/gsma-${name}.json`, import.meta.url), 'utf8'));
const facts = { 'merchant-payments': factsOf('merchant-payments'), disbursements: factsOf('disbursements') };
const official = checkAgainst(facts['merchant-payments']);

const settings = {
  oauth_url: 'https://oauth.example/v1/oauth',
  consumerKey: 'the-consumer',
  consumerSecret: 'the-consumer-secret',
  apiKey: 'the-api-key',
  party_value: '2999',
};
const REVERSAL = '5f1c8d9a-3b7e-4c6d-8f2a-1b3c5d7e9f01';
const key = 'mobile-money-gsma';
const session = (more: object = {}) => sessionOf(key, { mobile_number: '+254712345678' }, more);
const purchased = paymentOf(session(), key);
const credited = paymentOf(session({ operation: 'credit', payee: { name: 'Ada Lovelace' } }), key);
const { serverCorrelationId } = sampleState;
const known = { ...lookedUp(session(), key, OURS), connectorState: { [OURS]: serverCorrelationId } };
const lost = { ...known, connectorState: {} };
const money = fromDecimal('100.50', 'KES');
const refund = { id: REVERSAL, amount: money, remaining: money };
const modification = { modification: { name: 'refund', id: REVERSAL, amount: money } };
const token = [200, { access_token: 'a-token', expires_in: 3600 }] as const;
const completed = { ...sampleState, status: 'completed' };
const reversed = { ...sampleTransaction, ...sampleReversal, requestingOrganisationTransactionReference: REVERSAL };

async function run(flow: FlowName, payment: object, script: Script, about: object = {}) {
  const exchanged = exchange({ connector, key, settings, flow, payment, about }, [token, ...script]);
  const result = await exchanged.drive();
  const events = result.kind === 'reported' && 'events' in result.report ? result.report.events : undefined;
  return { asked: exchanged.asked, outcome: result.kind === 'done' ? result.outcome : undefined, events };
}

/** Requests of the API itself; the token endpoint is OAuth's and stands in no operation of the description. */
const sentOf = (asked: readonly HttpRequest[]): readonly SentRequest[] =>
  asked
    .filter(({ url }) => url.startsWith('https://api.example/'))
    .map(({ method, url, headers, body }) => ({
      method,
      path: new URL(url).pathname,
      headers,
      ...(body !== undefined && { body: JSON.parse(body) }),
    }));

describe('every request of every flow is what both official descriptions say', () => {
  const flows: readonly (readonly [string, FlowName, object, Script, string, object?])[] = [
    ['a merchant payment', 'purchase', purchased, [[202, sampleState]], 'pending'],
    ['a merchant payment that is made at once', 'purchase', purchased, [[201, sampleTransaction]], 'settled'],
    ['a refused merchant payment', 'purchase', purchased, [[400, sampleRefusal]], 'declined'],
    ['a merchant payment that was sent before', 'purchase', purchased, [[400, sampleDuplicate]], 'unknown'],
    ['a disbursement', 'credit', credited, [[202, sampleState]], 'pending'],
    ['a lookup', 'status', known, [[200, sampleState]], 'pending'],
    [
      'a lookup of what is completed',
      'status',
      known,
      [
        [200, completed],
        [200, sampleTransaction],
      ],
      'settled',
    ],
    [
      'a lookup of what was completed before, where the provider lists no transactions',
      'status',
      { ...known, connectorState: { ...known.connectorState, transaction: 'REF-1' } },
      [
        [200, completed],
        [200, sampleTransaction],
        [404, sampleAbsent],
      ],
      'settled',
    ],
    [
      'a lookup of what failed',
      'status',
      known,
      [[200, { ...sampleState, status: 'failed', error: sampleRefusal }]],
      'declined',
    ],
    [
      'a lookup whose state is gone',
      'status',
      known,
      [
        [404, sampleAbsent],
        [200, sampleResponse],
        [200, sampleTransaction],
      ],
      'settled',
    ],
    [
      'a lookup after a lost reply',
      'status',
      lost,
      [
        [200, { link: `/requeststates/${serverCorrelationId}` }],
        [200, sampleState],
      ],
      'pending',
    ],
    ['a lookup of what is not there', 'status', lost, [[404, sampleAbsent]], 'unknown'],
    ['a lookup whose link leads elsewhere', 'status', lost, [[200, { link: '/accounts/1' }]], 'unknown'],
    [
      'a lookup of what is completed without a transaction',
      'status',
      known,
      [[200, { ...completed, objectReference: undefined }]],
      'unknown',
    ],
    [
      'a lookup of another transaction',
      'status',
      lost,
      [
        [200, sampleResponse],
        [200, reversed],
      ],
      'unknown',
    ],
    [
      'a word that is not known',
      'status',
      lost,
      [
        [200, sampleResponse],
        [200, { ...sampleTransaction, transactionStatus: 'parked' }],
      ],
      'unknown',
    ],
    [
      'a reversal',
      'refund',
      known,
      [
        [200, sampleResponse],
        [200, sampleTransaction],
        [202, sampleState],
      ],
      'pending',
      refund,
    ],
    [
      'a reversal of a known transaction',
      'refund',
      { ...known, connectorState: { transaction: 'REF-1' } },
      [[201, sampleReversal]],
      'settled',
      refund,
    ],
    [
      'a refused reversal',
      'refund',
      { ...known, connectorState: { transaction: 'REF-1' } },
      [[400, sampleRefusal]],
      'declined',
      refund,
    ],
    ['a reversal of nothing', 'refund', lost, [[404, sampleAbsent]], 'declined', refund],
    [
      'the lookup of a reversal',
      'modificationStatus',
      { ...known, connectorState: { [REVERSAL]: serverCorrelationId } },
      [
        [200, completed],
        [200, reversed],
      ],
      'settled',
      modification,
    ],
  ];

  const rows = flows.map(([name, flow, payment, script, status, about]) => {
    return { name, flow, payment, script, status, about };
  });

  it.each(rows)('$name', async ({ flow, payment, script, status, about }) => {
    const { asked, outcome } = await run(flow, payment, script, about);
    const sent = sentOf(asked);
    expect(sent).toHaveLength(script.length);
    expect(outcome?.status).toBe(status);
    for (const each of Object.values(facts))
      expect(sent.flatMap((request) => checkAgainst(each).request(request))).toEqual([]);
  });

  it('a request that is changed on purpose is refused', async () => {
    const [sent] = sentOf((await run('purchase', purchased, [[202, sampleState]])).asked);
    if (sent === undefined) throw new Error('No request was sent.');
    const body = z.record(z.string(), z.unknown()).parse(sent.body);
    const offences = (change: object) => official.request({ ...sent, body: { ...body, ...change } });
    expect(offences({ amount: '100.50' })).toEqual([expect.stringContaining('must match pattern')]);
    expect(offences({ amount: 100.5 })).toEqual([expect.stringContaining('amount: must be string')]);
    expect(offences({ currency: 'ZZZ' })).toEqual([expect.stringContaining('currency')]);
    expect(offences({ descriptionText: 'x'.repeat(161) })).toEqual([expect.stringContaining('160')]);
    expect(offences({ debitParty: undefined, creditParty: undefined }).length).toBeGreaterThan(0);
    expect(offences({ reference: 'mine' })).toEqual([expect.stringContaining('(reference)')]);
    expect(official.request({ ...sent, path: '/transactions/type/gift' })).toHaveLength(1);
    const headers = { ...sent.headers, 'x-correlationid': OURS.replaceAll('-', '') };
    expect(official.request({ ...sent, headers })).toEqual([expect.stringContaining('X-CorrelationID')]);
  });
});

describe('the list of reversals', () => {
  const of = {
    ...known,
    connectorState: { ...known.connectorState, transaction: sampleTransaction.transactionReference },
  };
  const page = (from: number, rows: number) =>
    Array.from({ length: rows }, (_, at) => ({
      ...sampleListedReversal,
      transactionReference: `REF-${from + at}`,
      originalTransactionReference: `REF-of-${from + at}`,
    }));
  const look = (...pages: readonly object[][]) =>
    run('status', of, [[200, completed], [200, sampleTransaction], ...pages.map((each) => [200, each] as const)]);
  const offsets = (asked: readonly HttpRequest[]) =>
    asked.flatMap(({ url }) => (url.includes('limit=') ? [new URL(url).searchParams.get('offset')] : []));

  it('is read page by page, each from the number of reversals before it, and one on a later page is told', async () => {
    const { asked, events } = await look(page(0, 50), page(50, 50), [sampleListedReversal, ...page(100, 3)]);
    expect(offsets(asked)).toEqual([null, '50', '100']);
    expect(events).toMatchObject([
      { kind: 'payment' },
      { kind: 'refund', outcome: { status: 'settled', amount: { text: '25.00' } } },
    ]);
  });

  it('of a provider that gives the same page again is over with it, and each reversal is told once', async () => {
    const same = [sampleListedReversal, ...page(0, 49)];
    const { asked, events } = await look(same, same);
    expect(offsets(asked)).toEqual([null, '50']);
    expect(events).toMatchObject([{ kind: 'payment' }, { kind: 'refund' }]);
  });

  it('that is longer than is read leaves unknown whether the payment was taken back', async () => {
    const { asked, outcome } = await look(...Array.from({ length: 20 }, (_, at) => page(50 * at, 50)));
    expect(offsets(asked)).toHaveLength(20);
    const unclear = { status: 'unknown', why: expect.stringContaining('more reversals than are read') };
    expect(outcome).toMatchObject(unclear);
    const broken = [
      [200, completed],
      [200, sampleTransaction],
      [200, page(0, 50)],
      [400, sampleRefusal],
    ] as const;
    expect((await run('status', of, broken)).outcome).toMatchObject(unclear);
  });
});

it('a description longer than the API takes is cut, and an amount is written without zeros at its end', async () => {
  const order = { number: 'order-1', amount: '100.50', currency: 'KES', description: 'é'.repeat(200) };
  const { asked } = await run('purchase', paymentOf(session({ order }), key), [[202, sampleState]]);
  const [sent] = sentOf(asked);
  expect(sent?.body).toMatchObject({ amount: '100.5', descriptionText: 'é'.repeat(160) });
  expect(sent === undefined ? [] : official.request(sent)).toEqual([]);
});

it('a description of emoji is cut to 160 UTF-16 units, and no emoji is halved', async () => {
  const order = { number: 'order-1', amount: '100.50', currency: 'KES', description: `a${'\u{1F600}'.repeat(100)}` };
  const { asked } = await run('purchase', paymentOf(session({ order }), key), [[202, sampleState]]);
  expect(sentOf(asked)[0]?.body).toMatchObject({ descriptionText: `a${'\u{1F600}'.repeat(79)}` });
});

describe('every sample is a reply of the official description', () => {
  const api = connector.endpoints.filter(({ name }) => name !== 'authenticate');

  it.each(api)('$name', ({ method, path, examples }) => {
    const at = { method, path: path.replace('{transactionType}', 'merchantpay').replace(/\{\w+\}/, OURS) };
    expect(examples.length).toBeGreaterThan(1);
    expect(examples.flatMap(({ status = 200, body }) => official.reply(at, { status, body }))).toEqual([]);
  });

  it('and so are the callbacks, but not one without its transaction', () => {
    const put = (name: string, body: unknown) => official.request({ method: 'PUT', path: name, headers: {}, body });
    expect(put('transactionsSuccessEvent', sampleTransaction)).toEqual([]);
    expect(put('reversalsSuccessEvent', sampleReversal)).toEqual([]);
    expect(put('transactionsFailureEvent', sampleRefusal)).toEqual([]);
    const { transactionReference: _reference, ...rest } = sampleTransaction;
    expect(put('transactionsSuccessEvent', rest)).toEqual([expect.stringContaining("'transactionReference'")]);
  });

  it('a sample that is changed on purpose is refused', () => {
    const at = { method: 'GET', path: `/requeststates/${serverCorrelationId}` };
    expect(official.reply(at, { status: 200, body: { ...sampleState, status: 'settled' } })).toHaveLength(1);
    expect(official.reply(at, { status: 422, body: sampleRefusal })).toHaveLength(1);
  });
});

it('no defect of the descriptions had to be mended', () => {
  expect(Object.values(facts).flatMap(({ corrections }) => corrections)).toEqual([]);
});
