import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf, merchantActs } from '../support/merchant-acts.ts';
import { atBank, inPounds, obUkService } from '../support/ob-uk-service.ts';
import { createPage, pressPay } from '../support/service.ts';

/** How far the clock is ahead. */
let ahead = 0;
const clock = () => Date.now() + ahead;
let bank: Awaited<ReturnType<typeof obUkService>>;
let merchant: ReturnType<typeof merchantActs>;

beforeAll(async () => {
  bank = await obUkService({ clock });
  merchant = merchantActs(bank.url);
});
afterAll(() => bank.stop());

/** A payer whom the page sends to their bank. */
async function begun() {
  const body = inPounds();
  const page = await createPage(bank.url, body);
  expect((await pressPay(page, { method: 'open-banking' })).status).toBe(303);
  return { number: body.order.number, page };
}

async function reported(number: string, words: string) {
  const { fields } = await bank.shop.until(
    (each) =>
      each.fields.order_number === number &&
      `${each.fields.type} ${each.fields.status} ${each.fields.order_status}` === words,
  );
  return fields;
}

const effects = () => bank.simulator.ledger().map(({ effect }) => effect);

describe('a payment at a bank', () => {
  test('is agreed to at the bank, made when the payer is back, and settled', async () => {
    const { number, page } = await begun();
    const back = await atBank(page, bank.simulator.url);
    expect(new URL(back).searchParams.get('response')).toMatch(/^ey/);
    expect(bank.simulator.payments().at(-1)).toMatchObject({
      amount: '10.00',
      currency: 'GBP',
      state: 'authenticated',
    });
    await fetch(back);
    const { id = '' } = await reported(number, 'sale success settled');
    expect(await merchant.status(id)).toBe('settled');
    expect(effects().filter((effect) => effect === 'settled')).toHaveLength(1);
  });

  test('that the payer refuses is declined, and no payment is made', async () => {
    const { number, page } = await begun();
    await fetch(await atBank(page, bank.simulator.url, '/decline'));
    await reported(number, 'sale fail decline');
    expect(bank.simulator.payments().at(-1)).toMatchObject({ state: 'declined' });
  });

  test('whose payer refuses and does not come back is declined by lookups alone', async () => {
    const { number, page } = await begun();
    await atBank(page, bank.simulator.url, '/decline');
    ahead += 300_000;
    await reported(number, 'sale fail decline');
  });

  test('waits while the payer has not agreed, and shows the way to the bank again', async () => {
    const { number, page } = await begun();
    ahead += 300_000;
    const [first, second] = await Promise.all([fetch(page), fetch(page)]);
    expect(await first.text()).toContain('data-leave');
    expect(second.status).toBe(200);
    await fetch(await atBank(page, bank.simulator.url));
    await reported(number, 'sale success settled');
  });

  test('cannot be given back: a refund is refused before the bank is asked', async () => {
    const { number, page } = await begun();
    await fetch(await atBank(page, bank.simulator.url));
    const { id = '' } = await reported(number, 'sale success settled');
    const before = bank.simulator.ledger().length;
    expect(errorOf(await merchant.refund(id, '4.00'))).toBe('204005 Payment action not supported.');
    expect(bank.simulator.ledger()).toHaveLength(before);
  });
});
