import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { btcpayConnector } from '@railyard/connector-crypto';
import { btcpaySimulation } from '@railyard/connector-crypto/simulation';
import { createSimulator } from '@railyard/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { jsonInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

const KEY = 'the-api-key';
const own = { api_key: KEY, store_id: 'the-store', webhook_secret: 'the-webhook-secret' };

test('an invoice of a BTCPay Server is recorded against a simulated one, without the key', async () => {
  const folder = mkdtempSync(fixture('record-btcpay-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const settings = btcpayConnector.settings.parse({ base_url: 'http://127.0.0.1:1', ...own });
  const simulator = await createSimulator({
    connectors: [{ connector: btcpayConnector, simulation: btcpaySimulation, settings }],
  });
  onTestFinished(() => simulator.close());
  const path = (name: string) => join(folder, name);
  const write = (name: string, content: unknown) => writeFileSync(path(name), JSON.stringify(content));
  write('settings.json', { base_url: simulator.baseUrl('bitcoin-btcpay'), ...own });
  writeFileSync(path('btcpay.mjs'), `export { btcpayConnector } from '@railyard/connector-crypto';\n`);
  const body = {
    amount: '25.00',
    currency: 'EUR',
    metadata: { orderId: '{reference}', itemDesc: 'Two books' },
    checkout: { paymentMethods: ['BTC-CHAIN'] },
  };
  const headers = { 'content-type': 'application/json', authorization: `token ${KEY}` };
  const address = '/api/v1/stores/the-store/invoices';
  write('exchange.json', { request: { method: 'POST', path: address, headers, body } });
  const out = path('golden.json');
  const said = ['--source', 'a double', '--when', 'an invoice is made', '--out', out];
  const of = ['--connector', path('btcpay.mjs'), '--settings', path('settings.json')];
  expect((await jsonInPipe(['record', path('exchange.json'), ...said, ...of])).code).toBe(0);

  const text = readFileSync(out, 'utf8');
  expect(text).not.toContain(KEY);
  expect(JSON.parse(text)).toMatchObject([
    {
      endpoint: 'create-invoice',
      request: { method: 'POST', body: { amount: '25.00', currency: 'EUR' } },
      reply: { status: 200, body: { status: 'New', amount: '25.00' } },
    },
  ]);
  expect(simulator.payments()).toMatchObject([{ amount: '25.00', currency: 'EUR' }]);
});
