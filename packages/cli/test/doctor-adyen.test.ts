import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, fakeProvider } from './support/fake-provider.ts';
import { jsonInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

const LISTED: Answer = { status: 200, body: { paymentMethods: [{ type: 'scheme' }] } };

const folder = mkdtempSync(fixture('doctor-adyen-'));
let adyen: Awaited<ReturnType<typeof fakeProvider>>;
let answer = LISTED;
beforeAll(async () => {
  adyen = await fakeProvider(() => answer);
});
beforeEach(() => {
  answer = LISTED;
  adyen.asked.length = 0;
});
afterAll(async () => {
  await adyen.close();
  rmSync(folder, { recursive: true });
});

async function findings(settings: object) {
  const path = join(folder, 'checkout.config.mjs');
  const mids = [{ id: 'adyen', connector: 'card-adyen', settings }];
  const merchants = [{ key: 'm-1', name: 'Shop', password: 'p-of-the-shop', methods: [{ key: 'card', mid: 'adyen' }] }];
  writeFileSync(
    path,
    `import { adyenConnector } from '@railyard/connector-card';\nexport default { connectors: [adyenConnector], ...${JSON.stringify({ publicUrl: 'https://pay.example', mids, merchants })} };\n`,
  );
  const { answer: said } = await jsonInPipe(['doctor', '--config', path]);
  const all: readonly { readonly check: string; readonly result: string; readonly says: string }[] = said.findings;
  expect(JSON.stringify(said)).not.toContain('the-api-key-of-adyen');
  return (check: string) => all.filter((each) => each.check === check).map(({ result, says }) => `${result}: ${says}`);
}

const account = () => ({
  base_url: adyen.url,
  api_key: 'the-api-key-of-adyen',
  merchant_account: 'ExampleShopECOM',
  hmac_key: '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056',
});

describe('railyard doctor with an account at Adyen', () => {
  test('lists payment methods, moves nothing, and says which address Adyen is to be given', async () => {
    const of = await findings(account());
    expect(of('provider')).toEqual(['ok: The connector’s check says that the account works.']);
    expect(adyen.asked).toEqual(['POST /paymentMethods']);
    expect(of('notification')[0]).toContain('Enter https://pay.example/notify/adyen at the provider.');
  });

  test('names the credentials that are missing', async () => {
    const { api_key: _key, hmac_key: _hmac, ...rest } = account();
    const of = await findings(rest);
    expect(of('settings').map((each) => /settings\.(\w+)/.exec(each)?.[1])).toEqual(['api_key', 'hmac_key']);
  });

  test('says that the key is refused, and that the merchant account is not the key’s', async () => {
    answer = { status: 401, body: { status: 401, errorCode: '000', message: 'Unauthorized' } };
    expect((await findings(account()))('provider')[0]).toMatch(/^failed: .*refused the credentials \(401/);
    answer = { status: 403, body: { status: 403, errorCode: '901', message: 'Invalid Merchant Account' } };
    expect((await findings(account()))('provider')).toEqual(['failed: Invalid Merchant Account']);
  });
});
