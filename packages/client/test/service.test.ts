import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  acquirerService,
  type AcquirerService,
  type Answered,
  told,
} from '../../checkout/test/support/acquirer-service.ts';
import { CARD, payByCard } from '../../checkout/test/support/card-service.ts';
import { callbackSecret } from '../../checkout/test/support/receiver.ts';
import { merchant, trial } from '../../checkout/test/support/service.ts';
import { type CallOptions, type Client, createClient, isRailyardError, type NewSession } from '../src/index.ts';

let service: AcquirerService;
let client: Client;
beforeAll(async () => {
  service = await acquirerService();
  client = createClient({
    baseUrl: service.url,
    merchantKey: merchant.key,
    password: merchant.password,
    callbackSecret,
  });
});
afterAll(() => service.stop());
beforeEach(() => {
  service.state.answer = () => undefined;
});

let orders = 0;
function newOrder(amount = '10.00') {
  orders += 1;
  return { number: `client-${process.pid}-${orders}`, amount, currency: 'USD', description: 'Straße № 1 🎁' };
}

const session = (order: NewSession['order'], more: Partial<NewSession> = {}): NewSession => ({
  operation: 'purchase',
  methods: ['card'],
  success_url: 'https://shop.example/success?a=1',
  order,
  ...more,
});

/** Pays by card. @returns the order, and the address that the payer's browser was sent to */
async function paid(more: Partial<NewSession> = {}, order = newOrder()) {
  const { redirect_url } = await client.createSession(session(order, more));
  const { location } = await payByCard(redirect_url, CARD);
  const callback = await told(service, order.number, { type: 'sale', status: 'success' });
  return { order, callback, payment_id: callback['id'] ?? '', page: redirect_url, location };
}

/** What a call throws, told in one line. */
async function thrown(call: Promise<unknown>): Promise<string> {
  const error = await call.catch((caught: unknown) => caught);
  if (!isRailyardError(error)) throw new Error(`Expected an error of the client, got ${String(error)}`);
  return `${error.kind} ${error.status} ${error.message}`;
}

