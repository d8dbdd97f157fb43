import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conektaConnector } from '@railyard/connector-voucher';
import { conektaSimulation } from '@railyard/connector-voucher/simulation';
import { createSimulator } from '@railyard/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { jsonInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

const KEY = 'the-private-key';

test('a voucher is recorded against a simulated Conekta, without the key', async () => {
  const folder = mkdtempSync(fixture('record-conekta-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const settings = conektaConnector.settings.parse({ api_key: KEY });
  const simulator = await createSimulator({
    connectors: [{ connector: conektaConnector, simulation: conektaSimulation, settings }],
  });
  onTestFinished(() => simulator.close());
  const path = (name: string) => join(folder, name);
  const write = (name: string, content: unknown) => writeFileSync(path(name), JSON.stringify(content));
  write('settings.json', { base_url: simulator.baseUrl('conekta'), api_key: KEY });
  writeFileSync(path('conekta.mjs'), `export { conektaConnector } from '@railyard/connector-voucher';\n`);
  const body = {
    currency: 'MXN',
    customer_info: { name: 'Ana Torres', email: 'ana@example.com', phone: '+525522997233' },
    line_items: [{ name: 'Two books', quantity: 1, unit_price: 2500 }],
    charges: [{ payment_method: { type: 'cash' }, reference_id: '{reference}' }],
  };
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };
  write('exchange.json', { request: { method: 'POST', path: '/orders', headers, body } });

  const { code } = await jsonInPipe([
    'record',
    path('exchange.json'),
    '--out',
    path('golden.json'),
    '--source',
    'a double',
    '--when',
    'a voucher is made',
    '--connector',
    path('conekta.mjs'),
    '--settings',
    path('settings.json'),
  ]);
  expect(code).toBe(0);
  const text = readFileSync(path('golden.json'), 'utf8');
  expect(text).not.toContain(KEY);
  expect(JSON.parse(text)).toMatchObject([
    {
      endpoint: 'create-cash-order',
      request: { method: 'POST', path: '/orders', body: { charges: [{ reference_id: '{reference}' }] } },
      reply: { status: 200, body: { object: 'order', charges: { data: [{ status: 'pending_payment' }] } } },
    },
  ]);
  expect(simulator.payments()).toMatchObject([{ amount: '25.00', currency: 'MXN' }]);
});
