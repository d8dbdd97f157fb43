import { signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AcquirerService, acquirerService, payOrder, told } from '../support/acquirer-service.ts';
import { merchant, post } from '../support/service.ts';

let service: AcquirerService;

beforeAll(async () => {
  service = await acquirerService();
});

afterAll(() => service.stop());

/** A payment of 10.00 on the page, which is held or paid. */
async function paid(auth: boolean) {
  const number = await payOrder(service, { auth });
  const { id = '' } = await told(service, number, { type: 'sale', status: 'success' });
  return { number, id };
}

const voided = (payment_id: string) =>
  post(`${service.url}/api/v1/payment/void`, {
    merchant_key: merchant.key,
    payment_id,
    hash: signRequest('void', { payment_id }, merchant.password),
  });

const callbacksOf = (number: string) => service.shop.received.filter(({ fields }) => fields['order_number'] === number);

describe('a hold of the page', () => {
  test('is not voided: nothing is sent, nothing is called back, and it can still be captured', async () => {
    const { number, id } = await paid(true);
    const asked = service.asked.length;
    expect(await voided(id)).toMatchObject({
      status: 400,
      json: { error_code: '100000', error_message: 'Void is not allowed.' },
    });
    expect([service.asked.length, await service.status(id)]).toMatchObject([asked, { status: 'pending' }]);
    await service.capture(id, '10.00');
    await told(service, number, { type: 'capture', status: 'success' });
    expect(callbacksOf(number)).toHaveLength(2);
  });

  test('is released whole by a refund, which is called back as a reversal', async () => {
    const { number, id } = await paid(true);
    expect((await service.refund(id, '10.00')).json).toEqual({ payment_id: id, result: 'accepted' });
    await told(service, number, { type: 'reversal', status: 'success', order_status: 'reversal' });
    expect(service.asked.map(({ url }) => new URL(url).pathname)).toContainEqual(expect.stringMatching(/revers/));
    expect(await service.status(id)).toMatchObject({ status: 'reversal' });
    expect((await service.capture(id, '10.00')).json).toMatchObject({ error_code: '208003' });
    expect((await service.refund(id, '10.00')).json).toMatchObject({ error_code: '208005' });
  });

  test.each([
    ['9.99', '208009', 'Not acceptable to request the reversal for partial amount.'],
    ['10.01', '208008', 'Not acceptable to request the reversal for amount bigger than payment amount.'],
  ])('is not released by a refund of %s, and stays as it is', async (amount, error_code, error_message) => {
    const { id } = await paid(true);
    const asked = service.asked.length;
    expect(await service.refund(id, amount)).toMatchObject({ status: 400, json: { error_code, error_message } });
    expect([service.asked.length, await service.status(id)]).toMatchObject([asked, { status: 'pending' }]);
  });

  test('is released by one of 32 refunds at once', async () => {
    const { id } = await paid(true);
    const all = await Promise.all(Array.from({ length: 32 }, () => service.refund(id, '10.00')));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

test('a capture and a refund in part say their amounts in callbacks and status', async () => {
  const { number, id } = await paid(true);
  await service.capture(id, '4.00');
  expect(await told(service, number, { type: 'capture' })).toMatchObject({
    capture_amount: '4.00',
    order_amount: '10.00',
  });
  expect(await service.status(id)).toMatchObject({ status: 'settled', captured_amount: '4.00' });
  await service.refund(id, '1.50');
  expect(await told(service, number, { type: 'refund' })).toMatchObject({
    refund_amount: '1.50',
    order_status: 'settled',
  });
  await service.refund(id, '2.50');
  expect(await told(service, number, { type: 'refund', order_status: 'refund' })).toMatchObject({
    refund_amount: '2.50',
  });
  expect(await service.status(id)).toMatchObject({
    status: 'refund',
    captured_amount: '4.00',
    refunded_amount: '4.00',
    order: { amount: '10.00' },
  });
});