describe('a payment', () => {
  test('is created, asked for by order and by payment, refunded in part and called back with a signature that verifies', async () => {
    const order = newOrder();
    const { redirect_url, warnings } = await client.createSession(session(order));
    expect(warnings).toEqual([]);
    expect(await client.orderStatus({ order_id: order.number })).toMatchObject({ status: 'prepare', order });
    await payByCard(redirect_url, CARD);
    const { id: payment_id = '' } = await told(service, order.number, { status: 'success' });
    const status = { payment_id, status: 'settled', order };
    expect(await client.status({ payment_id })).toMatchObject(status);
    expect(await client.orderStatus({ order_id: order.number })).toMatchObject(status);
    expect(await client.orderPayments({ order_id: order.number, size: 5 })).toMatchObject([status]);
    expect(await client.refund({ payment_id, amount: '4.00' })).toEqual({ payment_id, result: 'accepted' });
    await told(service, order.number, { type: 'refund', status: 'success' });
    const received = service.shop.received.filter(({ fields }) => fields['order_number'] === order.number);
    const checked = received.map((each) => client.verifyCallback(each));
    expect(checked.map((each) => each.ok && each.callback.fields.type)).toEqual(['sale', 'refund']);
    const [first] = received;
    const forged = { ...first, body: first?.body.replace('success', 'fail') ?? '', headers: first?.headers ?? {} };
    expect(client.verifyCallback(forged)).toEqual({ ok: false, reason: 'wrong-signature' });
  });

  test('that is held is captured in part; one that is settled is taken back', async () => {
    const held = await paid({ auth: true });
    expect(await client.capture({ payment_id: held.payment_id, amount: '6.00' })).toEqual({
      payment_id: held.payment_id,
      result: 'accepted',
    });
    await told(service, held.order.number, { type: 'capture', status: 'success' });
    const { payment_id, order } = await paid();
    expect(await client.void({ payment_id })).toMatchObject({
      status: 'SUCCESS',
      payment_status: 'void',
      payment_id,
      order,
    });
  });

  test('leads back to an address that verifies for its order and for no other', async () => {
    const { order, page } = await paid();
    const back = await fetch(page, { redirect: 'manual' });
    const found = /https:\/\/shop\.example\/success[^"]*/.exec(await back.text())?.[0] ?? '';
    const { search: query } = new URL(found.replaceAll('&amp;', '&'));
    const stood = { order_id: order.number, status: 'settled' };
    expect(client.verifyReturn({ query, order })).toMatchObject({ ok: true, return: stood });
    const other = { ...order, number: 'another' };
    expect(client.verifyReturn({ query, order: other })).toEqual({ ok: false, reason: 'other-order' });
    const altered = query.replace('state=settled', 'state=decline');
    expect(client.verifyReturn({ query: altered, order })).toEqual({ ok: false, reason: 'wrong-state' });
    const byHash = createClient({ baseUrl: service.url, merchantKey: merchant.key, password: merchant.password });
    expect(byHash.verifyReturn({ query, order })).toMatchObject({ ok: true, return: { order_id: order.number } });
    expect(byHash.verifyReturn({ query, order: { ...order, amount: '1.00' } })).toEqual({
      ok: false,
      reason: 'wrong-hash',
    });
  });
});

test('a mandate is charged again, and a soft decline is tried again', async () => {
  const { callback } = await paid({ recurring_init: true });
  const { recurring_init_trans_id = '', recurring_token = '' } = callback;
  const mandate = { recurring_init_trans_id, recurring_token };
  const again = () => {
    const { currency: _, ...order } = newOrder('7.50');
    return { ...mandate, order };
  };
  const charge = again();
  expect(await client.recurring({ ...charge, custom_data: { month: 2 } })).toMatchObject({
    status: 'settled',
    order: { ...charge.order, currency: 'USD' },
  });
  service.state.answer = ({ url }): Answered | undefined =>
    url.includes('/v1/agreements/')
      ? { status: 402, body: { id: 'd-1', status: 'DECLINED', amount: 750, currency: 'USD', response_code: '51' } }
      : undefined;
  const declined = await client.recurring(again());
  expect(declined).toMatchObject({ status: 'decline' });
  service.state.answer = () => undefined;
  const { payment_id } = declined;
  expect(await client.retry({ payment_id })).toEqual({ payment_id, result: 'accepted' });
  await service.shop.until(({ fields }) => fields['id'] === payment_id && fields['status'] === 'success');
});

test('a card is paid out to', async () => {
  const { number, amount, currency, description } = newOrder('25.00');
  const answer = await client.credit({
    order_id: number,
    order_amount: amount,
    order_currency: currency,
    order_description: description,
    card_number: '4601541833776519',
    payee_first_name: 'Jane',
    payee_last_name: 'Roe',
  });
  expect(answer.result).toBe('accepted');
  expect(await told(service, number, { type: 'credit' })).toMatchObject({ id: answer.payment_id, status: 'success' });
});

describe('what the service refuses', () => {
  const missing = '33333333-4444-4555-8666-777777777777';

  test('fields that are wrong are all named, with the call', async () => {
    const wrong = { ...newOrder('-1'), currency: 'XXX' };
    expect(await thrown(client.createSession(session(wrong, { success_url: 'nowhere' })))).toBe(
      'invalid 400 POST /api/v1/session: success_url: This value is not a valid URL. order.currency: This value is not valid.',
    );
    const error = await client.createSession(session(wrong)).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      kind: 'invalid',
      call: 'POST /api/v1/session',
      requestId: expect.any(String),
      issues: [{ path: 'order.currency', message: 'This value is not valid.', code: 100000 }],
    });
  });

  test.each<[string, () => Promise<unknown>, string]>([
    [
      'an unknown payment',
      () => client.status({ payment_id: missing }),
      'refused 400 POST /api/v1/payment/status: Payment does not exist.',
    ],
    [
      'an unknown order',
      () => client.orderStatus({ order_id: 'nobody-ordered-this' }),
      'refused 400 POST /api/v1/payment/status: Order does not exist.',
    ],
    [
      'a size out of range',
      () => client.orderPayments({ order_id: 'order-1', size: 101 }),
      'refused 400 POST /api/v1/payment/status: size should be within 1..100',
    ],
    [
      'an unknown mandate',
      () =>
        client.recurring({
          recurring_init_trans_id: missing,
          recurring_token: missing,
          order: { number: 'order-1', amount: '1.00', description: 'Tea' },
        }),
      'refused 400 POST /api/v1/payment/recurring: Incorrect transaction',
    ],
    [
      'another password',
      () =>
        createClient({ baseUrl: service.url, merchantKey: merchant.key, password: 'other' }).status({
          payment_id: missing,
        }),
      'invalid 400 POST /api/v1/payment/status: hash: Hash is not valid.',
    ],
    [
      'another address',
      () =>
        createClient({ baseUrl: `${service.url}/elsewhere`, merchantKey: merchant.key, password: 'other' }).status({
          payment_id: missing,
        }),
      'refused 404 POST /api/v1/payment/status: There is no such address.',
    ],
  ])('%s', async (_what, call, expected) => {
    expect(await thrown(call())).toBe(expected);
  });

  test('more than is left, with the code of the protocol', async () => {
    const { payment_id } = await paid();
    const error = await client.refund({ payment_id, amount: '10.01' }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ kind: 'refused', code: '208006', status: 400 });
  });

  test('an order number again within 15 seconds; with an idempotency key the first answer comes again', async () => {
    const order = newOrder();
    const call: CallOptions = { idempotencyKey: `session-${order.number}` };
    const first = await client.createSession(session(order), call);
    expect(await client.createSession(session(order), call)).toEqual(first);
    expect(await thrown(client.createSession(session(order)))).toBe(
      'refused 400 POST /api/v1/session: Duplicate request.',
    );
    expect(await thrown(client.createSession(session({ ...order, amount: '11.00' }), call))).toBe(
      'refused 400 POST /api/v1/session: The Idempotency-Key was used before for another request.',
    );
  });
});

