import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keysPaidIn } from '../../../../test/support/catalogue.ts';
import { familyService } from '../support/family-service.ts';
import { fivePackagesAccounts } from '../support/five-packages-accounts.ts';
import { type Row, rows } from '../support/five-packages-rows.ts';
import { expectSold } from '../support/sold-by-command.ts';
import { expectRefusals } from '../support/refusals.ts';
import { createPage, post, pressPay, sessionBody } from '../support/service.ts';

let service: Awaited<ReturnType<typeof familyService>>;
beforeAll(async () => {
  service = await familyService(fivePackagesAccounts);
}, 60_000);
afterAll(() => service.stop());

const bodyOf = (
  { key, operation, currency, amount, session, sent = {} }: Row,
  change: object = {},
  order: Readonly<Record<string, string>> = {},
) =>
  sessionBody(
    { operation: operation ?? 'purchase', methods: [key], parameters: { [key]: sent }, ...session, ...change },
    { currency, amount, ...order },
  );

const connectorOf = (key: string) =>
  fivePackagesAccounts.find(({ connector }) => connector.serves.some(({ method }) => method.key === key))?.connector
    .id ?? '';

test('has a row for every key that the catalogue sends here', () => {
  expect([...new Set(rows.map(({ key }) => key))].toSorted()).toEqual(keysPaidIn('families/five-packages.test.ts'));
});

describe.each(rows)('$key in $currency, sent $sent', (row) => {
  const { key, operation, currency, amount, typed = {}, answered, shown } = row;

  test('is paid from the session to the last callback', async () => {
    const isAtOnce = shown === undefined && operation === undefined;
    service.simulator.setRule({ connector: connectorOf(key), scenario: isAtOnce ? 'settled' : 'manual' });
    const body = bodyOf(row);
    const page = await createPage(service.url, body);
    const form = await (await fetch(page)).text();
    for (const name of Object.keys(typed)) expect(form).toContain(`name="${name}"`);
    expect((await pressPay(page, { method: key, ...typed })).status).toBe(303);
    if (answered !== undefined) {
      const given = new URLSearchParams(answered);
      const answer = await fetch(`${page}/answer`, { method: 'POST', body: given, redirect: 'manual' });
      expect(answer.status).toBe(303);
    }
    if (shown !== undefined) expect(await (await fetch(page)).text()).toMatch(shown);
    const held = service.simulator.payments().at(-1);
    expect(held).toMatchObject({ currency });
    if (!isAtOnce) service.simulator.settle(held?.id ?? '');
    const { fields, signed } = await service.shop.until(
      (each) => each.fields['order_number'] === body.order.number && each.fields['order_status'] === 'settled',
    );
    expect(signed).toBe(true);
    expect(fields).toMatchObject({ status: 'success', order_amount: amount, order_currency: currency });
  });

  test('is refused in another country, currency and operation, and with a phone of another country', async () => {
    const before = service.simulator.payments().length;
    await expectRefusals(service.url, key, (change, order) => bodyOf(row, change, order));
    if (row.abroad !== undefined) {
      const parameters = { [key]: { ...row.sent, ...row.abroad } };
      expect((await post(`${service.url}/api/v1/session`, bodyOf(row, { parameters }))).status).toBe(400);
    }
    expect(service.simulator.payments()).toHaveLength(before);
  });
});

// A card has a command of its own.
describe.each(rows.filter(({ key }) => key !== 'card'))('$key in $currency, sent $sent', (row) => {
  test('is sold by command', async () => {
    await expectSold(service, bodyOf(row), row.typed, row.answered !== undefined);
  });
});

test.each([
  ['en', 'For example: 529.982.247-25'],
  ['pt-BR', 'Por exemplo: 529.982.247-25'],
])('a document that is wrong is answered with a right one, before and after it is sent: %s', async (language, said) => {
  const [key, name] = ['pix-document', 'parameters.pix-document.document_number'];
  const page = await createPage(service.url, sessionBody({ methods: [key] }, { currency: 'BRL', amount: '15.00' }));
  const send = (action: string) => {
    const body = new URLSearchParams({ method: key, [name]: '529.982.247' });
    return fetch(`${page}/${action}`, { method: 'POST', body, headers: { 'accept-language': language } });
  };
  expect(await (await send('check')).json()).toEqual({ problems: [{ name, text: expect.stringContaining(said) }] });
  expect(await (await send('pay')).text()).toContain(said);
});
