import { readFileSync } from 'node:fs';
import { fromDecimal } from '@railyard/core';
import { checkAgainst, type Facts, type SentRequest } from '@railyard/conformance/official';
import type { FlowName, HttpRequest } from '@railyard/runtime';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { vippsConnector as connector } from '../src/index.ts';
import * as samples from '../src/vipps.samples.ts';
import { exchange, lookedUp, outcomeOf, OURS, paymentOf, type Script } from './support/exchange.ts';
import { sessionOf } from './support/sessions.ts';

const facts: Facts = JSON.parse(readFileSync(new URL('official/vipps.json', import.meta.url), 'utf8'));
const official = checkAgainst(facts);

const settings = {
  base_url: 'https://api.example',
  merchant_serial_number: '123456',
  client_id: 'the-client',
  client_secret: 'the-secret',
  subscription_key: 'the-subscription-key',
  webhook_secret: 'the-webhook-secret',
};
const key = 'wallet-vipps';
const CHANGE = '7d2e9f0b-4c8a-4d7e-9a3b-2c4d6e8f0a12';
const session = (more: object = {}) =>
  sessionOf(
    key,
    {},
    { order: { number: 'order-1', amount: '25.00', currency: 'NOK', description: 'Two books' }, ...more },
  );
const amount = fromDecimal('25.00', 'NOK');

async function run(flow: FlowName, script: Script, { about = {}, more = {} }: { about?: object; more?: object } = {}) {
  const payment = flow === 'purchase' ? paymentOf(session(more), key) : lookedUp(session(more), key, OURS);
  const made = exchange({ connector, key, flow, payment, settings, about }, [[200, samples.token], ...script]);
  let result = await made.drive();
  for (let back = 0; back < 2 && result.kind === 'suspended'; back += 1)
    result = await made.drive({ step: result.nextAction.step, values: {} });
  return { result, asked: made.asked };
}
const change = { id: CHANGE, amount, remaining: amount };
const approved = samples.payment('AUTHORIZED', { authorized: 2500 });
const paid = samples.payment('AUTHORIZED', { authorized: 2500, captured: 2500, refunded: 2500 });

/** Requests of the description; a token is asked for by another API. */
const sentOf = (asked: readonly HttpRequest[]): readonly SentRequest[] =>
  asked
    .filter(({ url }) => !url.endsWith('/accesstoken/get'))
    .map(({ method, url, headers, body }) => ({
      method,
      path: new URL(url).pathname,
      headers,
      ...(body !== undefined && { body: JSON.parse(body) }),
    }));

const FLOWS: readonly (readonly [string, FlowName, Script, number, { about?: object; more?: object }])[] = [
  [
    'a sale',
    'purchase',
    [
      [201, samples.created],
      [200, approved],
      [200, samples.captured],
    ],
    3,
    {},
  ],
  [
    'a sale with a long description',
    'purchase',
    [
      [201, samples.created],
      [200, approved],
      [200, samples.captured],
    ],
    3,
    { more: { order: { number: 'order-1', amount: '25.00', currency: 'NOK', description: 'x'.repeat(1024) } } },
  ],
  [
    'a sale with a description of two letters',
    'purchase',
    [[400, samples.refused]],
    1,
    { more: { order: { number: 'order-1', amount: '25.00', currency: 'DKK', description: 'ab' } } },
  ],
  [
    'a hold',
    'purchase',
    [
      [201, samples.created],
      [200, approved],
    ],
    2,
    { more: { auth: true } },
  ],
  [
    'a sale whose payer comes back too early',
    'purchase',
    [
      [201, samples.created],
      [200, samples.open],
      [200, samples.payment('ABORTED')],
    ],
    3,
    {},
  ],
  [
    'a lookup with its refunds',
    'status',
    [
      [200, paid],
      [200, samples.events],
    ],
    2,
    {},
  ],
  ['a withdrawal', 'withdraw', [[200, samples.terminated]], 1, {}],
  ['a capture of a hold', 'capture', [[200, samples.captured]], 1, { about: change }],
  ['a void of a hold', 'void', [[200, samples.released]], 1, { about: { id: CHANGE, held: true } }],
  ['a refund', 'refund', [[200, samples.refunded]], 1, { about: change }],
  [
    'the lookup of a refund',
    'modificationStatus',
    [[200, samples.events]],
    1,
    { about: { modification: { name: 'refund', id: CHANGE, amount } } },
  ],
];

