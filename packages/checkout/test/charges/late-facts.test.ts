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

/** The acquirer answers each lookup so. */
const lookedUpAs = (payment: object): void => {
  service.state.answer = ({ method }) => (method === 'GET' ? { status: 200, body: payment } : undefined);
};

const disputesTold = (number: string) => callbacksOf(number).map(({ type, order_status }) => `${type} ${order_status}`);

describe('a dispute', () => {
  test('whose end is notified, and its beginning not, is told from the beginning by a lookup, once', async () => {
    const { number, payment } = await soldWithoutNumber();
    const won = { ...payment, status: 'CHARGEBACK_WON' };
    await notified({ payment: won });
    lookedUpAs(won);
    // A word that says nothing has the payment looked up.
    await notified({ payment: { ...payment, status: 'UNDER_REVIEW' } });
    await expect.poll(() => disputesTold(number)).toEqual(['sale settled', 'chargeback chargeback', 'sale settled']);
    await notified({ payment: { ...payment, status: 'CHARGED_BACK' } });
    await notified({ payment: won });
    expect(await statusOf(number)).toMatchObject({ status: 'settled' });
    expect(disputesTold(number)).toHaveLength(3);
  });

  test('that is notified before the money is known is told once a lookup has found the money', async () => {
    const waits = { id: `pay-${randomUUID()}`, status: 'PENDING', amount: 1000, currency: 'USD' };
    service.state.answer = ({ url }) =>
      url.endsWith('/v1/sales') ? { status: 201, body: waits } : { status: 503, body: {} };
    const number = await payOrder(service);
    const { body = '' } = service.asked.findLast(({ url }) => url.endsWith('/v1/sales')) ?? {};
    const payment = { ...waits, status: 'APPROVED', ...sent.parse(JSON.parse(body)) };
    const disputed = { ...payment, status: 'CHARGED_BACK' };
    const before = service.asked.length;
    await notified({ payment: disputed });
    // The acquirer is asked, and cannot answer yet.
    later += 60_000;
    await expect.poll(() => service.asked.slice(before).some(({ method }) => method === 'GET')).toBe(true);
    lookedUpAs(payment);
    later += DAY;
    await expect.poll(() => disputesTold(number)).toContain('sale settled');
    await expect.poll(() => disputesTold(number)).toContain('chargeback chargeback');
  });
});
