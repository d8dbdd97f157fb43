import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, fakeProvider } from './support/fake-provider.ts';
import { jsonInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

const NONE: Answer = { status: 200, body: { object: 'list', has_more: false, data: [] } };
const WRONG_KEY: Answer = {
  status: 401,
  body: { type: 'authentication_error', details: [{ code: 'conekta.errors.authentication.missing_key' }] },
};

const folder = mkdtempSync(fixture('doctor-conekta-'));
let conekta: Awaited<ReturnType<typeof fakeProvider>>;
let answer = NONE;
beforeAll(async () => {
  conekta = await fakeProvider(() => answer);
});
beforeEach(() => {
  answer = NONE;
  conekta.asked.length = 0;
});
afterAll(async () => {
  await conekta.close();
  rmSync(folder, { recursive: true });
});

async function findings(settings: object) {
  const path = join(folder, 'checkout.config.mjs');
  const account = { id: 'mexico', connector: 'conekta', settings };
  const methods = [{ key: 'cash-voucher', mid: 'mexico' }];
  const merchant = { key: 'm-1', name: 'Shop', password: 'p-of-the-shop', methods };
  const rest = { publicUrl: 'https://pay.example', mids: [account], merchants: [merchant] };
  writeFileSync(
    path,
    `import { conektaConnector } from '@railyard/connector-voucher';\nexport default { connectors: [conektaConnector], ...${JSON.stringify(rest)} };\n`,
  );
  const { answer: said } = await jsonInPipe(['doctor', '--config', path]);
  const all: readonly { readonly check: string; readonly result: string; readonly says: string }[] = said.findings;
  expect(JSON.stringify(said)).not.toContain('the-private-key');
  return (check: string) => all.filter((each) => each.check === check).map(({ result, says }) => `${result}: ${says}`);
}

const account = () => ({ base_url: conekta.url, api_key: 'the-private-key' });

describe('railyard doctor with an account of Conekta', () => {
  test('searches a made-up payment, and says which address Conekta is to be given', async () => {
    const of = await findings(account());
    expect(of('provider')).toEqual(['ok: It answered, and does not know a made-up payment.']);
    expect(conekta.asked).toEqual([expect.stringMatching(/^GET \/charges\?search=[0-9a-f-]{36}$/)]);
    expect(of('notification')[0]).toContain('Enter https://pay.example/notify/mexico at the provider.');
  });

  test('names the credential that is missing', async () => {
    const of = await findings({ base_url: conekta.url });
    expect(of('settings').map((each) => /settings\.(\w+)/.exec(each)?.[1])).toEqual(['api_key']);
  });

  test('says that Conekta refuses the key', async () => {
    answer = WRONG_KEY;
    expect((await findings(account()))('provider')).toEqual([
      expect.stringMatching(/^failed: .*refused the credentials \(401 from find-charges\)/),
    ]);
  });
});
