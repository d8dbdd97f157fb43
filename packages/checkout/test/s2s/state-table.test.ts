import { signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { account, type AcquirerService, acquirerService, payOrder, told } from '../support/acquirer-service.ts';
import { anyMethodService } from '../support/any-method-service.ts';
import { apmSaleFields, onApmTransaction } from '../support/apm-commands.ts';
import { onTransaction, saleFields } from '../support/card-commands.ts';
import { collectionConfig } from '../support/collection-config.ts';
import { collectionProvider } from '../support/collection-provider.ts';
import { type Fields, refusalLines, sendCommand, statusFields } from '../support/commands.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, merchant, post, pressPay, sessionBody, startOn } from '../support/service.ts';

/** Every row of the protocol's table (States and transitions), live, in its order. */

/** Milliseconds by which the clock of `codes` is ahead. */
let ahead = 0;
let cards: AcquirerService;
let others: Awaited<ReturnType<typeof anyMethodService>>;
let codes: Awaited<ReturnType<typeof codeService>>;

/** A deployment of a method whose payer pays by a code, with status lookup. */
async function codeService() {
  const [provider, shop] = await Promise.all([collectionProvider(), receiver()]);
  const service = await startOn((port) => collectionConfig(provider.url, shop.url, port), {
    clock: () => Date.now() + ahead,
  });
  return {
    url: service.url,
    provider,
    shop,
    async stop() {
      await service.stop();
      await Promise.all([provider.close(), shop.close()]);
    },
  };
}

beforeAll(async () => {
  const methods = [
    { key: 'card', mid: 'cards' },
    { key: 'sms', method: 'card', title: 'Card, sales', mid: 'sales' },
    { key: 'dms', method: 'card', title: 'Card, holds', mid: 'holds' },
  ];
  [cards, others, codes] = await Promise.all([
    acquirerService({ methods }, (settings) => [
      account('cards', settings),
      account('sales', settings, { mode: 'SMS', channels: ['sales'] }),
      account('holds', settings, { mode: 'DMS', channels: ['holds'] }),
    ]),
    anyMethodService([{ key: 'redirect', mid: 'any' }]),
    codeService(),
  ]);
});

afterAll(() => Promise.all([cards.stop(), others.stop(), codes.stop()]));

/** A service that takes commands of one protocol. */
interface Side {
  readonly send: (fields: Fields) => ReturnType<typeof sendCommand>;
  readonly sale: (change: Fields) => Fields;
  readonly on: (action: string, trans_id: string) => Fields;
  readonly status: (trans_id: string) => Fields;
  readonly shop: () => AcquirerService['shop'];
}

const card: Side = {
  send: (fields) => sendCommand(cards.url, fields),
  sale: saleFields,
  on: onTransaction,
  status: (trans_id) => onTransaction('GET_TRANS_STATUS', trans_id),
  shop: () => cards.shop,
};

const apm: Side = {
  send: (fields) => sendCommand(others.url, fields, {}, '/post-va'),
  sale: (change) => apmSaleFields({ brand: 'redirect', order_currency: 'USD', ...change }),
  on: onApmTransaction,
  status: statusFields,
  shop: () => others.shop,
};

async function begun({ send, sale }: Side, change: Fields) {
  const { json } = await send(sale(change));
  return { status: json['status'], trans_id: String(json['trans_id']) };
}

const standing = async ({ send, status }: Side, trans_id: string) => (await send(status(trans_id))).json['status'];

describe('a sale', () => {
  test.each([
    ['Y', 'PENDING'],
    ['N', 'SETTLED'],
    ['y', 'SETTLED'],
    ['true', 'SETTLED'],
    ['', 'SETTLED'],
  ])('of S2S APM with auth "%s" is %s', async (auth, expected) => {
    const { status, trans_id } = await begun(apm, { auth });
    expect([status, await standing(apm, trans_id)]).toEqual([expected, expected]);
  });

  test.each([
    ['holds', 'Y', 'PENDING'],
    ['', 'Y', 'PENDING'],
    ['', 'N', 'SETTLED'],
    ['sales', 'N', 'SETTLED'],
  ])('of S2S CARD at the channel "%s" with auth %s is %s', async (channel_id, auth, expected) => {
    const { status, trans_id } = await begun(card, { channel_id, auth });
    expect([status, await standing(card, trans_id)]).toEqual([expected, expected]);
  });

  test.each([
    ['sales', 'Y'],
    ['holds', 'N'],
  ])('of S2S CARD at the channel %s with auth %s finds no account of that mode', async (channel_id, auth) => {
    const { status, json } = await card.send(saleFields({ channel_id, auth }));
    expect([status, json['error_code']]).toEqual([400, 204002]);
  });

  test.each([
    ['card', true, 'pending'],
    ['dms', true, 'pending'],
    ['sms', false, 'settled'],
  ])('on the page by the method %s with auth %s is %s', async (key, auth, order_status) => {
    const entered = { 'card.number': '4111111111111111', 'card.expiry': '01/38', 'card.cvv': '123' };
    const paid = { method: key, ...entered, 'card.name': 'Ada Example' };
    const number = await payOrder(cards, { methods: [key], auth }, {}, paid);
    expect(await told(cards, number, {})).toMatchObject({ type: 'sale', status: 'success', order_status });
  });
});

describe.each([
  ['S2S CARD', card],
  ['S2S APM', apm],
])('a hold of %s', (_protocol, side) => {
  test('is captured by the id of the authorization', async () => {
    const { trans_id } = await begun(side, { auth: 'Y' });
    expect((await side.send(side.on('CAPTURE', trans_id))).json).toMatchObject({ result: 'SUCCESS', trans_id });
    expect(await standing(side, trans_id)).toBe('SETTLED');
  });

  test('is released by a CREDITVOID', async () => {
    const { trans_id } = await begun(side, { auth: 'Y' });
    expect((await side.send(side.on('CREDITVOID', trans_id))).json).toMatchObject({ result: 'ACCEPTED', trans_id });
    await side.shop().until(({ fields }) => fields['trans_id'] === trans_id && fields['status'] === 'REVERSAL');
    expect(await standing(side, trans_id)).toBe('REVERSAL');
  });

  test('is not voided, and stays PENDING', async () => {
    const { trans_id } = await begun(side, { auth: 'Y' });
    const refused = await side.send(side.on('VOID', trans_id));
    expect([refused.status, refusalLines(refused)]).toEqual([400, ['Void is not allowed.']]);
    expect(await standing(side, trans_id)).toBe('PENDING');
  });
});

test.each([
  ['S2S CARD', card],
  ['S2S APM', apm],
])('a settled payment of %s is voided', async (_protocol, side) => {
  const { trans_id } = await begun(side, {});
  expect((await side.send(side.on('VOID', trans_id))).json).toMatchObject({ result: 'SUCCESS', status: 'VOID' });
  expect(await standing(side, trans_id)).toBe('VOID');
});

test('a session whose minutes are over leads its payer to expiry_url', async () => {
  const page = await createPage(codes.url, sessionBody({ methods: ['pix-collection'], session_expiry: 1 }));
  const shown = async () => (await fetch(page)).text();
  expect(await shown()).not.toContain('https://shop.example/expiry');
  ahead += 60_001;
  expect(await shown()).toContain('https://shop.example/expiry');
});

test.each([
  ['executed', 'PAID', 'settled'],
  ['rejected', 'FAILED', 'decline'],
  ['pending', 'PENDING', 'pending'],
] as const)('a payment by a code whose provider reports it as %s', async (_as, reported, expected) => {
  const body = sessionBody({ methods: ['pix-collection'] });
  await pressPay(await createPage(codes.url, body), { method: 'pix-collection' });
  const { number: order_id } = body.order;
  const began = await codes.shop.until(({ fields }) => fields['order_number'] === order_id);
  await codes.provider.report(reported);
  if (expected !== 'pending')
    await codes.shop.until(({ fields }) => fields['order_number'] === order_id && fields['order_status'] === expected);
  const payment_id = began.fields['id'] ?? '';
  const hash = signRequest('status_by_payment', { payment_id }, merchant.password);
  const { json } = await post(`${codes.url}/api/v1/payment/status`, { merchant_key: merchant.key, payment_id, hash });
  expect(json).toMatchObject({ status: expected });
});
