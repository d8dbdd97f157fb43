import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sendCommand } from '../support/commands.ts';
import { dyingService, type Point } from '../support/dying-service.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { inCedis, METHOD, paystack, wages } from '../support/paystack-service.ts';
import { createPage, pressPay } from '../support/service.ts';

const CHARGE = /^POST \/charge$/;
const CODE = /^POST \/charge\/submit_otp$/;
const REFUND = /^POST \/refund$/;
const TRANSFER = /^POST \/transfer$/;

let ghana: Awaited<ReturnType<typeof dyingService>>;

beforeEach(async () => {
  ghana = await dyingService('paystack', METHOD, (url) => paystack(url, {}));
});
afterEach(() => ghana.close());

async function session(network: 'mtn' | 'vod' = 'mtn') {
  const body = inCedis(network);
  return { number: body.order.number, page: await createPage(ghana.url(), body) };
}

const pay = (page: string) => pressPay(page, { method: METHOD });
const enter = (page: string) =>
  fetch(`${page}/answer`, {
    method: 'POST',
    body: new URLSearchParams({ step: 'code', code: '123456' }),
    redirect: 'manual',
  });

/** The payer confirms the one charge that there is, as soon as there is one. @returns the payment's id */
async function settleTheOne(number: string): Promise<string> {
  const held = await vi.waitUntil(() => ghana.simulator.payments()[0], { timeout: 40_000 });
  ghana.simulator.settle(held.id);
  return (await ghana.until(number, 'sale success settled')).fields.id ?? '';
}

describe('a service that is killed', () => {
  test.each<Point>([
    [CHARGE, 'arrives'],
    [CHARGE, 'has-acted'],
  ])('in a charge, when %s %s, charges once', async (...point) => {
    const { number, page } = await session();
    await ghana.dyingAt(point, () => pay(page));
    await settleTheOne(number);
    expect(ghana.simulator.payments()).toHaveLength(1);
  });

  test.each<Point>([
    [CODE, 'arrives'],
    [CODE, 'has-acted'],
  ])('after a code, when %s %s, sends the code once more at most, and charges once', async (...point) => {
    const { number, page } = await session('vod');
    await pay(page);
    await ghana.dyingAt(point, () => enter(page));
    await ghana.until(number, 'sale success settled');
    expect(ghana.simulator.payments()).toMatchObject([{ state: 'settled' }]);
  });

  test('in a refund, when it has been made, finds it in the list and gives the money back once', async () => {
    const { number, page } = await session();
    await pay(page);
    const id = await settleTheOne(number);
    await ghana.dyingAt([REFUND, 'has-acted'], () => merchantActs(ghana.url()).refund(id, '10.00'));
    await ghana.until(number, 'refund success refund');
    expect(ghana.simulator.modifications().map(({ amount }) => amount)).toEqual(['10.00']);
  });

  test('in a refund, when it arrives, does not make it again', async () => {
    const { number, page } = await session();
    await pay(page);
    const id = await settleTheOne(number);
    await ghana.dyingAt([REFUND, 'arrives'], () => merchantActs(ghana.url()).refund(id, '10.00'));
    expect(await merchantActs(ghana.url()).status(id)).toBe('settled');
    expect(ghana.simulator.modifications()).toEqual([]);
  });

  test.each<Point>([
    [TRANSFER, 'arrives'],
    [TRANSFER, 'has-acted'],
  ])('in a payout, when %s %s, pays out once', async (...point) => {
    await ghana.dyingAt(point, () => sendCommand(ghana.url(), wages('wages-1')));
    const held = await vi.waitUntil(() => ghana.simulator.payments()[0], { timeout: 40_000 });
    ghana.simulator.settle(held.id);
    await ghana.shop.until(({ fields }) => fields.order_id === 'wages-1' && fields.status === 'SETTLED');
    expect(ghana.simulator.payments()).toHaveLength(1);
  });
});
