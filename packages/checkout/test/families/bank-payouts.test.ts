import { bankPayoutConnector } from '@railyard/connector-bank-transfer';
import { bankPayoutSimulation } from '@railyard/connector-bank-transfer/simulation';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { payoutTo } from '../../../connector-bank-transfer/test/support/payouts.ts';
import { keysPaidIn } from '../../../../test/support/catalogue.ts';
import { payoutFields, sendCommand, toldCommand } from '../support/commands.ts';
import { familyService } from '../support/family-service.ts';
import { expectRefusals } from '../support/refusals.ts';
import { createPage, post, pressPay, sessionBody } from '../support/service.ts';

interface Row {
  readonly key: string;
  /** Of the payee; nothing where the method is for any. */
  readonly country?: string;
  readonly currency: string;
  readonly sent: Readonly<Record<string, unknown>>;
  /** Values of parameters that are refused. */
  readonly wrong: Readonly<Record<string, unknown>>;
}

const WRONG: Readonly<Record<string, Row['wrong']>> = {
  IN: { ifscCode: 'HDFC1000001' },
  ID: { cashAccount: '1'.repeat(33) },
  TH: { paymentMethod: '' },
  MX: { paymentMethod: 'LONGER7' },
  BR: { paymentMethod: 'CPF' },
  CO: { idType: 'NIT' },
  PE: { cci: '1' },
};
const WITHDRAWAL = { ToAccountNumber: '1234567890', ToAccountName: 'Li Na', ToProvince: 'Guangdong' };

const rows: readonly Row[] = [
  ...Object.entries(payoutTo).map(([country, { currency, parameters: sent }]) => ({
    key: 'disbursement',
    country,
    currency,
    sent,
    wrong: WRONG[country] ?? {},
  })),
  { key: 'bank-withdrawal', currency: 'CNY', sent: WITHDRAWAL, wrong: { ToProvince: undefined } },
];

let service: Awaited<ReturnType<typeof familyService>>;
beforeAll(async () => {
  service = await familyService([
    {
      connector: bankPayoutConnector,
      simulation: bankPayoutSimulation,
      settings: { api_key: 'the-api-key', signing_secret: 'a-secret-that-signs' },
      defaults: { 'bank-withdrawal': { required_fields: ['ToAccountNumber', 'ToAccountName', 'ToProvince'] } },
    },
  ]);
}, 60_000);
beforeEach(() => service.simulator.setRule({ connector: bankPayoutConnector.id, scenario: 'manual' }));
afterAll(() => service.stop());

const bodyOf = (
  { key, currency, sent }: Row,
  change: object = {},
  order: Readonly<Record<string, string>> = {},
): ReturnType<typeof sessionBody> =>
  sessionBody(
    { operation: 'credit', methods: [key], payee: { name: 'Ana Torres' }, parameters: { [key]: sent }, ...change },
    { currency, ...order },
  );

const commandOf = ({ key, currency, sent }: Row, change: Readonly<Record<string, string>> = {}) => {
  const { 'parameters[key]': _, ...fields } = payoutFields({ brand: key, order_currency: currency });
  const given = Object.entries(sent).map(([name, value]) => [`parameters[${name}]`, String(value)]);
  return { ...fields, ...Object.fromEntries(given), ...change };
};

test('has a row for every key that the catalogue sends here and every country of the first', () => {
  expect([...new Set(rows.map(({ key }) => key))].toSorted()).toEqual(keysPaidIn('families/bank-payouts.test.ts'));
  const [{ method } = { method: undefined }] = bankPayoutConnector.serves;
  expect(rows.flatMap(({ country = [] }) => country)).toEqual(method?.countries);
});

describe.each(rows)('$key in $currency', (row) => {
  const last = () => service.simulator.payments().at(-1);

  test('is paid out from the session to the last callback', async () => {
    const body = bodyOf(row);
    const page = await createPage(service.url, body);
    expect((await pressPay(page, { method: row.key })).status).toBe(303);
    expect(last()).toMatchObject({ amount: '10.00', currency: row.currency });
    service.simulator.settle(last()?.id ?? '');
    const { fields, signed } = await service.shop.until(
      (each) => each.fields['order_number'] === body.order.number && each.fields['order_status'] === 'settled',
    );
    expect(signed).toBe(true);
    expect(fields).toMatchObject({ status: 'success', order_amount: '10.00', order_currency: row.currency });
  });

  test('is paid out by command, without a page', async () => {
    const fields = commandOf(row);
    expect((await sendCommand(service.url, fields)).json).toMatchObject({ status: 'PREPARE' });
    service.simulator.settle(last()?.id ?? '');
    expect(await toldCommand(service.shop, fields['order_id'], 'SETTLED')).toMatchObject({ result: 'SUCCESS' });
  });

  test('is declined where the bank rejects it', async () => {
    service.simulator.setRule({ connector: bankPayoutConnector.id, scenario: 'declined' });
    const { json } = await sendCommand(service.url, commandOf(row));
    expect(json).toMatchObject({ status: 'DECLINED', decline_reason: expect.stringMatching(/./) });
  });

  test('is refused in another country, currency and operation, and with a value that is wrong', async () => {
    const before = service.simulator.payments().length;
    await expectRefusals(service.url, row.key, (change, order) => bodyOf(row, change, order));
    const parameters = { [row.key]: { ...row.sent, ...row.wrong } };
    expect((await post(`${service.url}/api/v1/session`, bodyOf(row, { parameters }))).status).toBe(400);
    expect(service.simulator.payments()).toHaveLength(before);
  });
});

test('a payout to another country than its currency’s is declined before the provider is asked', async () => {
  const before = service.simulator.payments().length;
  const row = rows.find(({ country }) => country === 'PE');
  if (row === undefined) throw new Error('There is no row of Peru.');
  const { json } = await sendCommand(service.url, commandOf(row, { payee_country: 'BR' }));
  expect(json).toMatchObject({ status: 'DECLINED', decline_reason: 'A payout in PEN goes to PE.' });
  expect(service.simulator.payments()).toHaveLength(before);
});
