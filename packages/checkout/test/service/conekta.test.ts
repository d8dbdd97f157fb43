import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keysPaidIn } from '../../../../test/support/catalogue.ts';
import { inPesos, realService, type RealService, shown } from '../support/real-providers.ts';
import { expectSold } from '../support/sold-by-command.ts';
import { expectRefusals } from '../support/refusals.ts';
import { createPage, pressPay } from '../support/service.ts';

let mexico: RealService;

beforeAll(async () => {
  // A hint is followed by a lookup a moment later, so the clock runs.
  mexico = await realService('conekta');
});
beforeEach(() => mexico.simulator.setRule({ connector: 'conekta', scenario: 'manual', notifications: 'once' }));
afterAll(() => mexico.stop());

/** A payer who has a voucher, or an account, on the page. */
async function begun(method: string) {
  const body = inPesos(method);
  const page = await createPage(mexico.url, body);
  expect((await pressPay(page, { method })).status).toBe(303);
  const held = mexico.simulator.payments().at(-1);
  if (held === undefined) throw new Error('Conekta has no order.');
  return { number: body.order.number, page, held };
}

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
    const { fields, signed } = await mexico.reported(number, 'sale success settled');
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
