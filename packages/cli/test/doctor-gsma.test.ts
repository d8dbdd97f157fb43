import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, fakeProvider } from './support/fake-provider.ts';
import { jsonInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

const TOKEN: Answer = { status: 200, body: { access_token: 't-1', token_type: 'BearerToken', expires_in: '3599' } };
const REFUSED: Answer = { status: 401, body: { error: 'invalid_client' } };
const ABSENT: Answer = { status: 404, body: { errorCategory: 'identification', errorCode: 'identifierError' } };
const SECRETS = { consumerSecret: 'the-consumer-secret', apiKey: 'the-api-key' };

const folder = mkdtempSync(fixture('doctor-gsma-'));
let provider: Awaited<ReturnType<typeof fakeProvider>>;
let token = TOKEN;
beforeAll(async () => {
  provider = await fakeProvider(({ url }) => (url?.startsWith('/accesstoken') === true ? token : ABSENT));
});
beforeEach(() => {
  token = TOKEN;
  provider.asked.length = 0;
});
afterAll(async () => {
  await provider.close();
  rmSync(folder, { recursive: true });
});

async function findings(settings: object) {
  const path = join(folder, 'checkout.config.mjs');
  const account = { id: 'kenya', connector: 'mobile-money-gsma', settings };
  const methods = [{ key: 'mobile-money-gsma', mid: 'kenya' }];
  const merchant = { key: 'm-1', name: 'Shop', password: 'p-of-the-shop', methods };
  const rest = { publicUrl: 'https://pay.example', mids: [account], merchants: [merchant] };
  writeFileSync(
    path,
    `import { gsmaConnector } from '@railyard/connector-mobile-money';\nexport default { connectors: [gsmaConnector], ...${JSON.stringify(rest)} };\n`,
  );
  const { answer } = await jsonInPipe(['doctor', '--config', path]);
  const all: readonly { readonly check: string; readonly result: string; readonly says: string }[] = answer.findings;
  for (const secret of Object.values(SECRETS)) expect(JSON.stringify(answer)).not.toContain(secret);
  return (check: string) => all.filter((each) => each.check === check).map(({ result, says }) => `${result}: ${says}`);
}

const account = () => ({
  base_url: provider.url,
  oauth_url: provider.url,
  consumerKey: 'the-consumer',
  party_value: '2999',
  ...SECRETS,
});

describe('railyard doctor with an account of the GSMA Mobile Money API', () => {
  test('asks for a token and for a made-up request, and moves no money', async () => {
    const of = await findings(account());
    expect(of('provider')).toEqual(['ok: It answered, and does not know a made-up payment.']);
    expect(provider.asked).toEqual([
      expect.stringMatching(/^POST \/accesstoken/),
      expect.stringMatching(/^GET \/responses\/[0-9a-f-]{36}$/),
    ]);
  });

  test('names the credentials that are missing', async () => {
    const { consumerSecret: _secret, apiKey: _key, ...rest } = account();
    const of = await findings(rest);
    expect(of('settings').map((each) => /settings\.(\w+)/.exec(each)?.[1])).toEqual(['consumerSecret', 'apiKey']);
  });

  test('says that the provider refuses the consumer', async () => {
    token = REFUSED;
    expect((await findings(account()))('provider')).toEqual([
      expect.stringMatching(/^failed: .*refused the credentials \(401 from authenticate\)/),
    ]);
  });
});
