import { randomUUID } from 'node:crypto';
import { signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import {
  account,
  acquirerService,
  type AcquirerService,
  type Answered,
  startMandate,
  payOrder,
  told,
} from '../support/acquirer-service.ts';
import { errorLines } from '../support/any-method-service.ts';
import { errorOf } from '../support/merchant-acts.ts';
import { CARD } from '../support/card-service.ts';
import { merchant } from '../support/service.ts';

let service: AcquirerService;
beforeAll(async () => {
  service = await acquirerService();
});
afterAll(() => service.stop());
beforeEach(() => {
  service.state.answer = () => undefined;
});

let orders = 0;
const nextOrder = (amount = '7.50') => {
  orders += 1;
  return { number: `again-${process.pid}-${orders}`, amount, description: 'Second month' };
};
const isCharge = ({ url }: { readonly url: string }) => url.includes('/v1/agreements/');
const chargesOf = ({ asked }: AcquirerService, description: string) =>
  asked.filter((request) => isCharge(request) && String(request.body).includes(description));
/** What the acquirer says of a charge that it refuses. */
const declined = (response_code: string): Answered => ({
  status: 402,
  body: {
    id: randomUUID(),
    status: 'DECLINED',
    amount: 750,
    currency: 'USD',
    response_code,
    response_message: 'Insufficient funds.',
  },
});
const saleSchema = z.object({ reference: z.string(), amount: z.number(), currency: z.string() });
/** An acquirer that gives an agreement for every sale, asked or not. */
const agreed = (sale: unknown): Answered => {
  const { reference, amount, currency } = saleSchema.parse(sale);
  const body = { id: randomUUID(), reference, amount, currency, status: 'APPROVED', agreement_id: `agr_${reference}` };
  return { status: 201, body };
};
const answered = z.object({ payment_id: z.uuid(), status: z.string() }).loose();

describe('a mandate with charges', () => {
  test('begins with recurring_init: its ids are reported once the first payment is settled, in callback and status', async () => {
    const { mandate, id, fields } = await startMandate(service);
    expect(fields).toMatchObject({ type: 'sale', status: 'success', card: '411111******1111' });
    expect(z.uuid().safeParse(mandate.recurring_token).success).toBe(true);
    expect(await service.status(id)).toMatchObject({ status: 'settled', ...mandate });
  });

  test('does not begin without recurring_init, or with a card that gives no agreement', async () => {
    const plain = await payOrder(service);
    const other = await payOrder(service, { recurring_init: true }, {}, { ...CARD, 'card.expiry': '03 / 38' });
    for (const number of [plain, other])
      expect(await told(service, number, { order_status: 'settled' })).not.toHaveProperty('recurring_token');
  });

  test('does not begin without recurring_init where a connector kept an agreement all the same', async () => {
    service.state.answer = ({ url, body }) =>
      url.endsWith('/v1/sales') && body !== undefined ? agreed(JSON.parse(body)) : undefined;
    const number = await payOrder(service);
    const { id = '', ...fields } = await told(service, number, { order_status: 'settled' });
    expect(fields).not.toHaveProperty('recurring_token');
    expect(await service.status(id)).not.toHaveProperty('recurring_token');
  });

  test('begins with each saved card of an account that has Card-on-File, and can be charged', async () => {
    const onFile = await acquirerService({}, (settings) => [account('cards', settings, { cardOnFile: true })]);
    onTestFinished(() => onFile.stop());
    const number = await payOrder(onFile, { req_token: true });
    const fields = await told(onFile, number, { order_status: 'settled' });
    const { recurring_init_trans_id = '', recurring_token = '' } = fields;
    expect(JSON.parse(onFile.asked[0]?.body ?? '{}')).toMatchObject({ stored_credential: { use: 'first' } });
    const { json } = await onFile.recurring({ recurring_init_trans_id, recurring_token }, nextOrder());
    expect(json).toMatchObject({ status: 'settled' });
  });

  test('is charged again: a payment of its own of the type recurring, reported with the ids and its own custom_data', async () => {
    const { mandate, id } = await startMandate(service, { custom_data: { of: 'the first' } });
    const order = nextOrder();
    const { status, json } = await service.recurring(mandate, order, { custom_data: { k: 'v' } });
    expect([status, json]).toEqual([
      200,
      {
        payment_id: expect.any(String),
        date: expect.any(String),
        status: 'settled',
        order: { ...order, currency: 'USD' },
      },
    ]);
    const { payment_id } = answered.parse(json);
    expect(payment_id).not.toBe(id);
    expect(await told(service, order.number, {})).toMatchObject({
      id: payment_id,
      type: 'recurring',
      status: 'success',
      order_status: 'settled',
      order_amount: '7.50',
      order_currency: 'USD',
      card: '411111******1111',
      'custom_data[k]': 'v',
      ...mandate,
      hash: signRequest('callback', { payment_id, ...order, currency: 'USD' }, merchant.password),
    });
    expect(await service.status(payment_id)).toMatchObject({ payment_id, status: 'settled', ...mandate });
    expect((await service.refund(payment_id, '7.50')).status).toBe(200);
    expect(await told(service, order.number, { type: 'refund' })).toMatchObject({ order_status: 'refund' });
  });

  test('of a debit is charged again as well', async () => {
    const { mandate } = await startMandate(service, { operation: 'debit' });
    expect((await service.recurring(mandate, nextOrder())).json).toMatchObject({ status: 'settled' });
  });

  test('can begin with a zero amount', async () => {
    const number = await payOrder(service, { recurring_init: true }, { amount: '0.00' });
    const { recurring_init_trans_id = '', recurring_token = '' } = await told(service, number, {
      order_status: 'settled',
    });
    const { json } = await service.recurring({ recurring_init_trans_id, recurring_token }, nextOrder());
    expect(json).toMatchObject({ status: 'settled' });
  });
});

describe('a charge', () => {
  test('that is declined is answered with the reason and reported as failed', async () => {
    const { mandate } = await startMandate(service);
    service.state.answer = (request) => (isCharge(request) ? declined('54') : undefined);
    const order = nextOrder();
    const { status, json } = await service.recurring(mandate, order);
    expect([status, json]).toMatchObject([200, { status: 'decline', reason: 'Declined by processing.' }]);
    expect(await told(service, order.number, {})).toMatchObject({
      type: 'recurring',
      status: 'fail',
      order_status: 'decline',
      reason: 'Declined by processing.',
    });
    expect(errorOf(await service.retry(answered.parse(json).payment_id))).toBe(
      '100000 Not acceptable to request the retry for payment not softly declined.',
    );
  });

  test('with an unknown result is pending, not declined, and cannot be tried again', async () => {
    const { mandate } = await startMandate(service);
    service.state.answer = ({ url }) =>
      url.includes('/v1/agreements/') || url.includes('reference') ? 'lost' : undefined;
    const { json } = await service.recurring(mandate, nextOrder());
    expect(json).toMatchObject({ status: 'pending' });
    expect((await service.retry(answered.parse(json).payment_id)).status).toBe(400);
  });

  test('whose answer is lost is made once, and reported as settled', async () => {
    const { mandate } = await startMandate(service);
    const order = { ...nextOrder(), description: `Lost ${randomUUID()}` };
    service.state.answer = (request) => {
      if (!isCharge(request)) return undefined;
      service.state.answer = () => undefined;
      return 'lost-after';
    };
    const { json } = await service.recurring(mandate, order);
    const { payment_id } = answered.parse(json);
    expect(await told(service, order.number, { status: 'success' })).toMatchObject({
      id: payment_id,
      type: 'recurring',
    });
    const [first] = chargesOf(service, order.description);
    const { reference } = z.object({ reference: z.string() }).parse(JSON.parse(first?.body ?? '{}'));
    expect(service.simulator.payments().filter((each) => each.reference === reference)).toHaveLength(1);
  });

  test.each([
    ['of another token', { recurring_token: randomUUID() }],
    ['of an unknown first payment', { recurring_init_trans_id: randomUUID() }],
    ['of ids that are none', { recurring_init_trans_id: 'x', recurring_token: 'y' }],
  ])('%s is refused', async (_name, change) => {
    const { mandate } = await startMandate(service);
    const answer = await service.recurring({ ...mandate, ...change }, nextOrder());
    expect([answer.status, errorOf(answer)]).toEqual([400, '100000 Incorrect transaction']);
  });

  test.each([
    [{ amount: '0.00' }, 'order.amount: This value should be greater than 0.'],
    [{ amount: '1.234' }, 'order.amount: This value should have 2 decimals or less.'],
    [{ number: 'a b#1' }, 'order.number: This value is not valid.'],
    [{ description: '' }, 'order.description: This value should not be blank.'],
    [{ description: 'x' }, 'order.description: This value is too short. It should have 2 characters or more.'],
  ])('with %j is refused', async (change, line) => {
    const { mandate } = await startMandate(service);
    expect(errorLines((await service.recurring(mandate, { ...nextOrder(), ...change })).json)).toEqual([line]);
  });

  test('with the order number of the one before is a duplicate', async () => {
    const { mandate } = await startMandate(service);
    const order = nextOrder();
    await service.recurring(mandate, order);
    expect(errorOf(await service.recurring(mandate, order))).toBe('400 Duplicate request.');
  });

  test('that is asked with an Idempotency-Key is made once, also where ten ask at once', async () => {
    const { mandate } = await startMandate(service);
    const order = { ...nextOrder(), description: `Once ${randomUUID()}` };
    const hash = signRequest('recurring', { ...mandate, ...order }, merchant.password);
    const ask = async () => {
      const reply = await fetch(`${service.url}/api/v1/payment/recurring`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': order.number },
        body: JSON.stringify({ merchant_key: merchant.key, ...mandate, order, hash }),
      });
      return { status: reply.status, json: await reply.json() };
    };
    const first = await Promise.all(Array.from({ length: 10 }, ask));
    const done = first.filter(({ status }) => status === 200);
    expect(done.length).toBeGreaterThan(0);
    expect(await ask()).toEqual(done[0]);
    expect(chargesOf(service, order.description)).toHaveLength(1);
  });
});

