import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gsmaConnector } from '@railyard/connector-mobile-money';
import { gsmaSimulation } from '@railyard/connector-mobile-money/simulation';
import { createSimulator } from '@railyard/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { jsonInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

const SECRETS = { consumerSecret: 'the-consumer-secret', apiKey: 'the-api-key' };
const PAYER = '+254712345678';

test('a merchant payment is recorded against a simulated provider, without credentials', async () => {
  const folder = mkdtempSync(fixture('record-gsma-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const own = { consumerKey: 'the-consumer', party_value: '2999', ...SECRETS };
  const at = (url: string) => ({ base_url: url, oauth_url: url, ...own });
  const settings = gsmaConnector.settings.parse(at('http://127.0.0.1:1'));
  const simulator = await createSimulator({
    connectors: [{ connector: gsmaConnector, simulation: gsmaSimulation, settings }],
  });
  onTestFinished(() => simulator.close());
  const url = simulator.baseUrl('mobile-money-gsma');
  const path = (name: string) => join(folder, name);
  const write = (name: string, content: unknown) => writeFileSync(path(name), JSON.stringify(content));
  write('settings.json', at(url));
  writeFileSync(path('gsma.mjs'), `export { gsmaConnector } from '@railyard/connector-mobile-money';\n`);
  const token = await fetch(`${url}/accesstoken`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`the-consumer:${SECRETS.consumerSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token }: { readonly access_token: string } = await token.json();
  const body = {
    requestingOrganisationTransactionReference: '{reference}',
    amount: '25',
    currency: 'KES',
    debitParty: [{ key: 'msisdn', value: PAYER }],
    creditParty: [{ key: 'accountid', value: '2999' }],
  };
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${access_token}`,
    'x-api-key': SECRETS.apiKey,
    'x-correlationid': '{reference}',
  };
  write('exchange.json', { request: { method: 'POST', path: '/transactions/type/merchantpay', headers, body } });

  const { code } = await jsonInPipe([
    'record',
    path('exchange.json'),
    '--out',
    path('golden.json'),
    '--source',
    'a double',
    '--when',
    'a payer is asked',
    '--connector',
    path('gsma.mjs'),
    '--settings',
    path('settings.json'),
  ]);
  expect(code).toBe(0);
  const text = readFileSync(path('golden.json'), 'utf8');
  for (const secret of [...Object.values(SECRETS), access_token]) expect(text).not.toContain(secret);
  expect(JSON.parse(text)).toMatchObject([
    {
      endpoint: 'create-transaction',
      request: { method: 'POST', path: '/transactions/type/merchantpay', body: { amount: '25', currency: 'KES' } },
      reply: { status: 202, body: { status: 'pending' } },
    },
  ]);
  expect(simulator.payments()).toMatchObject([{ amount: '25.00', currency: 'KES' }]);
});
