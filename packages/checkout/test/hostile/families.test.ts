import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bankTransferAccounts } from '../support/bank-transfer-accounts.ts';
import { familyService } from '../support/family-service.ts';
import { payLaterAccount } from '../support/pay-later-account.ts';
import { createPage, post, sessionBody } from '../support/service.ts';
import { walletGatewayAccount } from '../support/wallet-gateway-account.ts';
import { linkPayoutAccount, signedDepositAccount } from '../support/wallet-payer-accounts.ts';
import { type FamilyRow, familyRows, hostileValues } from './family-rows.ts';

const accounts = [
  ...bankTransferAccounts,
  walletGatewayAccount,
  signedDepositAccount,
  linkPayoutAccount,
  payLaterAccount,
];

/** Every text of the settings that is a secret: what is signed with, and what an account is opened with. */
const SECRETS = accounts.flatMap(({ settings }) =>
  Object.entries(settings).flatMap(([name, value]) => (/key|secret|token/.test(name) ? String(value) : [])),
);

let service: Awaited<ReturnType<typeof familyService>>;
beforeAll(async () => {
  service = await familyService(accounts);
}, 60_000);
afterAll(() => service.stop());

/** The body of a request, with another value at a dotted place. */
function withValue(body: object, place: string, value: unknown): object {
  const [name = '', ...rest] = place.split('.');
  const inner: unknown = Reflect.get(body, name);
  return { ...body, [name]: rest.length === 0 ? value : withValue(Object(inner), rest.join('.'), value) };
}

const bodyOf = ({ key, operation, currency, amount, parameters, session }: FamilyRow) =>
  sessionBody(
    { operation: operation ?? 'purchase', methods: [key], parameters: { [key]: parameters }, ...session },
    { currency, amount },
  );

const charges = () => service.simulator.payments().length;

