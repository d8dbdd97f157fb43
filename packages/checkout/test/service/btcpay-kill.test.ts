import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { btcpay, inEuro, METHOD } from '../support/btcpay-service.ts';
import { dyingService, type Point } from '../support/dying-service.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { createPage, pressPay } from '../support/service.ts';

const INVOICE = /^POST \/api\/v1\/stores\/.*\/invoices$/;
const ADDRESS = /^GET \/api\/v1\/invoices\/.*\/payment-methods$/;
const REFUND = /^POST \/api\/v1\/invoices\/.*\/refund$/;

let store: Awaited<ReturnType<typeof dyingService>>;

beforeEach(async () => {
  store = await dyingService('btcpay', METHOD, (url) => btcpay(url, {}));
});
afterEach(() => store.close());

async function session() {
  const body = inEuro();
  return { number: body.order.number, page: await createPage(store.url(), body) };
}

const pay = (page: string) => pressPay(page, { method: METHOD });

/** The payer pays the one invoice that there is, as soon as there is one. @returns the payment's id */
async function settleTheOne(number: string): Promise<string> {
  const held = await vi.waitUntil(() => store.simulator.payments()[0], { timeout: 40_000 });
  store.simulator.settle(held.id);
  return (await store.until(number, 'sale success settled')).fields.id ?? '';
}

describe('a service that is killed', () => {
  test.each<Point>([
    [INVOICE, 'has-acted'],
    [ADDRESS, 'arrives'],
    [ADDRESS, 'has-acted'],
  ])('in a payment, when %s %s, finds the invoice and settles it', async (...point) => {
    const { number, page } = await session();
    await store.dyingAt(point, () => pay(page));
    await settleTheOne(number);
    expect(store.simulator.payments()).toHaveLength(1);
  });

  test('in a payment, when the invoice arrives, does not make it again: the payment is not declined', async () => {
    const { number, page } = await session();
    await store.dyingAt([INVOICE, 'arrives'], () => pay(page));
    expect((await fetch(page)).status).toBe(200);
    expect(store.simulator.payments()).toEqual([]);
    expect(
      store.shop.received.filter(({ fields }) => fields.order_number === number && fields.status === 'fail'),
    ).toEqual([]);
  });

  test('in a refund, when it has been made, finds it by its name and makes one link', async () => {
    const { number, page } = await session();
    await pay(page);
    const id = await settleTheOne(number);
    await store.dyingAt([REFUND, 'has-acted'], () => merchantActs(store.url()).refund(id, '10.00'));
    await store.until(number, 'refund success refund');
    expect(store.simulator.modifications().map(({ amount }) => amount)).toEqual(['10.00']);
  });

  test('in a refund, when it arrives, does not make it again', async () => {
    const { number, page } = await session();
    await pay(page);
    const id = await settleTheOne(number);
    await store.dyingAt([REFUND, 'arrives'], () => merchantActs(store.url()).refund(id, '10.00'));
    expect(await merchantActs(store.url()).status(id)).toBe('settled');
    expect(store.simulator.modifications()).toEqual([]);
  });
});
