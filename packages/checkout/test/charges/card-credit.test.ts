import { randomUUID } from 'node:crypto';
import { signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { acquirerService, type AcquirerService, payOrder, told } from '../support/acquirer-service.ts';
import { errorLines } from '../support/any-method-service.ts';
import { otherMerchant } from '../support/any-method-config.ts';
import { errorOf } from '../support/merchant-acts.ts';
import { merchant } from '../support/service.ts';

/** The acquirer pays out to it by its number alone. */
const NUMBER = '4601541833776519';

let service: AcquirerService;
let token = '';
beforeAll(async () => {
  service = await acquirerService();
  const number = await payOrder(service, { req_token: true, customer: { name: 'Ada Example' } });
  ({ card_token: token = '' } = await told(service, number, { status: 'success' }));
});
afterAll(() => service.stop());
beforeEach(() => {
  service.state.answer = () => undefined;
});

let orders = 0;
const nextOrder = (change: Readonly<Record<string, string>> = {}) => {
  orders += 1;
  const fields = { order_id: `payout-${process.pid}-${orders}`, order_amount: '25.00', order_currency: 'USD' };
  return { ...fields, order_description: 'Affiliate payout', ...change };
};
const names = { payee_first_name: 'Jane', payee_last_name: 'Roe' };
const isPayout = ({ url }: { readonly url: string }) => url.endsWith('/v1/payouts');
const payoutOf = (description: string) =>
  service.asked.filter((each) => isPayout(each) && String(each.body).includes(description));
const accepted = z.object({ payment_id: z.uuid(), result: z.literal('accepted') });

describe('a payout to a card', () => {
  test('by its number is accepted, and reported with the type credit', async () => {
    const order = nextOrder({ order_description: `To a number ${randomUUID()}` });
    const { status, json } = await service.credit(order, {
      card_number: NUMBER,
      ...names,
      payee_email: 'jane@example.com',
      payee_ip: '192.0.2.9',
      custom_data: { k: 'v' },
    });
    expect(status).toBe(200);
    const { payment_id } = accepted.parse(json);
    const callback = await told(service, order.order_id, {});
    expect(callback).toMatchObject({
      id: payment_id,
      type: 'credit',
      status: 'success',
      order_status: 'settled',
      order_amount: '25.00',
      card: '460154******6519',
      customer_ip: '192.0.2.9',
      'custom_data[k]': 'v',
      hash: signRequest(
        'callback',
        {
          payment_id,
          number: order.order_id,
          amount: order.order_amount,
          currency: 'USD',
          description: order.order_description,
        },
        merchant.password,
      ),
    });
    expect(callback).not.toHaveProperty('card_expiration_date');
    expect(await service.status(payment_id)).toMatchObject({ status: 'settled', order: { number: order.order_id } });
    const [sent] = payoutOf(order.order_description);
    expect(JSON.parse(sent?.body ?? '{}')).toMatchObject({
      card: { number: NUMBER },
      payee: { name: 'Jane Roe', email: 'jane@example.com' },
    });
  });

  test('by a saved one goes to the name on it, and to another name where one is sent', async () => {
    const [own, other] = [nextOrder(), nextOrder()].map((order) => ({ ...order, order_description: randomUUID() }));
    if (own === undefined || other === undefined) throw new Error('There are two.');
    for (const [order, more] of [
      [own, {}],
      [other, names],
    ] as const) {
      accepted.parse((await service.credit(order, { card_token: token, ...more })).json);
      expect(await told(service, order.order_id, {})).toMatchObject({
        type: 'credit',
        order_status: 'settled',
        card: '411111******1111',
        card_expiration_date: '01/2038',
      });
    }
    const payees = [own, other].map(
      ({ order_description }) => JSON.parse(payoutOf(order_description)[0]?.body ?? '{}').payee,
    );
    expect(payees).toMatchObject([{ name: 'Ada Example' }, { name: 'Jane Roe' }]);
  });

  test('that is declined is reported as failed', async () => {
    service.state.answer = (request) =>
      isPayout(request) ? { status: 422, body: { code: 'no', message: 'No payouts.' } } : undefined;
    const order = nextOrder();
    expect((await service.credit(order, { card_token: token })).status).toBe(200);
    expect(await told(service, order.order_id, {})).toMatchObject({ status: 'fail', order_status: 'decline' });
  });

  test('whose result is unknown is not reported as failed', async () => {
    service.state.answer = ({ url }) => (isPayout({ url }) || url.includes('reference') ? 'lost' : undefined);
    const order = nextOrder();
    const { payment_id } = accepted.parse((await service.credit(order, { card_token: token })).json);
    expect(await service.status(payment_id)).toMatchObject({ status: 'pending' });
  });
});

describe('a payout is refused', () => {
  test.each([
    ['without a card', {}, ['card_number: This value should not be blank.']],
    [
      'to a number and a saved card',
      { card_number: NUMBER, card_token: 'a'.repeat(64) },
      ['card_number: This field was not expected.'],
    ],
    ['to a wrong number', { card_number: '4601541833776518', ...names }, ['card_number: Invalid card number']],
    [
      'to a number of no network',
      { card_number: '1111222233334444', ...names },
      ['card_number: Bad Request. Brand of card does not support.'],
    ],
    ['without a payee', { card_number: NUMBER }, ['payee_first_name: This value should not be blank.']],
    ['to a strange token', { card_token: 'f'.repeat(64) }, ['card_token: This value is not correct.']],
    ['to a short token', { card_token: 'f' }, ['card_token: This value should have exactly 64 characters.']],
  ])('%s', async (_name, more, lines) => {
    const answer = await service.credit(nextOrder(), more);
    expect([answer.status, errorLines(answer.json)]).toEqual([400, lines]);
  });

  test.each([
    [{ order_amount: '0.00' }, 'order_amount: This value should be greater than 0.'],
    [{ order_amount: '1.234' }, 'order_amount: This value should have 2 decimals or less.'],
    [{ order_currency: 'Dollar' }, 'order_amount: This value should be greater than 0.'],
    [{ order_id: 'ab' }, 'order_id: This value is too short. It should have 3 characters or more.'],
  ])('with %j', async (change, line) => {
    expect(errorLines((await service.credit(nextOrder(change), { card_token: token })).json)).toContain(line);
  });

  test("to another merchant's saved card", async () => {
    const { json } = await service.credit(nextOrder(), { card_token: token }, otherMerchant);
    expect(errorLines(json)).toEqual(['card_token: This value is not correct.']);
  });

  test('with the order number of the one before', async () => {
    const order = nextOrder();
    await service.credit(order, { card_token: token });
    expect(errorOf(await service.credit(order, { card_token: token }))).toBe('400 Duplicate request.');
  });
});

test('a payout with an Idempotency-Key is made once, also where ten ask at once', async () => {
  const order = nextOrder({ order_description: `Once ${randomUUID()}` });
  const body = { merchant_key: merchant.key, ...order, card_token: token };
  const hash = signRequest('card_credit', order, merchant.password);
  const ask = async () => {
    const reply = await fetch(`${service.url}/api/v1/payment/card/credit`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': order.order_id },
      body: JSON.stringify({ ...body, hash }),
    });
    return reply.status;
  };
  await Promise.all(Array.from({ length: 10 }, ask));
  expect(await ask()).toBe(200);
  expect(payoutOf(order.order_description)).toHaveLength(1);
});
