import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { obUkConnector } from '@railyard/connector-open-banking';
import { obUkSimulation } from '@railyard/connector-open-banking/simulation';
import { createSimulator } from '@railyard/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { jsonInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

const TOKEN = 'a-token-of-the-bank';
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const own = {
  issuer: 'https://bank.example',
  client_id: 'the-client',
  signing_key: String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
  kid: 'the-key-id',
  signature_issuer: '0015800001041RHAAY/the-software',
};

test('a consent of Open Banking UK is recorded against a simulated bank, without token, key and account', async () => {
  const folder = mkdtempSync(fixture('record-ob-uk-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = (url: string) => ({
    ...own,
    base_url: url,
    authorization_url: url,
    oauth_url: `${url}/token`,
    jwks_uri: `${url}/jwks`,
  });
  const simulator = await createSimulator({
    connectors: [
      {
        connector: obUkConnector,
        simulation: obUkSimulation,
        settings: obUkConnector.settings.parse(at('http://127.0.0.1:1')),
      },
    ],
  });
  onTestFinished(() => simulator.close());
  const path = (name: string) => join(folder, name);
  const write = (name: string, content: unknown) => writeFileSync(path(name), JSON.stringify(content));
  write('settings.json', at(simulator.baseUrl('ob-uk')));
  writeFileSync(path('ob-uk.mjs'), `export { obUkConnector } from '@railyard/connector-open-banking';\n`);
  const Initiation = {
    InstructionIdentification: '{reference}',
    EndToEndIdentification: '{reference}',
    InstructedAmount: { Amount: '25.00', Currency: 'GBP' },
    CreditorAccount: { SchemeName: 'UK.OBIE.SortCodeAccountNumber', Identification: '04000412345678', Name: 'Ann Lee' },
    RemittanceInformation: { Unstructured: ['Two books'] },
  };
  const body = { Data: { Initiation }, Risk: { PaymentContextCode: 'EcommerceMerchantInitiatedPayment' } };
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${TOKEN}`,
    'x-idempotency-key': '{key}',
  };
  write('exchange.json', { request: { method: 'POST', path: '/domestic-payment-consents', headers, body } });
  const out = path('golden.json');
  const said = ['--source', 'a double', '--when', 'a consent is made', '--out', out];
  const of = ['--connector', path('ob-uk.mjs'), '--settings', path('settings.json')];
  expect((await jsonInPipe(['record', path('exchange.json'), ...said, ...of])).code).toBe(0);

  const text = readFileSync(out, 'utf8');
  for (const secret of [TOKEN, own.signing_key]) expect(text).not.toContain(secret);
  expect(JSON.parse(text)).toMatchObject([
    {
      endpoint: 'create-consent',
      request: {
        method: 'POST',
        path: '/domestic-payment-consents',
        body: { Data: { Initiation: { InstructedAmount: { Amount: '25.00', Currency: 'GBP' } } } },
      },
      reply: { status: 201, body: { Data: { Status: 'AWAU' } } },
    },
  ]);
  expect(simulator.payments()).toMatchObject([{ amount: '25.00', currency: 'GBP' }]);
});
