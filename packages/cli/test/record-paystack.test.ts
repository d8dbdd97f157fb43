import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { paystackConnector } from '@railyard/connector-mobile-money';
import { paystackSimulation } from '@railyard/connector-mobile-money/simulation';
import { createSimulator } from '@railyard/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { jsonInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

const KEY = 'sk_test_of_the_account';

test('a charge of Paystack is recorded against a simulated provider, without the key', async () => {
  const folder = mkdtempSync(fixture('record-paystack-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const settings = paystackConnector.settings.parse({ secret_key: KEY });
  const simulator = await createSimulator({
    connectors: [{ connector: paystackConnector, simulation: paystackSimulation, settings }],
  });
  onTestFinished(() => simulator.close());
  const path = (name: string) => join(folder, name);
  const write = (name: string, content: unknown) => writeFileSync(path(name), JSON.stringify(content));
  write('settings.json', { base_url: simulator.baseUrl('mobile-money-paystack'), secret_key: KEY });
  writeFileSync(path('paystack.mjs'), `export { paystackConnector } from '@railyard/connector-mobile-money';\n`);
  const body = {
    reference: '{reference}',
    amount: 2500,
    currency: 'GHS',
    email: 'ama@example.com',
    mobile_money: { phone: '0551234987', provider: 'mtn' },
  };
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}` };
  write('exchange.json', { request: { method: 'POST', path: '/charge', headers, body } });
  const out = path('golden.json');
  const said = ['--source', 'a double', '--when', 'a payer is asked', '--out', out];
  const of = ['--connector', path('paystack.mjs'), '--settings', path('settings.json')];
  expect((await jsonInPipe(['record', path('exchange.json'), ...said, ...of])).code).toBe(0);

  const text = readFileSync(out, 'utf8');
  expect(text).not.toContain(KEY);
  expect(JSON.parse(text)).toMatchObject([
    {
      endpoint: 'create-charge',
      request: { method: 'POST', path: '/charge', body: { amount: 2500, currency: 'GHS' } },
      reply: { status: 200, body: { data: { status: 'pay_offline', amount: 2500 } } },
    },
  ]);
  expect(simulator.payments()).toMatchObject([{ amount: '25.00', currency: 'GHS' }]);
});
