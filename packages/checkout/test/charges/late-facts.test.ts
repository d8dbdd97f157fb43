import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type AcquirerService, acquirerService, payOrder, told } from '../support/acquirer-service.ts';

const DAY = 24 * 60 * 60 * 1000;
const ARN = '74537604221222132710572';
let service: AcquirerService;
let later = 0;
const now = () => Date.now() + later;

beforeAll(async () => {
  service = await acquirerService({}, undefined, { clock: now });
});

afterAll(() => service.stop());

const configure = (callbackData: readonly 'arn'[], statusData: readonly 'arn'[]) =>
  service.configure((merchants) =>
    merchants.map((each) => ({ ...each, callbackData: [...callbackData], statusData: [...statusData] })),
  );

const sent = z.object({ reference: z.string() });

/** A sale whose answer names no reference number, as acquirers answer that learn it from the scheme. */
async function soldWithoutNumber() {
  const id = `pay-${randomUUID()}`;
  const paid = { id, status: 'APPROVED', amount: 1000, currency: 'USD' };
  service.state.answer = ({ url }) => (url.endsWith('/v1/sales') ? { status: 201, body: paid } : undefined);
  const number = await payOrder(service);
  const sale = await told(service, number, { type: 'sale', order_status: 'settled' });
  service.state.answer = () => undefined;
  const { body = '' } = service.asked.findLast(({ url }) => url.endsWith('/v1/sales')) ?? {};
  const { reference } = sent.parse(JSON.parse(body));
  return { number, sale, payment: { ...paid, reference } };
}

/** The acquirer sends a notification, signed with its time. */
async function notified(content: object): Promise<void> {
  const body = JSON.stringify({ event_id: randomUUID(), ...content });
  const time = String(Math.floor(now() / 1000));
  const signature = createHmac('sha256', 'a-secret-of-the-notifications').update(`${time}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-timestamp': time, 'x-signature': `sha256=${signature}` };
  const { status } = await fetch(`${service.url}/notify/cards`, { method: 'POST', headers, body });
  expect(status).toBe(204);
}

const statusOf = async (number: string) => Object([await service.byOrder(number, '1')].flat()[0]);
const callbacksOf = (number: string) =>
  service.shop.received.filter(({ fields }) => fields.order_number === number).map(({ fields }) => fields);

describe('the reference of a clearing that is reported a day later', () => {
  test.each([
    ['callbacks and the status', ['arn'], ['arn']],
    ['callbacks alone', ['arn'], []],
    ['the status alone', [], ['arn']],
    ['neither', [], []],
  ] as const)('is in %s where it is switched on so', async (_where, callbackData, statusData) => {
    await configure(callbackData, statusData);
    const { number, sale, payment } = await soldWithoutNumber();
    // Empty while it is not known; a status answer never carries an empty one (docs/decisions/callbacks.md).
    expect(sale['arn']).toBe(callbackData.length > 0 ? '' : undefined);
    expect(await statusOf(number)).not.toHaveProperty('arn');
    later += DAY;
    await notified({ payment, clearing: { arn: ARN } });
    await notified({ payment, clearing: { arn: ARN } });
    if (statusData.length > 0) await expect.poll(() => statusOf(number)).toMatchObject({ arn: ARN });
    await notified({ payment: { ...payment, status: 'CHARGED_BACK' } });
    const chargeback = await told(service, number, { type: 'chargeback' });
    expect(chargeback['arn']).toBe(callbackData.length > 0 ? ARN : undefined);
    const status = await statusOf(number);
    expect('arn' in status ? status.arn : undefined).toBe(statusData.length > 0 ? ARN : undefined);
    expect(callbacksOf(number).map(({ type }) => type)).toEqual(['sale', 'chargeback']);
  });

  test('is not the one of a refund, which has its own', async () => {
    await configure(['arn'], ['arn']);
    const number = await payOrder(service);
    const { id = '', arn } = await told(service, number, { type: 'sale', order_status: 'settled' });
    const held = service.simulator.payments().at(-1);
    const payment = { id: held?.id, reference: held?.reference, status: 'APPROVED', amount: 1000, currency: 'USD' };
    await notified({ payment, clearing: { arn: ARN } });
    await expect.poll(() => statusOf(number)).toMatchObject({ arn: ARN });
    await service.refund(id, '10.00');
    const refund = await told(service, number, { type: 'refund', status: 'success' });
    expect(refund['arn']).toMatch(/^\d{23}$/);
    expect([ARN, arn]).not.toContain(refund['arn']);
    expect(await statusOf(number)).toMatchObject({ arn: ARN });
  });
});
