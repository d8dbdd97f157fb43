import { walletGatewayConnector } from '@railyard/connector-wallet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keysPaidIn } from '../../../../test/support/catalogue.ts';
import { familyService } from '../support/family-service.ts';
import { expectSold } from '../support/sold-by-command.ts';
import { expectRefusals } from '../support/refusals.ts';
import { createPage, post, pressPay, sessionBody } from '../support/service.ts';
import { walletGatewayAccount } from '../support/wallet-gateway-account.ts';

interface Row {
  readonly key: string;
  readonly currency?: string;
  /** More fields of the session. */
  readonly session?: Readonly<Record<string, unknown>>;
  /** Parameters that the request has to bring. */
  readonly sent?: Readonly<Record<string, string>>;
  /** What the payer is asked for, by the name of its input, and what a request may bring instead. */
  readonly asked?: Readonly<Record<string, string>>;
  /** An entry that is refused beside its field. */
  readonly wrong?: Readonly<Record<string, string>>;
  /** What the payer reads while the payment is pending. */
  readonly shown: RegExp;
}

/** A link to the simulated provider's own page. */
const PAGE = /href="[^"]*\?payment=/;
const PROMPT = /Approve the payment in the app of your wallet/;
const NUMBER = 'document_number';
const at = (key: string, entries: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(entries).map(([name, value]) => [`parameters.${key}.${name}`, value]));
const byDocument = (key: string, more: Readonly<Record<string, string>> = {}): Row => ({
  key,
  asked: at(key, { [NUMBER]: '1701234567', ...more }),
  wrong: at(key, { [NUMBER]: '1'.repeat(256) }),
  shown: PAGE,
});

const inCountry = (country: string) => ({ billing_address: { country } });
const personal = (key: string, currency: string, personal_id: string, wrong: string): Row => ({
  key,
  currency,
  asked: at(key, { personal_id }),
  wrong: at(key, { personal_id: wrong }),
  shown: currency === 'INR' ? PROMPT : PAGE,
});
const inVietNam = ['wallet-vn-a', 'wallet-vn-b', 'wallet-vn-c'].map((key) =>
  personal(key, 'VND', '001 099 012 345', '1234567890'),
);
const PHONE = 'billing_address.phone';
const byPhone = (key: string, shown: RegExp): Row => ({
  key,
  asked: { [PHONE]: '+57(300)123-4567' },
  wrong: { [PHONE]: '0300123456' },
  shown,
});

const rows: readonly Row[] = [
  { key: 'widget', shown: PAGE },
  { key: 'app', shown: />Open the app</ },
  { key: 'qr', shown: /WALLET:PAY:wp_71c2/ },
  { key: 'payment-details', shown: /7120 4415[^]*Corner shop/ },
  byDocument('document-redirect'),
  byDocument('document-redirect-alt'),
  byDocument('document-redirect-typed', { document_type: 'CI' }),
  { ...byDocument('document-redirect-typed'), session: inCountry('GT') },
  {
    key: 'member-redirect',
    asked: at('member-redirect', { memberId: 'm-1' }),
    wrong: at('member-redirect', { memberId: ' ' }),
    shown: PAGE,
  },
  { key: 'country-fields', asked: { 'billing_address.country': 'FR' }, shown: PAGE },
  ...['BR', 'CL', 'CO'].map((country) => ({
    key: 'country-fields',
    session: inCountry(country),
    asked: at('country-fields', { personalId: '529.982.247-25' }),
    wrong: at('country-fields', { personalId: '1+1' }),
    shown: PAGE,
  })),
  personal('upi-personal', 'INR', 'ABCDE1234F', '1'.repeat(256)),
  personal('upi-personal-alt', 'INR', 'ABCDE1234F', ' '),
  ...inVietNam,
  { key: 'wallet-vn-a', currency: 'VND', session: inCountry('FR'), shown: PAGE },
  personal('wallet-co', 'COP', '1.020.304.050', '12345'),
  { key: 'upi', currency: 'INR', sent: { upi_id: 'abc@ybl' }, shown: PROMPT },
  { key: 'upi-address', currency: 'INR', sent: { upiAddress: 'abc@ybl' }, shown: PROMPT },
  byPhone('phone-wallet', PROMPT),
  byPhone('phone-prompt', PROMPT),
  byPhone('link-sms', /We sent it to \+57 3 •••••-4567/),
  {
    key: 'link-email',
    asked: { 'customer.email': 'ada@example.com' },
    wrong: { 'customer.email': 'ada' },
    sent: { SecurityQuestion: 'Where do we meet?', SecurityQuestionAnswer: 'library' },
    shown: /e-mail that we sent you/,
  },
];

/** How far the clock is ahead. */
let ahead = 0;
let service: Awaited<ReturnType<typeof familyService>>;
beforeAll(async () => {
  service = await familyService([walletGatewayAccount], () => Date.now() + ahead);
}, 60_000);
afterAll(() => service.stop());

const bodyOf = (
  row: Row,
  more: Readonly<Record<string, unknown>> = {},
  order: Readonly<Record<string, string>> = {},
) => {
  const { key, currency = 'USD', session } = row;
  return sessionBody(
    { methods: [key], ...bringing(row), ...session, ...more },
    { currency, amount: '15.00', ...order },
  );
};

