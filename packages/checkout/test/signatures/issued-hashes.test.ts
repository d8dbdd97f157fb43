import { randomUUID } from 'node:crypto';
import { signCommand, signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { acquirerService, type AcquirerService, told } from '../support/acquirer-service.ts';
import { errorLines } from '../support/any-method-service.ts';
import { cardBody, CARD, payByCard } from '../support/card-service.ts';
import { payoutFields, refusalLines, sendCommand, toldCommand } from '../support/commands.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { createPage, merchant, pixConfig, post, startOn } from '../support/service.ts';

/** The acquirer pays out to it by its number alone. */
const NUMBER = '4601541833776519';
const payee = { card_number: NUMBER, payee_first_name: 'Jane', payee_last_name: 'Roe' };
const WRONG_HASH = ['hash: Hash is not valid.'];

/** Ids that the service gives out next, in their order. */
const nextIds: string[] = [];
let service: AcquirerService;
beforeAll(async () => {
  service = await acquirerService({ digest: 'both' }, undefined, { newId: () => nextIds.shift() ?? randomUUID() });
});
afterAll(() => service.stop());
beforeEach(() => nextIds.splice(0));

/** What a payer reads in the address bar after paying an order of 10.00. */
async function paidReturn(order: Readonly<Record<string, string>> = {}) {
  const body = cardBody({}, order);
  const page = await createPage(service.url, body);
  await payByCard(page, CARD);
  await told(service, body.order.number, { order_status: 'settled' });
  const html = await (await fetch(page)).text();
  const back = /https:\/\/shop\.example\/success[^"' ]*/.exec(html.replaceAll('&amp;', '&'))?.[0] ?? '';
  const { payment_id = '', hash = '' } = Object.fromEntries(new URL(back).searchParams);
  return { payment_id, hash, order: body.order };
}

const api = (path: string, body: object) =>
  post(`${service.url}/api/v1${path}`, { merchant_key: merchant.key, ...body });
const payouts = () => service.asked.filter(({ url }) => url.endsWith('/v1/payouts'));

test('a payer who repeats the hash of the return as that of a payout to a card is refused, and nothing is paid out', async () => {
  const { payment_id, hash, order } = await paidReturn();
  const before = payouts().length;
  const answer = await api('/payment/card/credit', {
    order_id: payment_id + order.number,
    order_amount: order.amount,
    order_currency: order.currency,
    order_description: order.description,
    ...payee,
    hash,
  });
  expect([answer.status, errorLines(answer.json)]).toEqual([400, WRONG_HASH]);
  expect(payouts()).toHaveLength(before);
  const line = service.lines.find((each) => each.includes('issued-hash-refused'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ merchant: merchant.key, action: '/payment/card/credit' });
});

test.each([
  ['in upper case', (id: string) => id.toUpperCase()],
  ['in mixed case', (id: string) => id.replace(/[a-f]/, (letter) => letter.toUpperCase())],
])('the id of the payment %s is refused too', async (_name, written) => {
  const { payment_id, hash, order } = await paidReturn();
  const answer = await api('/payment/card/credit', {
    order_id: written(payment_id) + order.number,
    order_amount: order.amount,
    order_currency: order.currency,
    order_description: order.description,
    ...payee,
    hash,
  });
  expect(errorLines(answer.json)).toEqual(WRONG_HASH);
});

test('an id that holds 12aed is refused where it is split into number, amount, currency and description', async () => {
  const id = `3f6a1c52-8d0e-4b7a-9c11-5e12aed${randomUUID().slice(0, 5)}`;
  nextIds.push(id);
  const { payment_id, hash, order } = await paidReturn();
  expect(payment_id).toBe(id);
  const answer = await api('/payment/card/credit', {
    order_id: id.slice(0, 26),
    order_amount: '12',
    order_currency: 'AED',
    order_description: id.slice(31) + order.number + order.amount + order.currency + order.description,
    ...payee,
    hash,
  });
  expect(errorLines(answer.json)).toEqual(WRONG_HASH);
});

test('a letter that becomes two of an id in upper case is refused', async () => {
  const id = `ff6a1c52-8d0e-4b7a-9c11-5e00aed${randomUUID().slice(0, 5)}`;
  nextIds.push(id);
  const { order } = await paidReturn();
  const { number, amount, currency, description } = order;
  const signed = { payment_id: id, number, amount, currency, description };
  const hash = signRequest('return', signed, merchant.password, { dialect: 'unicode' });
  const answer = await api('/payment/card/credit', {
    order_id: `\uFB00${id.slice(2)}${number}`,
    order_amount: amount,
    order_currency: currency,
    order_description: description,
    ...payee,
    hash,
  });
  expect(errorLines(answer.json)).toEqual(WRONG_HASH);
});

describe.each([
  ['md5', 'ascii'],
  ['md5', 'unicode'],
  ['sha256', 'ascii'],
  ['sha256', 'unicode'],
] as const)('the hash of a return or callback with %s and upper-cased as %s', (digest, dialect) => {
  const split = { number: `order-${digest}-${dialect}-1`, description: 'Straße 5' };
  let id = '';
  let hash = '';
  let rest = '';
  beforeAll(async () => {
    const { payment_id, order } = await paidReturn({ ...split, number: `${split.number}-${Date.now()}` });
    const { number, amount, currency, description } = order;
    id = payment_id;
    rest = number + amount + currency + description;
    const signed = { payment_id, number, amount, currency, description };
    hash = signRequest('callback', signed, merchant.password, { digest, dialect });
  });

  test.each([
    [
      '/session',
      () => ({
        operation: 'purchase',
        methods: ['card'],
        success_url: 'https://shop.example/success',
        order: {
          number: id + rest.slice(0, rest.indexOf('10.00')),
          amount: '10.00',
          currency: 'USD',
          description: 'Straße 5',
        },
      }),
    ],
    ['/payment/status', () => ({ order_id: id + rest })],
    ['/payment/status', () => ({ payment_id: id + rest })],
    ['/payment/void', () => ({ payment_id: id + rest })],
    ['/payment/retry', () => ({ payment_id: id + rest })],
    ['/payment/refund', () => ({ payment_id: (id + rest).slice(0, -1), amount: '5' })],
    ['/payment/capture', () => ({ payment_id: (id + rest).slice(0, -1), amount: '5' })],
    [
      '/payment/recurring',
      () => ({
        recurring_init_trans_id: id,
        recurring_token: rest.slice(0, 5),
        order: {
          number: rest.slice(5, rest.indexOf('10.00')),
          amount: '10.00',
          description: rest.slice(rest.indexOf('USD')),
        },
      }),
    ],
  ])('signs no %s', async (path, body) => {
    const answer = await api(path, { ...body(), hash });
    expect([answer.status, errorLines(answer.json)]).toEqual([400, WRONG_HASH]);
  });
});

test('an order number that begins with the id of a payment is refused, however it is signed', async () => {
  const { payment_id } = await paidReturn();
  const body = cardBody({}, { number: `${payment_id.toUpperCase()}-2` });
  const answer = await post(`${service.url}/api/v1/session`, body);
  expect(errorLines(answer.json)).toEqual(WRONG_HASH);
});

test('an order number that is an id of the merchant’s own is accepted', async () => {
  const body = cardBody({}, { number: randomUUID() });
  expect((await post(`${service.url}/api/v1/session`, body)).status).toBe(200);
});

test('the merchant’s own calls, which begin with the id of a payment, are answered', async () => {
  const { payment_id, order } = await paidReturn();
  await told(service, order.number, { order_status: 'settled' });
  expect(await service.status(payment_id)).toMatchObject({ status: 'settled' });
  expect((await service.refund(payment_id, '1.00')).status).toBe(200);
});

describe('the hash of a callback of a command', () => {
  let provider: PixProvider;
  let shop: Receiver;
  let pix: Awaited<ReturnType<typeof startOn>>;
  beforeAll(async () => {
    [provider, shop] = await Promise.all([pixProvider(), receiver()]);
    pix = await startOn((port) => pixConfig(provider, shop.url, port));
  });
  afterAll(async () => {
    await pix.stop();
    await Promise.all([provider.close(), shop.close()]);
  });

  test.each(['md5', 'sha256'] as const)('signs no other command, with %s', async (digest) => {
    // Its last digit is the amount of another request.
    const sent = payoutFields({ order_id: `issued-${digest}-5` });
    await sendCommand(pix.url, sent);
    const { trans_id = '', order_id = '', status = '' } = await toldCommand(shop, sent['order_id'], 'SETTLED');
    const hash = signCommand('payout_callback', { trans_id, order_id, status }, merchant.password, { digest });
    const payout = payoutFields({
      order_id: trans_id + order_id.slice(0, -1),
      order_amount: order_id.slice(-1),
      order_currency: status,
      hash,
    });
    expect(refusalLines(await sendCommand(pix.url, payout))).toEqual(WRONG_HASH);
    const lookup = {
      action: 'GET_TRANS_STATUS',
      client_key: merchant.key,
      trans_id: trans_id + order_id + status,
      hash,
    };
    expect(refusalLines(await sendCommand(pix.url, lookup, {}, '/post-va'))).toEqual(WRONG_HASH);
    expect(refusalLines(await sendCommand(pix.url, lookup))).toEqual(['Transaction does not exist.']);
  });
});
