import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyMethodService } from '../support/any-method-service.ts';
import { otherMerchant } from '../support/any-method-config.ts';
import { apmSaleFields, onApmTransaction } from '../support/apm-commands.ts';
import { type Fields, sendCommand, statusFields } from '../support/commands.ts';

let service: Awaited<ReturnType<typeof anyMethodService>>;

beforeAll(async () => {
  service = await anyMethodService([{ key: 'redirect', mid: 'any' }]);
});

afterAll(() => service.stop());

const send = (fields: Fields, path = '/post-va') => sendCommand(service.url, fields, {}, path);

/** A sale of 10.00 that has succeeded, or is held. */
async function paid(change: Fields = {}) {
  const fields = apmSaleFields({ brand: 'redirect', order_currency: 'USD', ...change });
  const { json } = await send(fields);
  expect(json).toMatchObject({ result: 'SUCCESS', status: change['auth'] === 'Y' ? 'PENDING' : 'SETTLED' });
  return { trans_id: String(json['trans_id']), order_id: fields['order_id'] ?? '' };
}

/** Waits for the callback of a later command. */
async function calledBack(order_id: string, action: string, status: string) {
  const { fields } = await service.shop.until(
    ({ fields: each }) => each['order_id'] === order_id && each['action'] === action && each['status'] === status,
  );
  return fields;
}

const statusOf = async (trans_id: string) => (await send(statusFields(trans_id))).json['status'];

describe('a hold', () => {
  test('is captured in part, once', async () => {
    const { trans_id, order_id } = await paid({ auth: 'Y' });
    const { json } = await send(onApmTransaction('CAPTURE', trans_id, { amount: '4.00' }));
    expect(json).toMatchObject({ action: 'CAPTURE', result: 'SUCCESS', status: 'SETTLED', order_id, trans_id });
    expect(await calledBack(order_id, 'CAPTURE', 'SETTLED')).toMatchObject({ result: 'SUCCESS', amount: '4.00' });
    expect(await statusOf(trans_id)).toBe('SETTLED');
    const again = await send(onApmTransaction('CAPTURE', trans_id));
    expect(again).toMatchObject({ status: 400, json: { result: 'ERROR', error_code: 208003 } });
  });

  test('is captured whole where no amount is named', async () => {
    const { trans_id, order_id } = await paid({ auth: 'Y' });
    await send(onApmTransaction('CAPTURE', trans_id));
    expect(await calledBack(order_id, 'CAPTURE', 'SETTLED')).toMatchObject({ amount: '10.00' });
  });

  test.each(['y', 'true', 'N'])('is none where auth is "%s": the sale is paid at once', async (auth) => {
    const { trans_id } = await paid({ auth });
    expect(await statusOf(trans_id)).toBe('SETTLED');
  });

  test('cannot be voided, and stays as it is', async () => {
    const { trans_id } = await paid({ auth: 'Y' });
    const { status, json } = await send(onApmTransaction('VOID', trans_id));
    expect([status, json['error_message']]).toEqual([400, 'Void is not allowed.']);
    expect(await statusOf(trans_id)).toBe('PENDING');
  });

  test('is released by a CREDITVOID', async () => {
    const { trans_id, order_id } = await paid({ auth: 'Y' });
    expect((await send(onApmTransaction('CREDITVOID', trans_id))).json).toEqual({
      action: 'CREDITVOID',
      result: 'ACCEPTED',
      order_id,
      trans_id,
    });
    await calledBack(order_id, 'CREDITVOID', 'REVERSAL');
    expect(await statusOf(trans_id)).toBe('REVERSAL');
    const late = await send(onApmTransaction('CAPTURE', trans_id));
    expect(late).toMatchObject({ status: 400, json: { error_code: 208003 } });
  });

  test('is not released in part or beyond its amount, and stays as it is', async () => {
    const { trans_id } = await paid({ auth: 'Y' });
    const part = await send(onApmTransaction('CREDITVOID', trans_id, { amount: '4.00' }));
    expect(part).toMatchObject({ status: 400, json: { result: 'ERROR', error_code: 208009 } });
    const beyond = await send(onApmTransaction('CREDITVOID', trans_id, { amount: '10.01' }));
    expect(beyond).toMatchObject({ status: 400, json: { result: 'ERROR', error_code: 208008 } });
    expect(await statusOf(trans_id)).toBe('PENDING');
  });
});

