import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adyenConnector } from '@railyard/connector-card';
import { adyenSimulation } from '@railyard/connector-card/simulation';
import { createSimulator } from '@railyard/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { jsonInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

const KEY = 'the-api-key-of-adyen';
const NUMBER = '4111111111111111';

test('a sale by card is recorded against a simulated Adyen, without its key', async () => {
  const folder = mkdtempSync(fixture('record-adyen-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const own = {
    api_key: KEY,
    merchant_account: 'ExampleShopECOM',
    hmac_key: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
  };
  const settings = adyenConnector.settings.parse({ base_url: 'http://127.0.0.1:1', ...own });
  const simulator = await createSimulator({
    connectors: [{ connector: adyenConnector, simulation: adyenSimulation, settings }],
    scenario: 'settled',
  });
  onTestFinished(() => simulator.close());
  const path = (name: string) => join(folder, name);
  const write = (name: string, content: unknown) => writeFileSync(path(name), JSON.stringify(content));
  write('settings.json', { base_url: simulator.baseUrl('card-adyen'), ...own });
  writeFileSync(path('adyen.mjs'), `export { adyenConnector } from '@railyard/connector-card';\n`);
  const paymentMethod = { type: 'scheme', number: NUMBER, cvc: '737', expiryMonth: '03', expiryYear: '2030' };
  const body = {
    merchantAccount: own.merchant_account,
    reference: '{reference}',
    amount: { currency: 'USD', value: 2500 },
    captureDelayHours: 0,
    paymentMethod: { ...paymentMethod, holderName: 'Ada Example' },
    returnUrl: 'https://pay.example/back',
  };
  const headers = { 'content-type': 'application/json', 'x-api-key': KEY, 'idempotency-key': '{key}' };
  write('exchange.json', { request: { method: 'POST', path: '/payments', headers, body } });

  const { code } = await jsonInPipe([
    'record',
    path('exchange.json'),
    '--out',
    path('golden.json'),
    '--source',
    'a double',
    '--when',
    'a card is charged',
    '--connector',
    path('adyen.mjs'),
    '--settings',
    path('settings.json'),
  ]);
  expect(code).toBe(0);
  const text = readFileSync(path('golden.json'), 'utf8');
  for (const secret of [KEY, own.hmac_key]) expect(text).not.toContain(secret);
  expect(JSON.parse(text)).toMatchObject([
    {
      endpoint: 'create-payment',
      request: { method: 'POST', path: '/payments', body: { amount: { currency: 'USD', value: 2500 } } },
      reply: { status: 200, body: { resultCode: 'Authorised' } },
    },
  ]);
  expect(simulator.payments()).toMatchObject([{ amount: '25.00', currency: 'USD' }]);
});
