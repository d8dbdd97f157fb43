import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { keysPaidIn } from '../../../../test/support/catalogue.ts';
import { conektaService, inPesos } from '../support/conekta-service.ts';
import { errorOf, merchantActs } from '../support/merchant-acts.ts';
import { expectSold } from '../support/sold-by-command.ts';
import { expectRefusals } from '../support/refusals.ts';
import { createPage, pressPay } from '../support/service.ts';

/** How far the clock is ahead. A hint is followed by a lookup a moment later, so the clock runs. */
let ahead = 0;
const clock = () => Date.now() + ahead;
let mexico: Awaited<ReturnType<typeof conektaService>>;
let merchant: ReturnType<typeof merchantActs>;

beforeAll(async () => {
  mexico = await conektaService({ clock });
  merchant = merchantActs(mexico.url);
});
beforeEach(() => mexico.simulator.setRule({ connector: 'conekta', scenario: 'manual', notifications: 'once' }));
afterAll(() => mexico.stop());

/** A payer who has a voucher, or an account, on the page. */
async function begun(method = 'cash-voucher') {
  const body = inPesos(method);
  const page = await createPage(mexico.url, body);
  expect((await pressPay(page, { method })).status).toBe(303);
  const held = mexico.simulator.payments().at(-1);
  if (held === undefined) throw new Error('Conekta has no order.');
  return { number: body.order.number, page, held };
}

const until = (number: string, words: string) =>
  mexico.shop.until(
    ({ fields }) =>
      fields.order_number === number && `${fields.type} ${fields.status} ${fields.order_status}` === words,
  );
const shown = async (page: string) => (await fetch(page)).text();

/** An order that was paid at a shop. @returns its payment's id */
async function paid() {
  const { number, held } = await begun();
  mexico.simulator.settle(held.id);
  const { fields } = await until(number, 'sale success settled');
  return { number, id: fields.id ?? '', held };
}

describe('a voucher', () => {
  test('is shown with its number, and settles by an unsigned notification, once Conekta was asked', async () => {
    const { number, page, held } = await begun();
    expect(held).toMatchObject({ amount: '10.00', currency: 'MXN' });
    expect(await shown(page)).toContain('93000262276908');
    mexico.simulator.settle(held.id);
    const { fields } = await until(number, 'sale success settled');
    expect(await merchant.status(fields.id ?? '')).toBe('settled');
    await mexico.simulator.idle();
    expect(mexico.simulator.deliveries().at(-1)).toMatchObject({ url: mexico.notifyUrl, result: 200 });
  });

  test('settles by lookups alone where no notification comes', async () => {
    mexico.simulator.setRule({ connector: 'conekta', notifications: 'none' });
    const { number, held } = await begun();
    mexico.simulator.settle(held.id);
    ahead += 300_000;
    await until(number, 'sale success settled');
  });

  test('that expires declines its attempt', async () => {
    const { number, held } = await begun();
    mexico.simulator.decline(held.id);
    const { fields } = await until(number, 'sale fail decline');
    expect(fields.reason).toContain('not paid in time');
  });

  test('is not settled by a notification that Conekta did not send', async () => {
    const { number, page, held } = await begun();
    const charge = { order_id: held.id, status: 'paid', amount: 1000, currency: 'MXN', reference_id: held.reference };
    const forged = { type: 'order.paid', data: { object: { payment_status: 'paid', charges: { data: [charge] } } } };
    const answer = await fetch(mexico.notifyUrl, { method: 'POST', body: JSON.stringify(forged) });
    expect(answer.status).toBe(200);
    expect(await shown(page)).toContain('93000262276908');
    mexico.simulator.settle(held.id);
    await until(number, 'sale success settled');
    expect(
      mexico.shop.received.filter(({ fields }) => fields.order_number === number && fields.order_status === 'settled'),
    ).toHaveLength(1);
  });
});

/** What the payer is shown, by the key of the method: the number of the voucher, or the account and its bank. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  'cash-voucher': ['93000262276908'],
  spei: ['646180111805034237', 'STP'],
};

test('has a row for every key that the catalogue sends here', () => {
  expect(Object.keys(SHOWN)).toEqual(keysPaidIn('service/conekta.test.ts'));
});

describe.each(Object.entries(SHOWN))('%s', (method, texts) => {
  test('is paid from the session to the last callback', async () => {
    const { number, page, held } = await begun(method);
    const text = await shown(page);
    for (const each of texts) expect(text).toContain(each);
    mexico.simulator.settle(held.id);
    const { fields, signed } = await until(number, 'sale success settled');
    expect(signed).toBe(true);
    expect(fields).toMatchObject({ order_amount: '10.00', order_currency: 'MXN' });
  });

  test('is sold by command', async () => {
    await expectSold(mexico, inPesos(method));
  });

  test('is refused in another country, currency and operation', async () => {
    await expectRefusals(mexico.url, method, (change, order) => inPesos(method, change, order));
  });
});

test('a transfer has the amount, whose account it is, the CLABE and the bank, all to copy', async () => {
  const { page } = await begun('spei');
  const text = await shown(page);
  for (const copied of ['10.00', 'Example Company SA de CV', '646180111805034237', 'STP'])
    expect(text).toContain(`data-copy="${copied}"`);
  expect(text).not.toContain('>Reference<');
});

/** The amounts of the refunds that the merchant was told of. */
const refundsTold = (number: string) =>
  mexico.shop.received
    .filter(({ fields }) => fields.order_number === number && fields.type === 'refund' && fields.status === 'success')
    .map(({ fields }) => fields.refund_amount);

describe('a refund', () => {
  test('of a part and of the rest is reported, and no more is given back than was paid', async () => {
    const { number, id } = await paid();
    await merchant.refund(id, '4.00');
    await until(number, 'refund success settled');
    expect(errorOf(await merchant.refund(id, '6.01'))).toMatch(/^208006 /);
    await merchant.refund(id, '6.00');
    await until(number, 'refund success refund');
    expect(mexico.simulator.modifications().map(({ amount, state }) => [amount, state])).toEqual([
      ['4.00', 'settled'],
      ['6.00', 'settled'],
    ]);
  });

  test('that Conekta does not make after all is reported as failed', async () => {
    mexico.simulator.setRule({ connector: 'conekta', scenario: 'pending-modification' });
    const { number } = await begun();
    const { fields: sale } = await until(number, 'sale success settled');
    await merchant.refund(sale.id ?? '', '4.00');
    const pending = await vi.waitUntil(() => mexico.simulator.modifications().find(({ state }) => state === 'pending'));
    mexico.simulator.declineModification(pending.id);
    ahead += 7_200_000;
    await until(number, 'refund fail decline');
  });

  test('that the merchant makes at Conekta itself is reported once, beside one of ours', async () => {
    const { number, id, held } = await paid();
    mexico.simulator.giveBack(held.id, '4.00');
    await until(number, 'refund success settled');
    await merchant.refund(id, '3.00');
    await vi.waitUntil(() => refundsTold(number).length === 2);
    // The lookup that finds this one lists the two before it again.
    mexico.simulator.giveBack(held.id);
    await until(number, 'refund success refund');
    expect(refundsTold(number)).toEqual(['4.00', '3.00', '3.00']);
    expect(await merchant.status(id)).toBe('refund');
  });
});
