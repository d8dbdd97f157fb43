import { signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { otherMerchant } from '../support/any-method-config.ts';
import { anyMethodService, errorLines, postRaw } from '../support/any-method-service.ts';
import { createPage, merchant, pressPay, sessionBody, trial } from '../support/service.ts';

let at = Date.now();
let service: Awaited<ReturnType<typeof anyMethodService>>;

beforeAll(async () => {
  service = await anyMethodService(undefined, { clock: () => at });
});

afterAll(() => service.stop());

type Signer = { readonly key: string; readonly password: string };

const ask = (body: object) => postRaw(`${service.url}/api/v1/payment/status`, JSON.stringify(body));

const byOrder = (order_id: string, change: object = {}, { key, password }: Signer = merchant) =>
  ask({ merchant_key: key, order_id, hash: signRequest('status_by_order', { order_id }, password), ...change });

const byPayment = (payment_id: string, change: object = {}, { key, password }: Signer = merchant) =>
  ask({ merchant_key: key, payment_id, hash: signRequest('status_by_payment', { payment_id }, password), ...change });

async function open(number: string): Promise<string> {
  at += 16_000;
  return createPage(service.url, sessionBodyOf(number));
}

function sessionBodyOf(number: string, change: Readonly<Record<string, unknown>> = {}) {
  return sessionBody({ methods: ['card'], customer: { name: 'Ana Souza' }, ...change }, { currency: 'USD', number });
}

async function pay(number: string): Promise<void> {
  await pressPay(await open(number), { method: 'card' });
}

const idsOf = (json: unknown) =>
  Array.isArray(json) ? json.map((each) => String(Reflect.get(Object(each), 'payment_id'))) : [];

const NO_ORDER = { http_code: 400, error_code: '101000', error_message: 'Order does not exist.' };
const NO_PAYMENT = { http_code: 400, error_code: '101000', error_message: 'Payment does not exist.' };

describe('status by order', () => {
  test('is one object without a size, and a list with one', async () => {
    for (const _time of [1, 2, 3]) await pay('order-sizes');
    const all = idsOf((await byOrder('order-sizes', { size: 100 })).json);
    expect(new Set(all).size).toBe(3);
    expect((await byOrder('order-sizes')).json).toMatchObject({
      payment_id: all[0],
      status: 'settled',
      order: { number: 'order-sizes', amount: '10.00', currency: 'USD', description: 'Important gift' },
      customer: { name: 'Ana Souza' },
    });
    expect(idsOf((await byOrder('order-sizes', { size: 1 })).json)).toEqual([all[0]]);
    expect(idsOf((await byOrder('order-sizes', { size: '2' })).json)).toEqual(all.slice(0, 2));
    for (const id of all) expect((await byPayment(id)).json).toMatchObject({ payment_id: id });
  });

  test.each([0, 101, -1, 1.5, '0', '101', '1.0', '1e1', ' 1', '', 'many', null, true, [1], {}])(
    'refuses the size %j',
    async (size) => {
      await expect(byOrder('order-sizes', { size })).resolves.toMatchObject({
        status: 400,
        json: { http_code: 400, error_code: '100000', error_message: 'size should be within 1..100' },
      });
    },
  );

  test('names what is missing, all at once', async () => {
    const answer = await ask({ order_id: '', size: 500 });
    expect(errorLines(answer.json)).toEqual([
      'merchant_key: This value should not be blank.',
      'order_id: This value should not be blank.',
      'hash: This value should not be blank.',
    ]);
  });

  test.each(['a\0b', 'a\nb', 'a\ud800b'])('refuses %j, which no order can be called', async (order_id) => {
    const answer = await byOrder(order_id);
    expect([answer.status, errorLines(answer.json)]).toEqual([
      400,
      ['order_id: This value contains characters that are not allowed.'],
    ]);
  });

  test('says the same of an order that is another merchant’s as of none', async () => {
    await pay('order-mine');
    for (const answer of [await byOrder('order-mine', {}, otherMerchant), await byOrder('order-none')])
      expect(answer).toMatchObject({ status: 400, json: NO_ORDER });
  });

  test('never shows a live key a test of the same number, nor a test key what is live', async () => {
    at += 16_000;
    await pressPay(await createPage(service.url, sessionBodyOf('order-both', { merchant_key: trial.key })), {
      method: 'card',
    });
    const { json } = await byOrder('order-both', {}, trial);
    expect(json).toMatchObject({ status: 'settled' });
    const [id = ''] = idsOf([json]);
    expect((await byOrder('order-both')).json).toMatchObject(NO_ORDER);
    expect((await byPayment(id)).json).toMatchObject({ error_message: 'Payment does not exist.' });
    await pay('order-both');
    const [live = ''] = idsOf((await byOrder('order-both', { size: 5 })).json);
    expect(live).not.toBe(id);
    expect(idsOf((await byOrder('order-both', { size: 5 }, trial)).json)).toEqual([id]);
    expect((await byPayment(live, {}, trial)).json).toMatchObject({ error_message: 'Payment does not exist.' });
  });

  test('needs the hash of the order, which the size is no part of', async () => {
    const hash = signRequest('status_by_payment', { payment_id: 'order-minx' }, merchant.password);
    expect(errorLines((await byOrder('order-mine', { hash })).json)).toEqual(['hash: Hash is not valid.']);
  });
});

describe('an order whose payer has not begun to pay', () => {
  test('is being prepared, under the id that its payment will have', async () => {
    const page = await open('order-new');
    const early = (await byOrder('order-new')).json;
    const id = String(Reflect.get(Object(early), 'payment_id'));
    expect(early).toMatchObject({ status: 'prepare', order: { number: 'order-new' } });
    expect((await byPayment(id)).json).toEqual(early);
    expect(idsOf((await byOrder('order-new', { size: 5 })).json)).toEqual([id]);
    expect((await byPayment(id, {}, otherMerchant)).json).toMatchObject(NO_PAYMENT);
    await pressPay(page, { method: 'card' });
    expect((await byPayment(id)).json).toMatchObject({ payment_id: id, status: 'settled' });
    const { fields } = await service.shop.until((callback) => callback.fields.order_number === 'order-new');
    expect(fields.id).toBe(id);
  });

  test('is declined once its session has ended', async () => {
    const page = await open('order-left');
    await fetch(`${page}/cancel`, { method: 'POST' });
    expect((await byOrder('order-left')).json).toMatchObject({ status: 'decline', reason: 'The payer cancelled.' });
  });

  test('does not hide an earlier payment of the same order', async () => {
    await pay('order-again');
    await open('order-again');
    expect((await byOrder('order-again')).json).toMatchObject({ status: 'settled' });
  });
});

test('a lookup from within a callback is never behind that callback', async () => {
  const seen: Promise<unknown>[] = [];
  service.shop.state.beforeAnswer = ({ fields }) => {
    if (fields.order_number?.startsWith('order-race-') === true)
      seen.push(byPayment(fields.id ?? '').then(({ json }) => Reflect.get(Object(json), 'status')));
    return true;
  };
  const numbers = Array.from({ length: 20 }, (_, each) => `order-race-${each}`);
  await Promise.all(numbers.map(pay));
  for (const number of numbers) await service.shop.until(({ fields }) => fields.order_number === number);
  expect(await Promise.all(seen)).toEqual(numbers.map(() => 'settled'));
});
