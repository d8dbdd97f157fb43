import { bankCollectionConnector, bankGatewayConnector } from '@railyard/connector-bank-transfer';
import { bankCollectionSimulation, bankGatewaySimulation } from '@railyard/connector-bank-transfer/simulation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { familyService } from '../support/family-service.ts';
import { createPage, post, pressPay, sessionBody } from '../support/service.ts';

interface Row {
  readonly key: string;
  readonly currency: string;
  readonly amount: string;
  /** Parameters of the request. */
  readonly sent: object;
  /** What the payer types before they press the button, by the name of the parameter. */
  readonly typed?: Readonly<Record<string, string>>;
  /** What the payer answers after it. */
  readonly answered?: Readonly<Record<string, string>>;
  /** A text that the payer reads while the payment is pending. */
  readonly shown: string;
  /** No source gives it countries or currencies. */
  readonly anywhere?: true;
}

const ACCOUNT = '2850590940090418135201';
/** The simulated provider’s own page. */
const PAGE = '/?payment=';
const ownAccount = { orgCode: 'ZIRAAT', accountName: 'Ada Yilmaz', accountNumber: '1234567' };
const rows: readonly Row[] = [
  {
    key: 'bank-offline-ar',
    currency: 'ARS',
    amount: '1500.00',
    sent: { clientTaxId: '20-05536168-2' },
    shown: ACCOUNT,
  },
  {
    key: 'bank-offline-ar',
    currency: 'ARS',
    amount: '1500.00',
    sent: {},
    typed: { clientTaxId: '12.345.678' },
    shown: ACCOUNT,
  },
  {
    key: 'bank-offline-cl',
    currency: 'CLP',
    amount: '1500.00',
    sent: {},
    typed: { clientTaxId: '12.531.909-2' },
    shown: ACCOUNT,
  },
  { key: 'bank-offline-pe', currency: 'PEN', amount: '15.00', sent: { clientname: 'Rosa Quispe' }, shown: ACCOUNT },
  {
    key: 'bank-offline-py',
    currency: 'PYG',
    amount: '1500.00',
    sent: {},
    typed: { clientname: 'Ana Ayala' },
    shown: ACCOUNT,
  },
  {
    key: 'debin',
    currency: 'ARS',
    amount: '1500.00',
    sent: { bankDetails: { alias: 'mesa.rio.luna' } },
    shown: 'Authorise the debit at your bank.',
  },
  {
    key: 'debin',
    currency: 'ARS',
    amount: '1500.00',
    sent: {},
    answered: { step: 'account', account: ACCOUNT },
    shown: 'Authorise the debit at your bank.',
  },
  {
    key: 'mobile-pull-pe',
    currency: 'PEN',
    amount: '15.00',
    sent: {},
    answered: { step: 'code', phoneNumber: '987 654 321', otp: '123456' },
    shown: 'Corner shop',
  },
  { key: 'bank-ar', currency: 'ARS', amount: '1500.00', sent: {}, typed: { bank_cuil: '20-05536168-2' }, shown: PAGE },
  { key: 'bank-mx', currency: 'MXN', amount: '15.00', sent: { bank_curp: 'BOXW310820HNERXN09' }, shown: PAGE },
  { key: 'bank-code-tr', currency: 'TRY', amount: '15.00', sent: {}, typed: ownAccount, shown: PAGE },
  { key: 'wallet-tr', currency: 'TRY', amount: '15.00', sent: ownAccount, shown: PAGE },
  { key: 'wallet-th', currency: 'THB', amount: '15.00', sent: {}, typed: ownAccount, shown: PAGE },
  { key: 'service-payment-pe', currency: 'PEN', amount: '15.00', sent: {}, shown: '4821057390' },
  {
    key: 'qr-th',
    currency: 'THB',
    amount: '15.00',
    sent: {},
    typed: ownAccount,
    shown: '00020101021230TRANSFERbt_40c1',
  },
  { key: 'iban-tr', currency: 'TRY', amount: '15.00', sent: {}, typed: { personal_id: '17291716060' }, shown: PAGE },
  {
    key: 'bank-account',
    currency: 'MYR',
    amount: '15.00',
    sent: { bank_code: 'AGRIFRPP', bank_account_number: '1234567890' },
    shown: 'Approve the payment in the app of your bank.',
    anywhere: true,
  },
];

let service: Awaited<ReturnType<typeof familyService>>;

beforeAll(async () => {
  const account = { merchantType: 'RETAIL', merchantName: 'Shop', accountId: 'acc-1' };
  const keys = bankCollectionConnector.serves.map(({ method: { key } }) => [key, account]);
  service = await familyService(
    [
      {
        connector: bankCollectionConnector,
        simulation: bankCollectionSimulation,
        settings: { api_key: 'the-api-key' },
        defaults: Object.fromEntries(keys),
      },
      {
        connector: bankGatewayConnector,
        simulation: bankGatewaySimulation,
        settings: { token: 'the-token', signing_secret: 'a-secret-that-signs' },
      },
    ],
    Date.now,
  );
});
afterAll(() => service.stop());

const bodyOf = (
  { key, currency, amount, sent }: Row,
  change: object = {},
  order: Readonly<Record<string, string>> = {},
) => sessionBody({ methods: [key], parameters: { [key]: sent }, ...change }, { currency, amount, ...order });

async function until(number: string) {
  const { fields } = await service.shop.until(
    ({ fields: each }) => each['order_number'] === number && each['order_status'] === 'settled',
  );
  return fields;
}

test('has a row for every method of the connectors', () => {
  const keys = [bankCollectionConnector, bankGatewayConnector].flatMap(({ serves }) =>
    serves.map(({ method: { key } }) => key),
  );
  expect([...new Set(rows.map(({ key }) => key))].toSorted()).toEqual(keys.toSorted());
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
    if (row.answered !== undefined) {
      const answer = await fetch(`${page}/answer`, {
        method: 'POST',
        body: new URLSearchParams(row.answered),
        redirect: 'manual',
      });
      expect(answer.status).toBe(303);
    }
    expect(await (await fetch(page)).text()).toContain(row.shown);
    const held = service.simulator.payments().at(-1);
    expect(held).toMatchObject({ currency: row.currency });
    service.simulator.settle(held?.id ?? '');
    expect(await until(body.order.number)).toMatchObject({ type: 'sale', status: 'success' });
  });

  test('is refused in another currency, country and operation', async () => {
    const send = async (body: object) => (await post(`${service.url}/api/v1/session`, body)).status;
    expect(await send(bodyOf(row))).toBe(200);
    const elsewhere = row.anywhere === true ? 200 : 400;
    expect(await send(bodyOf(row, {}, { currency: 'SEK', amount: '15.00' }))).toBe(elsewhere);
    expect(await send(bodyOf(row, { billing_address: { country: 'FR' } }))).toBe(elsewhere);
    expect(await send(bodyOf(row, { operation: 'credit', payee: { name: 'Ana Torres' } }))).toBe(400);
  });
});