/** A form of the page, whose answer is read. */
async function send(address: string, form: Readonly<Record<string, string>>) {
  const reply = await fetch(address, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  return { status: reply.status, text: `${JSON.stringify([...reply.headers])} ${await reply.text()}` };
}

const holdsSecret = (text: string) => SECRETS.some((secret) => text.includes(secret));

/** How often the merchant was told that the money of an order moved. */
const settlements = (number: string) =>
  service.shop.received.filter(
    ({ fields }) => fields['order_number'] === number && fields['order_status'] === 'settled',
  ).length;

/** Settles the youngest payment of the provider twice, and waits until the merchant knows. */
async function settlesOnce(number: string) {
  const { id = '' } = service.simulator.payments().at(-1) ?? {};
  service.simulator.settle(id);
  service.simulator.notify(id);
  service.simulator.notify(id);
  await service.shop.until(({ fields }) => fields['order_number'] === number && fields['order_status'] === 'settled');
  await service.simulator.idle();
  expect(settlements(number)).toBe(1);
}

describe.each(familyRows)('$key', (row) => {
  const { key, fields, typed = {} } = row;
  const places = Object.entries(fields);

  test.each(places)('refuses every hostile value of %s, and asks no provider', async (place, kind) => {
    const before = charges();
    expect((await post(`${service.url}/api/v1/session`, bodyOf(row))).status).toBe(200);
    // A blank of the payer's own fields counts as absent, and the page asks for it.
    for (const value of hostileValues(kind).filter((each) => each !== '' || place.startsWith('parameters'))) {
      const { status, json } = await post(`${service.url}/api/v1/session`, withValue(bodyOf(row), place, value));
      const text = JSON.stringify(json);
      expect.soft([status, text.includes(place)], JSON.stringify(value).slice(0, 60)).toEqual([400, true]);
      expect.soft(holdsSecret(text)).toBe(false);
    }
    expect(charges()).toBe(before);
  });

  test('refuses parameters under names that objects have by themselves, and others that it does not know', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'surprise', '']) {
      const text = JSON.stringify(bodyOf(row));
      const attacked = text.replace(`"${key}":{`, `"${key}":{${JSON.stringify(name)}:{"isAdmin":true},`);
      expect(attacked).not.toBe(text);
      const reply = await post(`${service.url}/api/v1/session`, attacked);
      expect.soft(reply.status, name).toBe(400);
    }
  });

  test('takes from the payer no parameter of the merchant, no amount and no other method', async () => {
    const body = bodyOf(row);
    const page = await createPage(service.url, body);
    const forged = Object.fromEntries(
      places.filter(([place]) => !(place in typed)).map(([place]) => [place, 'forged']),
    );
    const order = { 'order.amount': '0.01', 'order.currency': 'USD', amount: '0.01', operation: 'credit' };
    const pressed = await send(`${page}/pay`, { ...typed, ...order, ...forged, method: key });
    expect([303, 422]).toContain(pressed.status);
    if (pressed.status === 422) expect((await send(`${page}/pay`, { ...typed, method: key })).status).toBe(303);
    const held = service.simulator.payments().at(-1);
    expect(held).toMatchObject({ amount: row.amount, currency: row.currency });
    expect(JSON.stringify(held)).not.toContain('forged');
    await settlesOnce(body.order.number);
  });

  test('is settled once, however often and in whatever order the forms of its page are sent at once', async () => {
    const before = charges();
    const body = bodyOf(row);
    const page = await createPage(service.url, body);
    const early = ['answer', 'renew', 'change', 'back'].map((action) =>
      send(`${page}/${action}`, { step: 'code', code: '123456', method: key }),
    );
    const pay = { method: key, ...typed };
    const atOnce = [...early, ...Array.from({ length: 6 }, () => send(`${page}/pay`, pay))];
    const answers = await Promise.all(atOnce);
    const late = await Promise.all(
      ['pay', 'check', 'answer', 'back'].map((action) => send(`${page}/${action}`, { ...pay, step: 'account' })),
    );
    for (const { status, text } of [...answers, ...late]) {
      expect(status).toBeLessThan(500);
      expect(holdsSecret(text)).toBe(false);
    }
    expect(charges()).toBe(before + 1);
    await settlesOnce(body.order.number);
    for (const again of await Promise.all([send(`${page}/pay`, pay), send(`${page}/pay`, pay)]))
      expect(again.status).toBeLessThan(500);
    expect(charges()).toBe(before + 1);
  });

  test('is not reached with the token of another page, a part of one, or one that is longer', async () => {
    const before = charges();
    const [own, other] = [await createPage(service.url, bodyOf(row)), await createPage(service.url, bodyOf(row))];
    const [token = '', stranger = ''] = [own, other].map((page) => page.split('/').at(-1));
    const mixed = stranger.slice(0, 10) + token.slice(10);
    for (const wrong of [
      token.slice(0, -1),
      `${token}x`,
      mixed,
      token.toUpperCase() + token,
      '..',
      '%00',
      `${token}%2f`,
    ]) {
      const reply = await send(`${service.url}/auth/${wrong}/pay`, { method: key, ...typed });
      expect.soft([reply.status, holdsSecret(reply.text)], wrong).toEqual([404, false]);
    }
    expect(charges()).toBe(before);
  });
});

describe.each(familyRows.filter(({ typed }) => typed !== undefined))('the form of $key', (row) => {
  const { key, fields, typed = {} } = row;

  test.each(Object.keys(typed))(
    'refuses every hostile text in %s beside its field, and asks no provider',
    async (name) => {
      const before = charges();
      const page = await createPage(service.url, bodyOf(row));
      const { [name]: kind = 'text' } = fields;
      // A form carries text alone, and the page takes blanks around it off.
      const texts = hostileValues(kind).filter((value) => typeof value === 'string');
      for (const text of texts) {
        const reply = await send(`${page}/pay`, { method: key, ...typed, [name]: text });
        expect.soft([413, 422], JSON.stringify(text).slice(0, 60)).toContain(reply.status);
        expect.soft(holdsSecret(reply.text)).toBe(false);
      }
      expect(charges()).toBe(before);
    },
  );
});

test('no order was told as paid twice, and no request has failed inside the service', () => {
  const told = service.shop.received.flatMap(({ fields }) =>
    fields['order_status'] === 'settled' ? [fields['order_number']] : [],
  );
  expect(told.length).toBeGreaterThanOrEqual(2 * familyRows.length);
  expect(new Set(told).size).toBe(told.length);
  expect(service.lines.filter((line) => line.includes('request-failed'))).toEqual([]);
});
