import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dyingService, type Point } from '../support/dying-service.ts';
import { gsma } from '../support/gsma-service.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

const PAY = /^POST \/transactions\/type\/merchantpay$/;
const REVERSE = /^POST \/transactions\/.*\/reversals$/;
const METHOD = 'mobile-money-gsma';

let provider: Awaited<ReturnType<typeof dyingService>>;

beforeEach(async () => {
  provider = await dyingService('gsma', METHOD, () => gsma());
});
afterEach(() => provider.close());

async function session() {
  const parameters = { [METHOD]: { mobile_number: '254712345678' } };
  const body = sessionBody({ methods: [METHOD], parameters }, { currency: 'KES' });
  return { number: body.order.number, page: await createPage(provider.url(), body) };
}

const pay = (page: string) => pressPay(page, { method: METHOD });

/** The payer confirms the one request that there is, as soon as there is one. @returns the payment's id */
async function settleTheOne(number: string): Promise<string> {
  const held = await vi.waitUntil(() => provider.simulator.payments()[0], { timeout: 40_000 });
  provider.simulator.settle(held.id);
  return (await provider.until(number, 'sale success settled')).fields.id ?? '';
}

describe('a service that is killed', () => {
  test.each<Point>([
    [PAY, 'arrives'],
    [PAY, 'has-acted'],
    [/^POST \/accesstoken/, 'arrives'],
  ])('in a payment, when %s %s, asks the payer once', async (...point) => {
    const { number, page } = await session();
    await provider.dyingAt(point, () => pay(page));
    await settleTheOne(number);
    expect(provider.simulator.payments()).toHaveLength(1);
  });

  test.each<Point>([
    [REVERSE, 'arrives'],
    [REVERSE, 'has-acted'],
  ])('in a reversal, when %s %s, gives the money back once', async (...point) => {
    const { number, page } = await session();
    await pay(page);
    const id = await settleTheOne(number);
    await provider.dyingAt(point, () => merchantActs(provider.url()).refund(id, '10.00'));
    await provider.until(number, 'refund success refund');
    expect(provider.simulator.modifications().map(({ amount }) => amount)).toEqual(['10.00']);
  });
});
