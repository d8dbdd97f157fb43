import { afterAll, beforeAll, expect, test } from 'vitest';
import { cardBody, payByCard } from '../support/card-service.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { realService, type RealService, shown } from '../support/real-providers.ts';
import { createPage } from '../support/service.ts';

let service: RealService;
beforeAll(async () => {
  service = await realService('stripe');
  service.simulator.setRule({ connector: 'card-stripe', scenario: 'settled', notifications: 'once' });
});
afterAll(() => service.stop());

async function paid(words: string, change: object = {}) {
  const body = cardBody({ ...change });
  const page = await createPage(service.url, body);
  await payByCard(page);
  const { fields } = await service.reported(body.order.number, words);
  const { id = '' } = fields;
  /** The number of the payment is a row of the receipt alone. */
  const hasReceipt = async () => (await shown(`${page}?receipt=1`)).includes(`>${id}<`);
  return { id, number: body.order.number, hasReceipt };
}

test('a payment has a receipt until a part of it is refunded: the amount would be untrue', async () => {
  const { id, number, hasReceipt } = await paid('sale success settled');
  expect(await hasReceipt()).toBe(true);
  await merchantActs(service.url).refund(id, '4.00');
  await service.reported(number, 'refund success settled');
  expect(await hasReceipt()).toBe(false);
});

test('a hold has no receipt, and neither has a capture of a part of it', async () => {
  const { id, number, hasReceipt } = await paid('sale success pending', { auth: true });
  expect(await hasReceipt()).toBe(false);
  await merchantActs(service.url).capture(id, '4.00');
  await service.reported(number, 'capture success settled');
  expect(await hasReceipt()).toBe(false);
});