describe('a settled sale', () => {
  test('is refunded in parts, and never beyond its amount', async () => {
    const { trans_id, order_id } = await paid();
    await send(onApmTransaction('CREDITVOID', trans_id, { amount: '4.00' }));
    expect(await calledBack(order_id, 'CREDITVOID', 'SETTLED')).toMatchObject({ result: 'SUCCESS', amount: '4.00' });
    const more = await send(onApmTransaction('CREDITVOID', trans_id, { amount: '6.01' }));
    expect(more).toMatchObject({ status: 400, json: { error_code: 208006 } });
    await send(onApmTransaction('CREDITVOID', trans_id));
    expect(await calledBack(order_id, 'CREDITVOID', 'REFUND')).toMatchObject({
      amount: '6.00',
      creditvoid_date: expect.stringMatching(/^\d{4}-/),
    });
    expect(await statusOf(trans_id)).toBe('REFUND');
  });

  test('is voided, once, and not refunded after it', async () => {
    const { trans_id, order_id } = await paid();
    const { json } = await send(onApmTransaction('VOID', trans_id));
    expect(json).toMatchObject({ action: 'VOID', result: 'SUCCESS', status: 'VOID', order_id, trans_id });
    await calledBack(order_id, 'VOID', 'VOID');
    const again = await send(onApmTransaction('VOID', trans_id));
    expect(again).toMatchObject({ status: 400, json: { error_message: 'Void is not allowed.' } });
    const refund = await send(onApmTransaction('CREDITVOID', trans_id));
    expect(refund).toMatchObject({ status: 400, json: { error_code: 208005 } });
  });

  test('is not captured', async () => {
    const { trans_id } = await paid();
    const { status, json } = await send(onApmTransaction('CAPTURE', trans_id));
    expect([status, json['error_code']]).toEqual([400, 208003]);
  });
});

describe('32 at once', () => {
  const at32 = async (fields: Fields) =>
    (await Promise.all(Array.from({ length: 32 }, () => send(fields)))).map(({ json }) => json['result']);

  test('capture a hold once', async () => {
    const { trans_id } = await paid({ auth: 'Y' });
    const results = await at32(onApmTransaction('CAPTURE', trans_id, { amount: '4.00' }));
    expect(results.filter((each) => each === 'SUCCESS')).toHaveLength(1);
  });

  test('give back no more than was paid', async () => {
    const { trans_id, order_id } = await paid();
    const given = (await at32(onApmTransaction('CREDITVOID', trans_id, { amount: '1.00' }))).filter(
      (each) => each === 'ACCEPTED',
    ).length;
    expect(given).toBeGreaterThan(0);
    expect(given).toBeLessThanOrEqual(10);
    if (given < 10) await send(onApmTransaction('CREDITVOID', trans_id));
    await calledBack(order_id, 'CREDITVOID', 'REFUND');
  });

  test('void a sale once', async () => {
    const { trans_id } = await paid();
    const results = await at32(onApmTransaction('VOID', trans_id));
    expect(results.filter((each) => each === 'SUCCESS')).toHaveLength(1);
  });
});

const UNKNOWN_ID = '00000000-1111-4222-8333-444444444444';

describe.each([
  ['GET_TRANS_STATUS', 'Transaction does not exist.'],
  ['CAPTURE', 'Transaction does not exist.'],
  ['VOID', 'Payment not found.'],
  ['CREDITVOID', 'Payment not found.'],
])('%s of S2S APM', (action, error_message) => {
  test('checks its hash first, and answers its row for an unknown transaction and for another merchant’s', async () => {
    const { trans_id } = await paid();
    const row = { status: 400, json: { result: 'ERROR', error_message } };
    expect(await send(onApmTransaction(action, UNKNOWN_ID))).toMatchObject(row);
    expect(await send(onApmTransaction(action, trans_id, {}, otherMerchant))).toMatchObject(row);
    expect(await send(onApmTransaction(action, 'no-uuid'))).toMatchObject(row);
    const forged = await Promise.all(
      [trans_id, UNKNOWN_ID].map((id) => send(onApmTransaction(action, id, { hash: 'f'.repeat(32) }))),
    );
    for (const { status, json } of forged)
      expect([status, json['errors']]).toEqual([
        400,
        [{ error_code: 100_000, error_message: 'hash: Hash is not valid.', hint: expect.any(String) }],
      ]);
    expect(await statusOf(trans_id)).toBe('SETTLED');
  });
});
