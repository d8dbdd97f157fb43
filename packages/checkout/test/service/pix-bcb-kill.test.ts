import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dyingService, type Point } from '../support/dying-service.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { pixBank } from '../support/pix-bcb-service.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

const TOKEN = /^POST \/token$/;
const CHARGE = /^PUT \/cob\//;
const RETURN = /^PUT \/pix\/.*\/devolucao\//;

let bank: Awaited<ReturnType<typeof dyingService>>;

beforeEach(async () => {
  bank = await dyingService('pix-bcb', 'pix-bcb', (url) => pixBank(url, { scenario: 'manual' }));
});
afterEach(() => bank.close());

async function session() {
  const body = sessionBody({ methods: ['pix-charge'] });
  return { number: body.order.number, page: await createPage(bank.url(), body) };
}

const pay = (page: string) => pressPay(page, { method: 'pix-charge' });

/** The payer pays the one charge that the bank has, as soon as it has it. */
async function settleTheOne(): Promise<void> {
  const held = await vi.waitUntil(() => bank.simulator.payments()[0], { timeout: 40_000 });
  bank.simulator.settle(held.id);
}

describe('a service that is killed', () => {
  test.each<Point>([
    [TOKEN, 'arrives'],
    [TOKEN, 'has-acted'],
    [CHARGE, 'arrives'],
    [CHARGE, 'has-acted'],
  ])('in a payment, when %s %s, has one charge at the bank and settles it', async (...point) => {
    const { number, page } = await session();
    await bank.dyingAt(point, () => pay(page));
    await settleTheOne();
    await bank.until(number, 'sale success settled');
    expect(bank.simulator.payments()).toHaveLength(1);
  });

  test.each<Point>([
    [RETURN, 'arrives'],
    [RETURN, 'has-acted'],
  ])('in a return, when %s %s, gives the money back once', async (...point) => {
    const { number, page } = await session();
    await pay(page);
    await settleTheOne();
    const { fields } = await bank.until(number, 'sale success settled');
    await bank.dyingAt(point, () => merchantActs(bank.url()).refund(fields.id ?? '', '10.00'));
    await bank.until(number, 'refund success refund');
    expect(bank.simulator.modifications().map(({ amount }) => amount)).toEqual(['10.00']);
  });
});
