import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bankTransferAccounts } from '../support/bank-transfer-accounts.ts';
import { type Row, rows } from '../support/bank-transfer-rows.ts';
import { keysPaidIn } from '../../../../test/support/catalogue.ts';
import { familyService } from '../support/family-service.ts';
import { expectRefusals } from '../support/refusals.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';

let service: Awaited<ReturnType<typeof familyService>>;

beforeAll(async () => {
  service = await familyService(bankTransferAccounts);
});
afterAll(() => service.stop());

const bodyOf = (
  { key, currency, amount, sent, country, description = 'Two books' }: Row,
  change: object = {},
  order: Readonly<Record<string, string>> = {},
) =>
  sessionBody(
    { methods: [key], parameters: { [key]: sent }, ...(country && { billing_address: { country } }), ...change },
    { currency, amount, description, ...order },
  );

async function until(number: string) {
  const { fields } = await service.shop.until(
    ({ fields: each }) => each['order_number'] === number && each['order_status'] === 'settled',
  );
  return fields;
}

test('has a row for every key that the catalogue sends here', () => {
  expect([...new Set(rows.map(({ key }) => key))].toSorted()).toEqual(keysPaidIn('families/bank-transfer.test.ts'));
});

describe.each(rows)('$key in $currency, sent $sent', (row) => {
  test('is paid from the session to the last callback', async () => {
    const body = bodyOf(row);
    const page = await createPage(service.url, body);
    const typed = Object.entries(row.typed ?? {}).map(([name, value]) => [`parameters.${row.key}.${name}`, value]);
    if (typed.length > 0) {
      const blank = await pressPay(page, { method: row.key });
      expect(blank.status).not.toBe(303);
    }
    const pressed = await pressPay(page, { method: row.key, ...Object.fromEntries(typed) });
    expect([pressed.status, row.key]).toEqual([303, row.key]);
    for (const each of [row.answered ?? []].flat()) {
      const answer = await fetch(`${page}/answer`, {
        method: 'POST',
        body: new URLSearchParams(each),
        redirect: 'manual',
      });
      expect([answer.status, each]).toEqual([303, each]);
    }
    expect(await (await fetch(page)).text()).toContain(row.shown);
    const held = service.simulator.payments().at(-1);
    expect(held).toMatchObject({ currency: row.currency });
    service.simulator.settle(held?.id ?? '');
    expect(await until(body.order.number)).toMatchObject({ type: 'sale', status: 'success' });
  });

  test('is refused in another country, currency and operation', async () => {
    await expectRefusals(service.url, row.key, (change, order) => bodyOf(row, change, order));
  });
});
