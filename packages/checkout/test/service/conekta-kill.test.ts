import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { conekta, inPesos } from '../support/conekta-service.ts';
import { dyingService, type Point } from '../support/dying-service.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { createPage, pressPay } from '../support/service.ts';

const ORDER = /^POST \/orders$/;
const LOOK = /^GET \/orders\//;
const REFUND = /^POST \/orders\/.*\/refunds$/;

let mexico: Awaited<ReturnType<typeof dyingService>>;

beforeEach(async () => {
  mexico = await dyingService('conekta', 'conekta', (url) => conekta(url, { scenario: 'manual' }));
});
afterEach(() => mexico.close());

async function session() {
  const body = inPesos('cash-voucher');
  return { number: body.order.number, page: await createPage(mexico.url(), body) };
}

const pay = (page: string) => pressPay(page, { method: 'cash-voucher' });

/** The payer pays the one voucher that there is, as soon as there is one. @returns the payment's id */
async function settleTheOne(number: string): Promise<string> {
  const held = await vi.waitUntil(() => mexico.simulator.payments()[0], { timeout: 40_000 });
  mexico.simulator.settle(held.id);
  return (await mexico.until(number, 'sale success settled')).fields.id ?? '';
}

const amounts = () => mexico.simulator.modifications().map(({ amount }) => amount);

describe('a service that is killed', () => {
  test('in a payment, when the order has been made, finds it and settles it', async () => {
    const { number, page } = await session();
    await mexico.dyingAt([ORDER, 'has-acted'], () => pay(page));
    await settleTheOne(number);
    expect(mexico.simulator.payments()).toHaveLength(1);
  });

  test('in a payment, when the order arrives, does not make it again: the payment is not declined', async () => {
    const { number, page } = await session();
    await mexico.dyingAt([ORDER, 'arrives'], () => pay(page));
    expect((await fetch(page)).status).toBe(200);
    expect(mexico.simulator.payments()).toEqual([]);
    expect(
      mexico.shop.received.filter(({ fields }) => fields.order_number === number && fields.status === 'fail'),
    ).toEqual([]);
  });

  test.each<Point>([
    [LOOK, 'arrives'],
    [LOOK, 'has-acted'],
    [REFUND, 'has-acted'],
  ])('in a refund, when %s %s, gives the money back once', async (...point) => {
    const { number, page } = await session();
    await pay(page);
    const id = await settleTheOne(number);
    await mexico.dyingAt(point, () => merchantActs(mexico.url()).refund(id, '10.00'));
    await mexico.until(number, 'refund success refund');
    expect(amounts()).toEqual(['10.00']);
  });

  test('in a refund, when it arrives, does not make it again', async () => {
    const { number, page } = await session();
    await pay(page);
    const id = await settleTheOne(number);
    await mexico.dyingAt([REFUND, 'arrives'], () => merchantActs(mexico.url()).refund(id, '10.00'));
    expect(await merchantActs(mexico.url()).status(id)).toBe('settled');
    expect(amounts()).toEqual([]);
  });
});