describe('the test clock', () => {
  test('has a month pass, and the subscription of a payer is charged', async () => {
    const test = createClient({ baseUrl: service.url, merchantKey: trial.key, password: trial.password });
    const terms = { name: 'Tea', interval_length: 1, interval_unit: 'month', payments_count: 12 } as const;
    const { schedule_id } = await test.createSchedule(terms);
    const order = newOrder();
    const begun = session(order, { recurring_init: true, schedule_id });
    await payByCard((await test.createSession(begun)).redirect_url, CARD);
    const { first_recurring_date = '' } = await test.orderStatus({ order_id: order.number });
    const moved = await test.moveClock({ advance: '32d' }, { idempotencyKey: order.number });
    expect(moved).toMatchObject({ seconds_ahead: 32 * 86_400, is_complete: true });
    expect(moved.today > first_recurring_date).toBe(true);
    const charge = { order_id: `${order.number}-${first_recurring_date}` };
    const statusOf = () =>
      test.orderStatus(charge).then(
        ({ status }) => status,
        () => 'none yet',
      );
    await expect.poll(statusOf, { interval: 50, timeout: 30_000 }).toBe('settled');
    expect(await test.moveClock({ advance: '32d' }, { idempotencyKey: order.number })).toEqual(moved);
  });

  test('of the live key is refused', async () => {
    expect(await thrown(client.moveClock({ advance: '1d' }))).toBe(
      'refused 400 POST /api/v1/test/clock: The clock is one of test payments. Send the test key.',
    );
  });
});
