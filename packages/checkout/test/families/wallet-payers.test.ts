import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keysPaidIn } from '../../../../test/support/catalogue.ts';
import { familyService } from '../support/family-service.ts';
import { expectSold } from '../support/sold-by-command.ts';
import { expectRefusals } from '../support/refusals.ts';
import { createPage, post, pressPay, sessionBody } from '../support/service.ts';
import { walletGatewayAccount } from '../support/wallet-gateway-account.ts';
import { signedDepositAccount } from '../support/wallet-payer-accounts.ts';

interface Row {
  readonly key: string;
  readonly currency: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Session values that the payer is asked for where the request leaves them out: by path, what they type. */
  readonly asked: Readonly<Record<string, string>>;
  /** The same as the request brings them. */
  readonly session: Readonly<Record<string, unknown>>;
  /** Entries that are refused beside their field. */
  readonly wrong: Readonly<Record<string, string>>;
  /** Parameters of which each is refused. */
  readonly badParameters: readonly Readonly<Record<string, unknown>>[];
}

const rows: readonly Row[] = [
  {
    key: 'cash-wallet-deposit',
    currency: 'EUR',
    parameters: { payer_id: 'user-7781' },
    asked: { 'customer.name': 'Ana Horvat', 'customer.birth_date': '1990-04-23' },
    session: { customer: { name: 'Ana Horvat', birth_date: '1990-04-23' } },
    wrong: { 'customer.name': 'Ana', 'customer.birth_date': '1990-02-30' },
    badParameters: [{}, { payer_id: '' }, { payer_id: 'user-7781', surprise: 'x' }],
  },
  {
    key: 'wallet-payin',
    currency: 'USD',
    parameters: {},
    asked: {
      'customer.name': 'Ana Horvat',
      'customer.email': 'ana@example.com',
      'billing_address.phone': '+385911234567',
      'billing_address.country': 'HR',
      'billing_address.address': 'Ilica 1',
      'billing_address.city': 'Zagreb',
      'billing_address.zip': '10000',
    },
    session: {
      customer: { name: 'Ana Horvat', email: 'ana@example.com' },
      billing_address: { phone: '+385911234567', country: 'HR', address: 'Ilica 1', city: 'Zagreb', zip: '10000' },
    },
    wrong: {
      'customer.name': 'Ana',
      'customer.email': 'ana@',
      'billing_address.phone': '091/123',
      'billing_address.country': 'XX',
      'billing_address.address': 'A',
      'billing_address.city': 'A',
      'billing_address.zip': '1',
    },
    badParameters: [{ surprise: 'x' }],
  },
];

let service: Awaited<ReturnType<typeof familyService>>;
beforeAll(async () => {
  service = await familyService([signedDepositAccount, walletGatewayAccount]);
}, 60_000);
afterAll(() => service.stop());

const sessionOf = (
  { key, currency, parameters }: Pick<Row, 'key' | 'currency' | 'parameters'>,
  more: Readonly<Record<string, unknown>> = {},
  order: Readonly<Record<string, string>> = {},
) =>
  sessionBody(
    { methods: [key], parameters: { [key]: parameters }, customer: undefined, ...more },
    { currency, ...order },
  );

const ended = async (number: string, status: string) => {
  const { fields, signed } = await service.shop.until(
    (each) => each.fields['order_number'] === number && each.fields['order_status'] === status,
  );
  expect(signed).toBe(true);
  return fields;
};

test('has a row for every key that the catalogue sends here', () => {
  expect(rows.map(({ key }) => key).toSorted()).toEqual(keysPaidIn('families/wallet-payers.test.ts'));
});

describe.each(rows)('$key', (row) => {
  const { key, asked, currency, session, wrong } = row;

  /** Pays what was begun. */
  async function settles(number: string, page: string) {
    expect(await (await fetch(page)).text()).toMatch(/href="[^"]*\?payment=/);
    service.simulator.settle(service.simulator.payments().at(-1)?.id ?? '');
    expect(await ended(number, 'settled')).toMatchObject({
      type: 'sale',
      status: 'success',
      order_amount: '10.00',
      order_currency: currency,
    });
    expect(await (await fetch(page)).text()).toContain('Payment complete');
  }

  test('is paid, from the session over HTTP to the final callback, with what the payer is asked for', async () => {
    const body = sessionOf(row);
    const page = await createPage(service.url, body);
    const form = await (await fetch(page)).text();
    for (const name of Object.keys(asked)) expect(form).toContain(`name="${name}"`);
    expect((await pressPay(page, { method: key, ...asked })).status).toBe(303);
    await settles(body.order.number, page);
  });

  test('is paid with what the session brings, and asks for none of it', async () => {
    const body = sessionOf(row, session);
    const page = await createPage(service.url, body);
    const form = await (await fetch(page)).text();
    for (const name of Object.keys(asked)) expect(form).not.toContain(`name="${name}"`);
    expect((await pressPay(page, { method: key })).status).toBe(303);
    await settles(body.order.number, page);
  });

  test('is sold by command', async () => {
    await expectSold(service, sessionOf(row, session));
  });

  test('says beside each field what is wrong with it, and asks no provider', async () => {
    const before = service.simulator.payments().length;
    const reply = await pressPay(await createPage(service.url, sessionOf(row)), { method: key, ...asked, ...wrong });
    expect(reply.status).toBe(422);
    const form = await reply.text();
    for (const name of Object.keys(wrong)) expect(form).toContain(`id="field-${name}-problem"`);
    expect(service.simulator.payments()).toHaveLength(before);
  });

  test('is refused with wrong parameters', async () => {
    const send = async (body: object) => (await post(`${service.url}/api/v1/session`, body)).status;
    for (const parameters of row.badParameters)
      expect.soft(await send(sessionOf({ ...row, parameters })), JSON.stringify(parameters)).toBe(400);
  });

  test('is refused in another operation, and taken in another country and currency', async () => {
    await expectRefusals(service.url, key, (change, order) => sessionOf(row, { ...session, ...change }, order));
  });
});

test('a deposit from a wallet of another person is declined, once its notification has come and the provider knows it no more', async () => {
  const body = sessionOf(
    { key: 'cash-wallet-deposit', currency: 'EUR', parameters: { payer_id: 'user-7781' } },
    { customer: { name: 'Ana Mismatch', birth_date: '1990-04-23' } },
  );
  const page = await createPage(service.url, body);
  expect((await pressPay(page, { method: 'cash-wallet-deposit' })).status).toBe(303);
  service.simulator.decline(service.simulator.payments().at(-1)?.id ?? '');
  expect(await ended(body.order.number, 'decline')).toMatchObject({
    status: 'fail',
    reason: 'The wallet is not in the name of the payer, or their date of birth is another one.',
  });
});

test('a currency without a partner id is declined, and no provider is asked', async () => {
  const before = service.simulator.payments().length;
  const [row] = rows;
  if (row === undefined) throw new Error('The table is empty.');
  const page = await createPage(service.url, sessionOf({ ...row, currency: 'SEK' }, row.session));
  await pressPay(page, { method: row.key });
  expect(await (await fetch(page)).text()).not.toContain('Payment complete');
  expect(service.simulator.payments()).toHaveLength(before);
});
