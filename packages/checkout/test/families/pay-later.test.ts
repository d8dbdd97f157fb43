import { hostedConnector } from '@railyard/connector-pay-later';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keysPaidIn } from '../../../../test/support/catalogue.ts';
import { callbackHashOf } from '../support/callback-hash.ts';
import { familyService } from '../support/family-service.ts';
import { merchantActs } from '../support/merchant-acts.ts';
import { payLaterAccount } from '../support/pay-later-account.ts';
import { expectSold } from '../support/sold-by-command.ts';
import { expectRefusals } from '../support/refusals.ts';
import { createPage, merchant, post, pressPay, sessionBody } from '../support/service.ts';

const PRODUCT = { product_name: 'Two books', product_quantity: 2 };
const BUYER = { category: 'Books', buyer_registered_since: '2020-01-31T12:00:00Z' };
const BASKET = { product_amount: 8.5, shipping_amount: 1, tax_amount: 0.5 };
const BOOK = { product_reference_id: 'ref-1', product_type: 'physical', product_sku: 'BK-2' };

interface Wrong {
  readonly what: string;
  readonly change: object;
}

interface Row {
  readonly key: string;
  readonly currency: string;
  readonly sent: object;
  /** Requests that differ in this are refused. */
  readonly wrong: readonly Wrong[];
}

const rows: readonly Row[] = [
  {
    key: 'hosted-payment-id',
    currency: 'IDR',
    sent: PRODUCT,
    wrong: [
      {
        what: 'a product without the name that the account needs',
        change: { parameters: { 'hosted-payment-id': {} } },
      },
    ],
  },
  {
    key: 'pay-later',
    currency: 'EUR',
    sent: BUYER,
    wrong: [{ what: 'no facts', change: { parameters: {} } }],
  },
  {
    key: 'pay-later-basket',
    currency: 'BRL',
    sent: { ...BASKET, ...BOOK },
    wrong: [{ what: 'no facts', change: { parameters: {} } }],
  },
];

/** How far the clock is ahead. */
let ahead = 0;
let service: Awaited<ReturnType<typeof familyService>>;

beforeAll(async () => {
  service = await familyService([payLaterAccount], () => Date.now() + ahead);
});
beforeEach(() =>
  service.simulator.setRule({ connector: hostedConnector.id, scenario: 'manual', notifications: 'once' }),
);
afterAll(() => service.stop());

const bodyOf = ({ key, currency, sent }: Row, change: object = {}, order: Readonly<Record<string, string>> = {}) =>
  sessionBody({ methods: [key], parameters: { [key]: sent }, ...change }, { currency, ...order });

const until = async (number: string, words: string) => {
  const { fields } = await service.shop.until(
    ({ fields: each }) =>
      each['order_number'] === number && `${each['type']} ${each['status']} ${each['order_status']}` === words,
  );
  return fields;
};

/** A payer who was sent to the provider's page. */
async function begun(row: Row) {
  const body = bodyOf(row);
  const page = await createPage(service.url, body);
  expect((await pressPay(page, { method: row.key })).status).toBe(303);
  const held = service.simulator.payments().at(-1);
  expect(held).toMatchObject({ amount: '10.00', currency: row.currency });
  return { number: body.order.number, id: held?.id ?? '' };
}

test('has a row for every key that the catalogue sends here', () => {
  expect(rows.map(({ key }) => key).toSorted()).toEqual(keysPaidIn('families/pay-later.test.ts'));
});

describe.each(rows)('$key', (row) => {
  test('is paid by a notification and given back in part', async () => {
    const { number, id } = await begun(row);
    service.simulator.settle(id);
    const { id: payment = '' } = await until(number, 'sale success settled');
    await merchantActs(service.url).refund(payment, '4.00');
    await until(number, 'refund success settled');
  });

  test('is sold by command', async () => {
    await expectSold(service, bodyOf(row));
  });

  test('is paid by lookups alone where no notification comes', async () => {
    service.simulator.setRule({ connector: hostedConnector.id, notifications: 'none' });
    const { number, id } = await begun(row);
    service.simulator.settle(id);
    ahead += 300_000;
    await until(number, 'sale success settled');
  });

  test('that the provider rejects is declined', async () => {
    const { number, id } = await begun(row);
    service.simulator.decline(id);
    await until(number, 'sale fail decline');
  });

  test.each(row.wrong)('is refused with $what', async ({ change }) => {
    expect((await post(`${service.url}/api/v1/session`, bodyOf(row, change))).status).toBe(400);
  });

  test('is refused in another country, currency and operation', async () => {
    await expectRefusals(service.url, row.key, (change, order) => bodyOf(row, change, order));
  });
});

test('a description in several lines and directions is shown and sent in one of each, and called back as it was signed', async () => {
  const description = 'Two \u202ebooks\u202c,\r\n and\t\u2067tea\u2069';
  const oneLine = 'Two books, and tea';
  const [row] = rows;
  if (row === undefined) throw new Error('There is no row.');
  const body = bodyOf(row, {}, { description });
  const page = await createPage(service.url, body);
  expect(await (await fetch(page)).text()).toContain(`>${oneLine}<`);
  expect((await pressPay(page, { method: row.key })).status).toBe(303);
  const held = service.simulator.payments().at(-1);
  expect(held?.request).toMatchObject({ description: oneLine });
  service.simulator.settle(held?.id ?? '');
  const fields = await until(body.order.number, 'sale success settled');
  expect(fields['order_description']).toBe(description);
  expect(fields['hash']).toBe(callbackHashOf(fields, merchant.password));
});
