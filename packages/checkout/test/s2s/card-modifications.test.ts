import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AcquirerService, acquirerService } from '../support/acquirer-service.ts';
import { type Fields, sendCommand } from '../support/commands.ts';
import { onTransaction, saleFields, transactionHash } from '../support/card-commands.ts';
import { otherMerchant } from '../support/any-method-config.ts';

let service: AcquirerService;

beforeAll(async () => {
  service = await acquirerService();
});

afterAll(() => service.stop());

const send = (fields: Fields, path = '/post') => sendCommand(service.url, fields, {}, path);

/** A sale that has succeeded. */
async function paid(change: Fields = {}) {
  const fields = saleFields({ order_amount: '10.00', ...change });
  const { json } = await send(fields);
  expect(json).toMatchObject({ result: 'SUCCESS', status: change['auth'] === 'Y' ? 'PENDING' : 'SETTLED' });
  return { trans_id: String(json['trans_id']), order_id: fields['order_id'] ?? '' };
}

/** Waits for the callback of a later command. */
async function told(order_id: string, action: string, status: string) {
  const { fields } = await service.shop.until(
    ({ fields: each }) => each['order_id'] === order_id && each['action'] === action && each['status'] === status,
  );
  expect(fields['hash']).toBe(transactionHash(fields['trans_id'] ?? ''));
  return fields;
}

const statusOf = async (trans_id: string) => (await send(onTransaction('GET_TRANS_STATUS', trans_id))).json['status'];

describe('a hold', () => {
  test('is captured in part, once', async () => {
    const { trans_id, order_id } = await paid({ auth: 'Y' });
    const { json } = await send(onTransaction('CAPTURE', trans_id, { amount: '4.00' }));
    expect(json).toMatchObject({ action: 'CAPTURE', result: 'SUCCESS', status: 'SETTLED', order_id, trans_id });
    expect(await told(order_id, 'CAPTURE', 'SETTLED')).toMatchObject({ result: 'SUCCESS', amount: '4.00' });
    const again = await send(onTransaction('CAPTURE', trans_id));
    expect(again.json).toMatchObject({ result: 'ERROR', error_code: 208003 });
  });

  test('is not captured beyond its amount', async () => {
    const { trans_id } = await paid({ auth: 'Y' });
    const { json } = await send(onTransaction('CAPTURE', trans_id, { amount: '10.01' }));
    expect(json).toMatchObject({ result: 'ERROR', error_code: 208004 });
  });

  test('cannot be voided, and stays as it is', async () => {
    const { trans_id } = await paid({ auth: 'Y' });
    const { status, json } = await send(onTransaction('VOID', trans_id));
    expect([status, json['error_code'], json['error_message']]).toEqual([400, 100000, 'Void is not allowed.']);
    expect(await statusOf(trans_id)).toBe('PENDING');
  });

  test('is released by a CREDITVOID, whole', async () => {
    const { trans_id, order_id } = await paid({ auth: 'Y' });
    const part = await send(onTransaction('CREDITVOID', trans_id, { amount: '1.00' }));
    expect(part.json).toMatchObject({ result: 'ERROR', error_code: 208009 });
    const more = await send(onTransaction('CREDITVOID', trans_id, { amount: '10.01' }));
    expect(more.json).toMatchObject({ result: 'ERROR', error_code: 208008 });
    expect((await send(onTransaction('CREDITVOID', trans_id))).json).toEqual({
      action: 'CREDITVOID',
      result: 'ACCEPTED',
      order_id,
      trans_id,
    });
    await told(order_id, 'CREDITVOID', 'REVERSAL');
    expect(await statusOf(trans_id)).toBe('REVERSAL');
  });
});

