import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bankTransferAccounts } from '../support/bank-transfer-accounts.ts';
import { type Row, rows } from '../support/bank-transfer-rows.ts';
import { keysPaidIn } from '../../../../test/support/catalogue.ts';
import { familyService } from '../support/family-service.ts';
import { expectSold } from '../support/sold-by-command.ts';
import { expectRefusals } from '../support/refusals.ts';
import { createPage, post, pressPay, sessionBody } from '../support/service.ts';

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

/** What a form sends of the parameters that the payer types. */
const formOf = ({ key }: Row, typed: NonNullable<Row['typed']>) => ({
  method: key,
  ...Object.fromEntries(Object.entries(typed).map(([name, value]) => [`parameters.${key}.${name}`, value])),
});

/** The parameters that the page asks the payer for. */
const askedIn = (form: string, { key }: Row) =>
  [...form.matchAll(/ name="parameters\.([\w.-]+)"/g)].map(([, name = '']) => name.slice(key.length + 1)).toSorted();

/** The payer answers what they are asked after the button, is shown how to pay, and pays; the merchant is called back. */
async function settles(page: string, number: string, row: Row) {
  for (const each of [row.answered ?? []].flat()) {
    const given = new URLSearchParams(each);
    const answer = await fetch(`${page}/answer`, { method: 'POST', body: given, redirect: 'manual' });
    expect([answer.status, each]).toEqual([303, each]);
  }
  expect(await (await fetch(page)).text()).toContain(row.shown);
  const held = service.simulator.payments().at(-1);
  expect(held).toMatchObject({ currency: row.currency });
  service.simulator.settle(held?.id ?? '');
  expect(await until(number)).toMatchObject({ type: 'sale', status: 'success' });
}

describe.each(rows)('$key in $currency, sent $sent', (row) => {
  test('is paid from the session to the last callback, with what the payer is asked for', async () => {
    const body = bodyOf(row);
    const page = await createPage(service.url, body);
    const { typed = {} } = row;
    expect(askedIn(await (await fetch(page)).text(), row)).toEqual(Object.keys(typed).toSorted());
    if (Object.keys(typed).length > 0) expect((await pressPay(page, { method: row.key })).status).toBe(422);
    const pressed = await pressPay(page, formOf(row, typed));
    expect([pressed.status, row.key]).toEqual([303, row.key]);
    await settles(page, body.order.number, row);
  });

  test('is sold by command', async () => {
    await expectSold(service, bodyOf({ ...row, sent: { ...row.sent, ...row.typed } }), {}, row.answered !== undefined);
  });

  test('is refused in another country, currency and operation', async () => {
    await expectRefusals(service.url, row.key, (change, order) => bodyOf(row, change, order));
  });
});

describe.each(rows.flatMap((row) => (row.typed === undefined ? [] : [{ ...row, typed: row.typed }])))(
  '$key in $currency, of which the payer types $typed',
  (row) => {
    const { key, sent, typed } = row;

    test('is paid with what the request brings, for which the payer is not asked', async () => {
      const body = bodyOf({ ...row, sent: { ...sent, ...typed } });
      const page = await createPage(service.url, body);
      expect(askedIn(await (await fetch(page)).text(), row)).toEqual([]);
      expect((await pressPay(page, { method: key })).status).toBe(303);
      await settles(page, body.order.number, row);
    });

    test.each(Object.keys(typed))(
      'is refused beside the field where %s is wrong, and asks no provider',
      async (name) => {
        const before = service.simulator.payments().length;
        const wrong = { ...typed, [name]: 'x'.repeat(256) };
        const reply = await pressPay(await createPage(service.url, bodyOf(row)), formOf(row, wrong));
        expect(reply.status).toBe(422);
        expect(await reply.text()).toContain(`id="field-parameters.${key}.${name}-problem"`);
        const brought = bodyOf({ ...row, sent: { ...sent, ...wrong } });
        expect((await post(`${service.url}/api/v1/session`, brought)).status).toBe(400);
        expect(service.simulator.payments()).toHaveLength(before);
      },
    );
  },
);

test('a deposit shows until when it can be paid, as the provider says', async () => {
  const [row] = rows.filter(({ key, typed }) => key === 'bank-deposit' && typed === undefined);
  if (row === undefined) throw new Error('No deposit has all parameters in its request.');
  const page = await createPage(service.url, bodyOf(row));
  await pressPay(page, { method: row.key });
  // The simulated bank gives three days, the session less.
  const [, until = ''] = /Pay by <time datetime="([^"]+)"/.exec(await (await fetch(page)).text()) ?? [];
  expect(Date.parse(until) - Date.now()).toBeGreaterThan(2 * 86_400_000);
});
