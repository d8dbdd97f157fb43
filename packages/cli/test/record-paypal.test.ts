import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { paypalConnector } from '@railyard/connector-wallet';
import { paypalSimulation } from '@railyard/connector-wallet/simulation';
import { createSimulator } from '@railyard/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { jsonInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

const SECRET = 'the-secret-of-the-app';

test('an order is recorded against a simulated PayPal, without credentials', async () => {
  const folder = mkdtempSync(fixture('record-paypal-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const own = { client_id: 'the-client', client_secret: SECRET, webhook_id: 'WH-1' };
  const settings = paypalConnector.settings.parse(own);
  const simulator = await createSimulator({
    connectors: [{ connector: paypalConnector, simulation: paypalSimulation, settings }],
  });
  onTestFinished(() => simulator.close());
  const url = simulator.baseUrl('paypal');
  const path = (name: string) => join(folder, name);
  const write = (name: string, content: unknown) => writeFileSync(path(name), JSON.stringify(content));
  write('settings.json', { ...own, base_url: url });
  writeFileSync(path('paypal.mjs'), `export { paypalConnector } from '@railyard/connector-wallet';\n`);
  const token = await fetch(`${url}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`the-client:${SECRET}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token }: { readonly access_token: string } = await token.json();
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${access_token}`,
    prefer: 'return=representation',
    'paypal-request-id': 'key-1',
  };
  const unit = { amount: { currency_code: 'USD', value: '25.00' }, custom_id: '{reference}' };
  const body = { intent: 'CAPTURE', purchase_units: [unit] };
  write('exchange.json', { request: { method: 'POST', path: '/v2/checkout/orders', headers, body } });

  const { code } = await jsonInPipe([
    'record',
    path('exchange.json'),
    '--out',
    path('golden.json'),
    '--source',
    'a double',
    '--when',
    'the payer is sent to PayPal',
    '--connector',
    path('paypal.mjs'),
    '--settings',
    path('settings.json'),
  ]);
  expect(code).toBe(0);
  const text = readFileSync(path('golden.json'), 'utf8');
  for (const secret of [SECRET, access_token]) expect(text).not.toContain(secret);
  expect(JSON.parse(text)).toMatchObject([
    {
      endpoint: 'create-order',
      request: { method: 'POST', path: '/v2/checkout/orders', body: { intent: 'CAPTURE', purchase_units: [unit] } },
      reply: { status: 201, body: { status: 'PAYER_ACTION_REQUIRED' } },
    },
  ]);
  expect(simulator.payments()).toMatchObject([{ amount: '25.00', currency: 'USD' }]);
});
