import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripeConnector } from '@railyard/connector-card';
import { stripeSimulation } from '@railyard/connector-card/simulation';
import { createSimulator } from '@railyard/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { jsonInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

const KEY = 'the-secret-key-of-stripe';
const NUMBER = '4111111111111111';

test('a payment method is recorded against a simulated Stripe, without its key', async () => {
  const folder = mkdtempSync(fixture('record-stripe-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const own = { secret_key: KEY, webhook_secret: 'the-signing-secret-of-stripe' };
  const settings = stripeConnector.settings.parse({ base_url: 'http://127.0.0.1:1', ...own });
  const simulator = await createSimulator({
    connectors: [{ connector: stripeConnector, simulation: stripeSimulation, settings }],
    scenario: 'settled',
  });
  onTestFinished(() => simulator.close());
  const path = (name: string) => join(folder, name);
  const write = (name: string, content: unknown) => writeFileSync(path(name), JSON.stringify(content));
  write('settings.json', { base_url: simulator.baseUrl('card-stripe'), ...own });
  writeFileSync(path('stripe.mjs'), `export { stripeConnector } from '@railyard/connector-card';\n`);
  const headers = {
    authorization: `Bearer ${KEY}`,
    'stripe-version': '2026-10-28.endive',
    'idempotency-key': '{key}',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const card = { 'card[number]': NUMBER, 'card[cvc]': '123', 'card[exp_month]': '12', 'card[exp_year]': '2034' };
  const body = new URLSearchParams({ type: 'card', ...card }).toString();
  write('exchange.json', { request: { method: 'POST', path: '/v1/payment_methods', headers, body } });

  const { code } = await jsonInPipe([
    'record',
    path('exchange.json'),
    '--out',
    path('golden.json'),
    '--source',
    'a double',
    '--when',
    'a card becomes a payment method',
    '--connector',
    path('stripe.mjs'),
    '--settings',
    path('settings.json'),
  ]);
  expect(code).toBe(0);
  const text = readFileSync(path('golden.json'), 'utf8');
  expect(text).not.toContain(KEY);
  expect(JSON.parse(text)).toMatchObject([
    {
      endpoint: 'create-payment-method',
      request: { method: 'POST', path: '/v1/payment_methods', body: { type: 'card' } },
      reply: { status: 200, body: { object: 'payment_method' } },
    },
  ]);
});
