import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { confirmedAt, inPounds, realService, type RealService } from '../support/real-providers.ts';
import { createPage, pressPay } from '../support/service.ts';

/** How far the clock is ahead. */
let ahead = 0;
const clock = () => Date.now() + ahead;
let bank: RealService;

beforeAll(async () => {
  bank = await realService('ob-uk', { clock });
});
afterAll(() => bank.stop());

/** A payer whom the page sends to their bank. */
async function begun() {
  const body = inPounds();
  const page = await createPage(bank.url, body);
  expect((await pressPay(page, { method: 'open-banking' })).status).toBe(303);
  return { number: body.order.number, page };
}

const atBank = (page: string, press?: '/decline') =>
  confirmedAt(page, { at: bank.simulator.url, ...(press && { press }) });

describe('a payment at a bank', () => {
  test('is agreed to at the bank, made when the payer is back, and settled', async () => {
    const { number, page } = await begun();
    const back = await atBank(page);
    expect(new URL(back).searchParams.get('response')).toMatch(/^ey/);
    expect(bank.simulator.payments().at(-1)).toMatchObject({
      amount: '10.00',
      currency: 'GBP',
      state: 'authenticated',
    });
    await fetch(back);
    await bank.reported(number, 'sale success settled');
    expect(bank.simulator.ledger().filter(({ effect }) => effect === 'settled')).toHaveLength(1);
  });

  test('whose payer refuses and does not come back is declined by lookups alone', async () => {
    const { number, page } = await begun();
    await atBank(page, '/decline');
    ahead += 300_000;
    await bank.reported(number, 'sale fail decline');
  });

  test('waits while the payer has not agreed, and shows the way to the bank again', async () => {
    const { number, page } = await begun();
    ahead += 300_000;
    const [first, second] = await Promise.all([fetch(page), fetch(page)]);
    expect(await first.text()).toContain('data-leave');
    expect(second.status).toBe(200);
    await fetch(await atBank(page));
    await bank.reported(number, 'sale success settled');
  });
});
