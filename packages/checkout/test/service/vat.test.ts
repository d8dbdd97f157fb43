import { signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorLines, postRaw } from '../support/any-method-service.ts';
import { mirrorConnector, mirrorProvider } from '../support/mirror-connector.ts';
import { callbackSecret, receiver } from '../support/receiver.ts';
import { createPage, merchant, post, pressPay, sessionBody, startOn } from '../support/service.ts';

let provider: Awaited<ReturnType<typeof mirrorProvider>>;
let shop: Awaited<ReturnType<typeof receiver>>;
let service: Awaited<ReturnType<typeof startOn>>;

beforeAll(async () => {
  provider = await mirrorProvider();
  shop = await receiver();
  service = await startOn((port) => ({
    publicUrl: `http://127.0.0.1:${port}`,
    port,
    dataDir: 'memory',
    callbackNetwork: 'any',
    connectors: [mirrorConnector],
    mids: [{ id: 'any', connector: 'mirror', settings: { base_url: provider.url } }],
    merchants: [
      {
        ...merchant,
        name: 'Test shop',
        callbackUrl: shop.url,
        callbackSecret,
        methods: [{ key: 'mirror', mid: 'any' }],
        vat: { DE: '19', US: '0' },
      },
    ],
  }));
});

afterAll(async () => {
  await service.stop();
  await shop.close();
  await provider.close();
});

const sent = (country: string | undefined, more: object = {}) =>
  sessionBody(
    { methods: ['mirror'], vat_calc: true, ...(country && { billing_address: { country } }), ...more },
    { amount: '100.99', currency: 'EUR' },
  );

async function statusOf(order_id: string) {
  const hash = signRequest('status_by_order', { order_id }, merchant.password);
  return (await post(`${service.url}/api/v1/payment/status`, { merchant_key: merchant.key, order_id, hash })).json;
}

test('the tax is shown on the page and told in callback and status; the payer pays the order’s amount', async () => {
  const body = sent('DE');
  const page = await createPage(service.url, body);
  expect(await (await fetch(page)).text()).toContain('Includes 19% VAT: EUR\u00a016.12');
  expect(await statusOf(body.order.number)).toMatchObject({ status: 'prepare', vat_amount: '16.12', vat_rate: '19' });
  await pressPay(page, { method: 'mirror' });
  const { fields } = await shop.until((each) => each.fields['order_number'] === body.order.number);
  expect(fields).toMatchObject({ order_amount: '100.99', vat_amount: '16.12', vat_rate: '19' });
  expect(provider.asked.at(-1)).toContain('"amount":"100.99"');
  expect(await statusOf(body.order.number)).toMatchObject({ status: 'settled', vat_amount: '16.12', vat_rate: '19' });
});

test('an accepted session keeps its rate when the configuration gets another one', async () => {
  const body = sent('DE');
  const page = await createPage(service.url, body);
  await service.configure((all) => all.map((each) => ({ ...each, vat: { DE: '7' } })));
  await pressPay(page, { method: 'mirror' });
  const { fields } = await shop.until((each) => each.fields['order_number'] === body.order.number);
  expect(fields).toMatchObject({ vat_amount: '16.12', vat_rate: '19' });
  const later = sent('DE');
  await createPage(service.url, later);
  expect(await statusOf(later.order.number)).toMatchObject({ vat_amount: '6.61', vat_rate: '7' });
  await service.configure((all) => all.map((each) => ({ ...each, vat: { DE: '19', US: '0' } })));
});

test('a country without tax has the rate 0', async () => {
  const body = sent('US');
  await createPage(service.url, body);
  expect(await statusOf(body.order.number)).toMatchObject({ vat_amount: '0.00', vat_rate: '0' });
});

test.each([
  ['without a country', undefined, 'billing_address.country: This value should not be blank.'],
  [
    'for a country without a rate',
    'FR',
    'vat_calc: There is no VAT rate for this country. Ask the operator of the checkout to add it, or leave the field out.',
  ],
])('vat_calc %s is refused', async (_name, country, line) => {
  const answer = await postRaw(`${service.url}/api/v1/session`, JSON.stringify(sent(country)));
  expect([answer.status, errorLines(answer.json)]).toEqual([400, [line]]);
});

test('without vat_calc no tax is told', async () => {
  const body = sent('DE', { vat_calc: false });
  const page = await createPage(service.url, body);
  expect(await (await fetch(page)).text()).not.toContain('VAT');
  await pressPay(page, { method: 'mirror' });
  const { fields } = await shop.until((each) => each.fields['order_number'] === body.order.number);
  expect(Object.keys(fields).filter((name) => name.startsWith('vat'))).toEqual([]);
});