describe('a softly declined charge', () => {
  async function softlyDeclined() {
    const { mandate } = await startMandate(service);
    service.state.answer = (request) => (isCharge(request) ? declined('51') : undefined);
    const order = { ...nextOrder(), description: `Softly ${randomUUID()}` };
    const { payment_id } = answered.parse((await service.recurring(mandate, order)).json);
    await told(service, order.number, { status: 'fail' });
    return { order, payment_id };
  }

  test('is tried again with a new request, and settles under the id that the merchant knows', async () => {
    const { order, payment_id } = await softlyDeclined();
    service.state.answer = () => undefined;
    expect((await service.retry(payment_id)).json).toEqual({ payment_id, result: 'accepted' });
    expect(await told(service, order.number, { status: 'success' })).toMatchObject({
      id: payment_id,
      type: 'recurring',
      order_status: 'settled',
    });
    expect(await service.status(payment_id)).toMatchObject({ payment_id, status: 'settled' });
    expect(await service.byOrder(order.number, '5')).toMatchObject([{ payment_id, status: 'settled' }]);
    const references = chargesOf(service, order.description).map(({ body }) => JSON.parse(String(body)).reference);
    expect(new Set(references).size).toBe(2);
    expect((await service.retry(payment_id)).status).toBe(400);
    expect((await service.refund(payment_id, '7.50')).json).toEqual({ payment_id, result: 'accepted' });
    await told(service, order.number, { type: 'refund', order_status: 'refund' });
  });

  test('that is declined again is reported again, with a later version', async () => {
    const { order, payment_id } = await softlyDeclined();
    await service.retry(payment_id);
    const of = () => service.shop.received.filter(({ fields }) => fields.order_number === order.number);
    await service.shop.until(() => of().length === 2);
    expect(of().map(({ fields, headers }) => [fields.status, headers['x-payment-version']])).toEqual([
      ['fail', '1'],
      ['fail', '2'],
    ]);
    service.state.answer = () => undefined;
    expect((await service.retry(payment_id)).status).toBe(200);
    await told(service, order.number, { status: 'success' });
  });

  test('is tried once where ten ask at once', async () => {
    const { order, payment_id } = await softlyDeclined();
    service.state.answer = () => undefined;
    const answers = await Promise.all(Array.from({ length: 10 }, () => service.retry(payment_id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(chargesOf(service, order.description)).toHaveLength(2);
  });

  test('is a charge: no other payment can be tried again', async () => {
    const number = await payOrder(service, {}, {}, { ...CARD, 'card.expiry': '02 / 38' });
    const { id = '' } = await told(service, number, { status: 'fail' });
    expect(errorOf(await service.retry(id))).toBe('204005 Payment action not supported.');
    expect(errorOf(await service.retry(randomUUID()))).toBe('101000 Payment does not exist.');
  });
});

test('a mandate whose account is no longer the merchant’s is not charged, and no charge of it is tried again', async () => {
  const moving = await acquirerService({}, (settings) => [account('cards', settings), account('other', settings)]);
  try {
    const { mandate } = await startMandate(moving);
    moving.state.answer = (request) => (isCharge(request) ? declined('51') : undefined);
    const order = nextOrder();
    const { payment_id } = answered.parse((await moving.recurring(mandate, order)).json);
    await moving.configure((merchants) =>
      merchants.map((each) => ({ ...each, methods: [{ key: 'card', mid: 'other' }] })),
    );
    const before = moving.asked.length;
    const refusal = '204005 Payment action not supported.';
    expect(errorOf(await moving.recurring(mandate, nextOrder()))).toBe(refusal);
    expect(errorOf(await moving.retry(payment_id))).toBe(refusal);
    expect(moving.asked.length).toBe(before);
  } finally {
    await moving.stop();
  }
});
