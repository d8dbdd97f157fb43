import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, fakeProvider } from './support/fake-provider.ts';
import { jsonInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

const TOKEN: Answer = { status: 200, body: { access_token: 'a-token-of-the-bank', expires_in: 3600 } };
const ABSENT: Answer = { status: 404, body: { type: 'https://pix.bcb.gov.br/api/v2/error/NaoEncontrado', title: 'x' } };

const folder = mkdtempSync(fixture('doctor-pix-bcb-'));
let bank: Awaited<ReturnType<typeof fakeProvider>>;
let answers = { token: TOKEN, cob: ABSENT };
beforeAll(async () => {
  bank = await fakeProvider(({ url }) => (url === '/token' ? answers.token : answers.cob));
});
beforeEach(() => {
  answers = { token: TOKEN, cob: ABSENT };
  bank.asked.length = 0;
});
afterAll(async () => {
  await bank.close();
  rmSync(folder, { recursive: true });
});

async function findings(settings: object) {
  const path = join(folder, 'checkout.config.mjs');
  const account = { id: 'bcb', connector: 'pix-bcb', settings };
  const merchant = {
    key: 'm-1',
    name: 'Shop',
    password: 'p-of-the-shop',
    methods: [{ key: 'pix-charge', mid: 'bcb' }],
  };
  const rest = { publicUrl: 'https://pay.example', mids: [account], merchants: [merchant] };
  writeFileSync(
    path,
    `import { bcbConnector } from '@railyard/connector-pix';\nexport default { connectors: [bcbConnector], ...${JSON.stringify(rest)} };\n`,
  );
  const { answer } = await jsonInPipe(['doctor', '--config', path]);
  const all: readonly { readonly check: string; readonly result: string; readonly says: string }[] = answer.findings;
  expect(JSON.stringify(answer)).not.toContain('secret-of-the-client');
  return (check: string) => all.filter((each) => each.check === check).map(({ result, says }) => `${result}: ${says}`);
}

const account = () => ({
  base_url: bank.url,
  oauth_url: bank.url,
  client_id: 'the-client',
  client_secret: 'secret-of-the-client',
  chave: 'loja@example.com',
});

describe('railyard doctor with an account of the API Pix', () => {
  test('fetches a token and looks up a made-up charge, and says which address the bank is to be given', async () => {
    const of = await findings(account());
    expect(of('provider')).toEqual(['ok: It answered, and does not know a made-up payment.']);
    expect(bank.asked).toEqual(['POST /token', expect.stringMatching(/^GET \/cob\/[0-9a-f]{32}$/)]);
    expect(of('notification')[0]).toContain('Enter https://pay.example/notify/bcb at the provider.');
  });

  test('names the credential that is missing', async () => {
    const { client_secret: _secret, chave: _key, ...rest } = account();
    const of = await findings(rest);
    expect(of('settings').map((each) => /settings\.(\w+)/.exec(each)?.[1])).toEqual(['client_secret', 'chave']);
  });

  test.each([
    ['refuses the client', { token: { status: 401, body: { error: 'invalid_client' } }, cob: ABSENT }],
    ['refuses the token', { token: TOKEN, cob: { status: 401, body: {} } }],
    ['gives the client no right to charges', { token: TOKEN, cob: { status: 403, body: {} } }],
  ])('says that the bank %s', async (_what, given) => {
    answers = given;
    expect((await findings(account()))('provider')).toEqual([
      expect.stringMatching(/^failed: .*refused the credentials \(40[13] from (authenticate|get-cob)\)/),
    ]);
  });
});