describe('a settled sale', () => {
  test('is refunded in parts, and never beyond its amount', async () => {
    const { trans_id, order_id } = await paid();
    await send(onTransaction('CREDITVOID', trans_id, { amount: '4.00' }));
    expect(await told(order_id, 'CREDITVOID', 'SETTLED')).toMatchObject({ result: 'SUCCESS', amount: '4.00' });
    const more = await send(onTransaction('CREDITVOID', trans_id, { amount: '6.01' }));
    expect(more.json).toMatchObject({ result: 'ERROR', error_code: 208006 });
    await send(onTransaction('CREDITVOID', trans_id));
    const last = await told(order_id, 'CREDITVOID', 'REFUND');
    expect(last).toMatchObject({ amount: '6.00', creditvoid_date: expect.stringMatching(/^\d{4}-/) });
    const none = await send(onTransaction('CREDITVOID', trans_id));
    expect(none.json).toMatchObject({ result: 'ERROR', error_code: 208005 });
  });

  test('is voided', async () => {
    const { trans_id, order_id } = await paid();
    const { json } = await send(onTransaction('VOID', trans_id));
    expect(json).toMatchObject({ action: 'VOID', result: 'SUCCESS', status: 'VOID', order_id, trans_id });
    await told(order_id, 'VOID', 'VOID');
  });

  test('is reported with its payer, its card and its parts', async () => {
    const { trans_id, order_id } = await paid();
    await send(onTransaction('CREDITVOID', trans_id, { amount: '4.00' }));
    await told(order_id, 'CREDITVOID', 'SETTLED');
    expect((await send(onTransaction('GET_TRANS_DETAILS', trans_id))).json).toEqual({
      action: 'GET_TRANS_DETAILS',
      result: 'SUCCESS',
      status: 'SETTLED',
      order_id,
      trans_id,
      name: 'John Doe',
      mail: 'doe@example.com',
      ip: '123.123.123.123',
      amount: '10.00',
      currency: 'USD',
      card: '411111******1111',
      transactions: [
        { type: 'sale', status: 'success', date: expect.any(String), amount: '10.00' },
        { type: 'refund', status: 'success', date: expect.any(String), amount: '4.00' },
      ],
    });
  });
});

describe('32 at once', () => {
  const at32 = async (fields: (at: number) => Fields) =>
    (await Promise.all(Array.from({ length: 32 }, (_each, at) => send(fields(at))))).map(({ json }) => json['result']);

  test('capture a hold once', async () => {
    const { trans_id } = await paid({ auth: 'Y' });
    const results = await at32(() => onTransaction('CAPTURE', trans_id, { amount: '4.00' }));
    expect(results.filter((each) => each === 'SUCCESS')).toHaveLength(1);
    expect(await statusOf(trans_id)).toBe('SETTLED');
  });

  test('give back no more than was paid', async () => {
    const { trans_id, order_id } = await paid();
    const results = await at32(() => onTransaction('CREDITVOID', trans_id, { amount: '1.00' }));
    const given = results.filter((each) => each === 'ACCEPTED').length;
    expect(given).toBeGreaterThan(0);
    expect(given).toBeLessThanOrEqual(10);
    if (given < 10) await send(onTransaction('CREDITVOID', trans_id));
    await told(order_id, 'CREDITVOID', 'REFUND');
  });

  test('void a sale once', async () => {
    const { trans_id } = await paid();
    const results = await at32(() => onTransaction('VOID', trans_id));
    expect(results.filter((each) => each === 'SUCCESS')).toHaveLength(1);
    expect(await statusOf(trans_id)).toBe('VOID');
  });
});

const UNKNOWN_ID = '00000000-1111-4222-8333-444444444444';

describe.each([
  ['GET_TRANS_STATUS', 101000, 'Transaction does not exist.'],
  ['GET_TRANS_DETAILS', 101000, 'Transaction does not exist.'],
  ['CAPTURE', 101000, 'Transaction does not exist.'],
  ['VOID', 100000, 'Payment not found.'],
  ['CREDITVOID', 100000, 'Payment not found.'],
])('%s', (action, error_code, error_message) => {
  const row = { status: 400, json: { result: 'ERROR', error_code, error_message } };

  test('of an unknown transaction, with a wrong hash and of another merchant gets its row', async () => {
    const { trans_id } = await paid();
    const { request_id: _one, ...unknown } = (await send(onTransaction(action, UNKNOWN_ID))).json;
    expect({ status: 400, json: unknown }).toMatchObject(row);
    const wrong = await send(onTransaction(action, trans_id, { hash: 'f'.repeat(32) }));
    expect(wrong).toMatchObject(row);
    const { request_id: _two, ...same } = wrong.json;
    expect(same).toEqual(unknown);
    expect(await send(onTransaction(action, trans_id, {}, otherMerchant))).toMatchObject(row);
    expect(await send(onTransaction(action, 'no-uuid'))).toMatchObject(row);
    expect(await statusOf(trans_id)).toBe('SETTLED');
  });
});