/** The inputs that the page asks the payer to fill in. */
const fieldsOf = (form: string) => [...form.matchAll(/ name="(\w+\.[\w.-]+)"/g)].map(([, name]) => name).toSorted();

/** A request that brings these entries itself: parameters, and fields of the session in their blocks. */
const bringing = (row: Row, entries: Readonly<Record<string, string>> = {}) => {
  const place = `parameters.${row.key}.`;
  const parameters: Record<string, string> = { ...row.sent };
  const blocks: Record<string, Record<string, string>> = {};
  for (const [path, value] of Object.entries(entries)) {
    const [block = '', name = ''] = path.split('.');
    if (path.startsWith(place)) parameters[path.slice(place.length)] = value;
    else blocks[block] = { ...blocks[block], [name]: value };
  }
  return { ...blocks, parameters: { [row.key]: parameters } };
};

test('has a row for every key that the catalogue sends here', () => {
  expect([...new Set(rows.map(({ key }) => key))].toSorted()).toEqual(keysPaidIn('families/wallet.test.ts'));
});

describe.each(rows)('$key, session $session', (row) => {
  const { key, currency = 'USD', asked = {}, shown } = row;

  /** The payer's page is shown how to pay, the provider is paid, the merchant is called back. */
  async function settles(page: string, number: string) {
    expect(await (await fetch(page)).text()).toMatch(shown);
    const held = service.simulator.payments().at(-1);
    expect(held).toMatchObject({ amount: '15.00', currency });
    service.simulator.settle(held?.id ?? '');
    const { fields, signed } = await service.shop.until(
      (each) => each.fields['order_number'] === number && each.fields['order_status'] === 'settled',
    );
    expect(signed).toBe(true);
    expect(fields).toMatchObject({ type: 'sale', status: 'success', order_amount: '15.00', order_currency: currency });
  }

  test('is paid from the session to the last callback, with what the payer is asked for', async () => {
    const body = bodyOf(row);
    const page = await createPage(service.url, body);
    const form = await (await fetch(page)).text();
    expect(fieldsOf(form)).toEqual(Object.keys(asked).toSorted());
    expect((await pressPay(page, { method: key, ...asked })).status).toBe(303);
    await settles(page, body.order.number);
  });

  test('is paid with what the request brings, for which the payer is not asked', async () => {
    const body = bodyOf(row, bringing(row, asked));
    const page = await createPage(service.url, body);
    const form = await (await fetch(page)).text();
    expect(fieldsOf(form)).toEqual([]);
    expect((await pressPay(page, { method: key })).status).toBe(303);
    await settles(page, body.order.number);
  });

  test('is sold by command', async () => {
    await expectSold(service, bodyOf(row), asked);
  });

  test('is refused in another country, currency and operation', async () => {
    await expectRefusals(service.url, key, (change, order) => bodyOf(row, change, order));
  });
});

test('a link with a question and no answer is refused', async () => {
  const parameters = { 'link-email': { SecurityQuestion: 'Where do we meet?' } };
  const body = sessionBody({ methods: ['link-email'], parameters }, { currency: 'USD' });
  expect((await post(`${service.url}/api/v1/session`, body)).status).toBe(400);
});

describe.each(rows.filter(({ key }) => ['widget', 'phone-wallet', 'link-email'].includes(key)))(
  '$key, of which the payer is shown how to pay',
  (row) => {
    async function begun() {
      const body = bodyOf(row, bringing(row, row.asked));
      expect((await pressPay(await createPage(service.url, body), { method: row.key })).status).toBe(303);
      return { number: body.order.number, id: service.simulator.payments().at(-1)?.id ?? '' };
    }
    const until = (number: string, status: string) =>
      service.shop.until(({ fields }) => fields['order_number'] === number && fields['order_status'] === status);

    test('is declined where the wallet refuses it', async () => {
      const { number, id } = await begun();
      service.simulator.decline(id);
      expect((await until(number, 'decline')).fields).toMatchObject({ type: 'sale', status: 'fail' });
    });

    test('is paid by a lookup where no notification comes', async () => {
      service.simulator.setRule({ connector: walletGatewayConnector.id, scenario: 'manual', notifications: 'none' });
      const { number, id } = await begun();
      service.simulator.settle(id);
      ahead += 300_000;
      expect((await until(number, 'settled')).fields).toMatchObject({ type: 'sale', status: 'success' });
      service.simulator.setRule({ connector: walletGatewayConnector.id, scenario: 'manual', notifications: 'once' });
    });
  },
);

describe.each(rows.flatMap((row) => (row.wrong === undefined ? [] : [{ ...row, wrong: row.wrong }])))(
  '$key, session $session, of which something is wrong',
  (row) => {
    test('says beside the field what is wrong, and asks no provider', async () => {
      const { key, asked, wrong } = row;
      const before = service.simulator.payments().length;
      const reply = await pressPay(await createPage(service.url, bodyOf(row)), { method: key, ...asked, ...wrong });
      expect(reply.status).toBe(422);
      const form = await reply.text();
      for (const name of Object.keys(wrong)) expect(form).toContain(`id="field-${name}-problem"`);
      const refused = await post(`${service.url}/api/v1/session`, bodyOf(row, bringing(row, wrong)));
      expect(refused.status).toBe(400);
      expect(service.simulator.payments()).toHaveLength(before);
    });
  },
);