describe('every request of every flow is what the official description says', () => {
  it.each(FLOWS)('%s', async (_name, flow, script, requests, more) => {
    const sent = sentOf((await run(flow, script, more)).asked);
    expect(sent).toHaveLength(requests);
    expect(sent.flatMap((each) => official.request(each))).toEqual([]);
  });

  it('a request that is changed on purpose is refused', async () => {
    const [sent] = sentOf((await run('purchase', [[400, samples.refused]])).asked);
    if (sent === undefined) throw new Error('No request was sent.');
    const body = z.looseObject({}).parse(sent.body);
    const offences = (more: object) => official.request({ ...sent, body: { ...body, ...more } });
    expect(offences({})).toEqual([]);
    expect(offences({ userFlow: 'REDIRECT' })).toHaveLength(1);
    expect(offences({ amount: { currency: 'SEK', value: 2500 } })).not.toEqual([]);
    expect(offences({ amount: { currency: 'NOK', value: '25.00' } })).not.toEqual([]);
    expect(offences({ paymentDescription: 'ab' })).toEqual([expect.stringContaining('paymentDescription')]);
    expect(offences({ notify: 'https://pay.example' })).toEqual([expect.stringContaining('(notify)')]);
    const { 'idempotency-key': _key, ...headers } = sent.headers;
    expect(official.request({ ...sent, headers })).toEqual([expect.stringContaining('Idempotency-Key')]);
  });

  it('what was corrected is named, and nothing else is', () => {
    expect(facts.corrections.map(({ at }) => at)).toEqual([
      '#/components/schemas/PaymentEvent/required',
      '#/components/schemas/CreatePaymentRequest/properties/receipt',
    ]);
  });
});

describe('every sample is a reply of the official description', () => {
  const described = connector.endpoints.filter(({ name }) => name !== 'token');

  it.each(described)('$name', ({ method, path, examples }) => {
    const at = { method, path: path.replace('{reference}', OURS) };
    // The description has no reply to a lookup of what is not there.
    const shown = examples.filter(({ status }) => method !== 'GET' || status !== 404);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.flatMap(({ status = 200, body }) => official.reply(at, { status, body }))).toEqual([]);
  });

  it('a notification is an event of the log, beside the sales unit', () => {
    const at = { method: 'GET', path: `/epayment/v1/payments/${OURS}/events` };
    for (const name of ['AUTHORIZED', 'CAPTURED', 'CANCELLED']) {
      const { msn: _msn, ...event } = samples.notification({ name });
      expect(official.reply(at, { status: 200, body: [event] })).toEqual([]);
    }
    expect(official.reply(at, { status: 200, body: [samples.event({ name: 'PAID' })] })).not.toEqual([]);
  });
});

describe('what the amounts of a reply say', () => {
  const of = async (flow: FlowName, script: Script, about: object = {}) =>
    outcomeOf((await run(flow, script, { about })).result);

  it('a refund counts where exactly its amount is gone', async () => {
    const refunded = (value: number) => ({
      ...samples.refunded,
      aggregate: { ...samples.refunded.aggregate, refundedAmount: { currency: 'NOK', value } },
    });
    const part = { id: CHANGE, amount: fromDecimal('10.00', 'NOK'), remaining: fromDecimal('15.00', 'NOK') };
    expect(await of('refund', [[200, refunded(2000)]], part)).toMatchObject({
      status: 'settled',
      providerReference: CHANGE,
    });
    expect(await of('refund', [[200, refunded(1000)]], part)).toMatchObject({ status: 'unknown' });
    expect(await of('refund', [[200, refunded(2500)]], part)).toMatchObject({ status: 'unknown' });
  });

  it('a sale whose capture is refused is declined once what was held is free, and is not known where it is held', async () => {
    const refusal: Script = [
      [201, samples.created],
      [200, approved],
      [400, samples.problem(400, 'Capture period expired', '6100')],
    ];
    expect(await of('purchase', [...refusal, [200, samples.released]])).toMatchObject({
      status: 'declined',
      code: 'expired',
    });
    expect(await of('purchase', [...refusal, [400, samples.refused]])).toMatchObject({ status: 'unknown' });
  });

  it('a withdrawal is over where the payer had approved and all of it is free again, and waits where it is not', async () => {
    expect(await of('withdraw', [[200, samples.released]])).toMatchObject({ status: 'declined' });
    const standing = {
      ...samples.released,
      aggregate: { ...samples.released.aggregate, cancelledAmount: { currency: 'NOK', value: 0 } },
    };
    expect(await of('withdraw', [[200, standing]])).toMatchObject({ status: 'pending' });
    expect(
      await of('withdraw', [
        [400, samples.refused],
        [200, samples.payment('AUTHORIZED', { authorized: 2500, captured: 2500 })],
      ]),
    ).toMatchObject({ status: 'settled' });
  });

  it('an event of the log that failed is declined, and one of another payment is none of this', async () => {
    const asked = { modification: { name: 'refund', id: CHANGE, amount } };
    const log = (more: object) => [samples.event({ name: 'REFUNDED', idempotencyKey: CHANGE, ...more })];
    expect(await of('modificationStatus', [[200, log({})]], asked)).toMatchObject({
      status: 'settled',
      providerReference: CHANGE,
    });
    expect(await of('modificationStatus', [[200, log({ success: false })]], asked)).toMatchObject({
      status: 'declined',
    });
    expect(await of('modificationStatus', [[200, log({ reference: 'acme-shop-123' })]], asked)).toMatchObject({
      status: 'unknown',
    });
  });
});
