import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, fakeProvider } from './support/fake-provider.ts';
import { jsonInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

const TOKEN: Answer = { status: 200, body: { access_token: 't-1', token_type: 'Bearer', expires_in: 31_668 } };
const REFUSED: Answer = { status: 401, body: { error: 'invalid_client' } };
const ABSENT: Answer = {
  status: 404,
  body: { name: 'RESOURCE_NOT_FOUND', details: [{ issue: 'INVALID_RESOURCE_ID' }] },
};

const folder = mkdtempSync(fixture('doctor-paypal-'));
let paypal: Awaited<ReturnType<typeof fakeProvider>>;
let token = TOKEN;
beforeAll(async () => {
  paypal = await fakeProvider(({ url }) => (url === '/v1/oauth2/token' ? token : ABSENT));
});
beforeEach(() => {
  token = TOKEN;
  paypal.asked.length = 0;
});
afterAll(async () => {
  await paypal.close();
  rmSync(folder, { recursive: true });
});

async function findings(settings: object) {
  const path = join(folder, 'checkout.config.mjs');
  const account = { id: 'paypal', connector: 'paypal', settings };
  const methods = [{ key: 'redirect', mid: 'paypal' }];
  const merchant = { key: 'm-1', name: 'Shop', password: 'p-of-the-shop', methods };
  const rest = { publicUrl: 'https://pay.example', mids: [account], merchants: [merchant] };
  writeFileSync(
    path,
    `import { paypalConnector } from '@railyard/connector-wallet';\nexport default { connectors: [paypalConnector], ...${JSON.stringify(rest)} };\n`,
  );
  const { answer } = await jsonInPipe(['doctor', '--config', path]);
  const all: readonly { readonly check: string; readonly result: string; readonly says: string }[] = answer.findings;
  expect(JSON.stringify(answer)).not.toContain('the-secret-of-the-app');
  return (check: string) => all.filter((each) => each.check === check).map(({ result, says }) => `${result}: ${says}`);
}

const account = () => ({
  base_url: paypal.url,
  client_id: 'the-client',
  client_secret: 'the-secret-of-the-app',
  webhook_id: 'WH-1',
});

describe('railyard doctor with an account at PayPal', () => {
  test('asks for a token and for an order that was never made, and says which address the webhook is to have', async () => {
    const of = await findings(account());
    expect(of('provider')).toEqual(['ok: The connector’s check says that the account works.']);
    expect(paypal.asked).toEqual(['POST /v1/oauth2/token', 'GET /v2/checkout/orders/RAILYARDDOCTOR']);
    expect(of('notification')[0]).toContain('Enter https://pay.example/notify/paypal at the provider.');
  });

  test('names the credentials that are missing', async () => {
    const of = await findings({ base_url: paypal.url });
    expect(of('settings').map((each) => /settings\.(\w+)/.exec(each)?.[1])).toEqual([
      'client_id',
      'client_secret',
      'webhook_id',
    ]);
  });

  test('says that PayPal refuses the app', async () => {
    token = REFUSED;
    expect((await findings(account()))('provider')).toEqual([
      expect.stringMatching(/^failed: .*refused the credentials \(401 from token\)/),
    ]);
  });
});
