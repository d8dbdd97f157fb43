import { mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog, startCheckout } from '@railyard/checkout';
import { collectionConnector, instantConnector } from '@railyard/connector-pix';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, fakeProvider } from './support/fake-provider.ts';
import { jsonInPipe, runInPipe } from './support/memory-io.ts';
import { fixture, folderOf, runCli } from './support/run-cli.ts';

const folder = mkdtempSync(fixture('doctor-'));
let provider: Awaited<ReturnType<typeof fakeProvider>>;
let answer: Answer = { status: 404, body: { code: 'not_found' } };
beforeAll(async () => {
  provider = await fakeProvider(() => answer);
});
afterAll(async () => {
  await provider.close();
  rmSync(folder, { recursive: true });
});

interface Finding {
  readonly of: string;
  readonly check: string;
  readonly result: string;
  readonly says: string;
}

const SECRET = 'secret-of-the-account';
const merchant = `{ key: 'm-1', name: 'Shop', password: 'password-of-the-shop', methods: [{ key: 'pix', mid: 'main' }] }`;

function configFile(
  name: string,
  mids: string,
  more = `publicUrl: 'https://pay.example', merchants: [${merchant}]`,
): string {
  const path = join(folder, name);
  writeFileSync(
    path,
    `import { instantConnector, collectionConnector } from '@railyard/connector-pix';
import { acquirerConnector } from '@railyard/connector-card';
export default { connectors: [instantConnector, collectionConnector, acquirerConnector], mids: [${mids}], ${more} };\n`,
  );
  return path;
}

const mid = (settings: string) => `{ id: 'main', connector: 'pix-instant', settings: { ${settings} } }`;
const good = () => mid(`base_url: '${provider.url}', api_key: '${SECRET}', webhook_secret: 'hook-secret'`);

async function findings(
  args: readonly string[],
): Promise<{ code: number; of: (check: string) => Finding | undefined }> {
  const { code, answer: told } = await jsonInPipe(['doctor', ...args]);
  const all: Finding[] = told.findings;
  expect(JSON.stringify(told)).not.toContain(SECRET);
  return { code, of: (check) => all.find((each) => each.check === check) };
}

describe('railyard doctor', () => {
  test('finds nothing wrong with an account that works', async () => {
    const { code, said, complained } = await runCli(['doctor', '--config', configFile('good.config.mjs', good())]);
    expect({ code, complained }).toEqual({ code: 0, complained: '' });
    expect(said.split('\n')).toEqual([
      'account\tcheck\tresult\twhat was found',
      'configuration\tconfiguration\tok\tThe checkout can be started with it.',
      'main\tsettings\tok\tThe settings are complete for pix-instant.',
      'main\tprovider\tok\tIt answered, and does not know a made-up payment.',
      'main\tnotification\tnot done\tNot sent; --notify sends one to the running service.',
      'Nothing is wrong.',
      '',
    ]);
    expect(provider.asked.at(-1)).toMatch(/^GET \/v1\/charges\/external\/[0-9a-f-]{36}$/);
  });

  test('says which address is to be entered at a provider that is not sent one', async () => {
    const config = configFile(
      'console.config.mjs',
      good(),
      `publicUrl: 'https://pay.example/', merchants: [${merchant}]`,
    );
    const text = readFileSync(config, 'utf8').replace('[instantConnector,', '[atProvider,');
    const atProvider = `const { notifications, ...rest } = instantConnector;
const atProvider = { ...rest, notifications: { ...notifications, address: 'at-provider' } };\n`;
    writeFileSync(config, text.replace('export default', `${atProvider}export default`));
    const { of } = await findings(['--config', config, '--offline']);
    expect(of('notification')?.says).toBe(
      'Enter https://pay.example/notify/main at the provider. Not sent; --notify sends one to the running service.',
    );
  });

  test('names every setting that is missing or wrong by its path', async () => {
    const config = configFile('bad.config.mjs', mid(`base_url: 'nowhere', api_key: { env: 'RAILYARD_NOT_SET' }`));
    const { code, answer: told } = await jsonInPipe(['doctor', '--config', config]);
    expect(code).toBe(1);
    const settings = told.findings.filter(({ check }: Finding) => check === 'settings');
    expect(told.findings).toContainEqual(expect.objectContaining({ check: 'configuration', result: 'failed' }));
    expect(settings.map(({ says }: Finding) => says)).toEqual([
      'mids.0.settings.api_key: The environment variable RAILYARD_NOT_SET is not set.',
      expect.stringMatching(/^mids\.0\.settings\.base_url: /),
      'mids.0.settings.webhook_secret: It is missing (is the environment variable set?).',
    ]);
  });

  test('reports what the checkout would refuse', async () => {
    const config = configFile('merchants.config.mjs', good(), `publicUrl: 'pay.example', merchants: [${merchant}]`);
    const { code, of } = await findings(['--config', config, '--offline']);
    expect({ code, found: of('configuration') }).toMatchObject({
      code: 1,
      found: { says: expect.stringMatching(/^publicUrl: /) },
    });
    expect(of('provider')).toMatchObject({ result: 'not done', says: 'Not asked (--offline).' });
  });

  test.each<[string, Answer, string, RegExp]>([
    ['refused credentials', { status: 401 }, 'failed', /refused the credentials \(401 from find-charge\)/],
    [
      'an answer that nobody described',
      { status: 200, body: '<html>' },
      'failed',
      /connector does not understand the answer: .*find-charge/,
    ],
  ])('tells of %s', async (_what, given, result, says) => {
    answer = given;
    const { code, of } = await findings(['--config', configFile('refused.config.mjs', good()), '--mid', 'main']);
    answer = { status: 404, body: { code: 'not_found' } };
    expect({ code, provider: of('provider') }).toMatchObject({
      code: 1,
      provider: { result, says: expect.stringMatching(says) },
    });
  });

  test('reports a provider that cannot be reached', async () => {
    const nobody = await fakeProvider(() => ({ status: 200 }));
    await nobody.close();
    const config = configFile('gone.config.mjs', mid(`base_url: '${nobody.url}', api_key: 'a', webhook_secret: 'b'`));
    const { of } = await findings(['--config', config, '--mid', 'main']);
    expect(of('provider')).toMatchObject({
      result: 'failed',
      says: expect.stringContaining('could not be reached (ECONNREFUSED)'),
    });
  });

  test('of a configuration whose list of connectors is misspelt, says which list is missing', async () => {
    const path = configFile('misspelt.config.mjs', '');
    writeFileSync(path, 'export default { conectors: [] };');
    const { code, complained } = await runInPipe(['doctor', '--config', path]);
    expect({ code, complained }).toEqual({
      code: 2,
      complained: expect.stringContaining('names no connector. Its list "connectors"'),
    });
  });

  test('without accounts says how to name one', async () => {
    const { code, complained } = await runInPipe(['doctor'], { cwd: folderOf('packages/connector-pix') });
    expect({ code, complained }).toEqual({
      code: 2,
      complained: expect.stringContaining('There is no account to check. Name a configuration'),
    });
  });
});

describe('a connector’s own check', () => {
  const connector = (flow: string) => `
import { call, collect, credential, defineConnector, providerApi, secret, statusTable } from '@railyard/core';
import * as z from 'zod';
const settings = z.object({ base_url: z.url(), api_key: secret(z.string(), 'Key') });
const { endpoint } = providerApi(settings, { source: 'a test' });
const me = endpoint({ name: 'me', path: '/me', repeat: 'safe', request: (_none, { settings }) => ({ headers: { 'x-api-key': settings.api_key } }), reply: z.object({ active: z.boolean() }) });
const pay = endpoint({ name: 'pay', method: 'POST', path: '/pay', repeat: 'keyed', request: () => ({}), reply: z.object({}) });
export const own = defineConnector({
  id: 'own', contract: 1, version: '1.0.0', title: 'Own', settings, endpoints: [me, pay], statuses: statusTable({}), serves: () => [],
  baseUrl: (settings) => settings.base_url, ${flow}
});
`;
  const checkIt = async (flow: string) => {
    const path = join(folder, `own-${Math.random()}.mjs`);
    writeFileSync(path, connector(flow));
    const settings = join(folder, 'settings.json');
    writeFileSync(settings, JSON.stringify({ base_url: provider.url, api_key: SECRET }));
    const { of } = await findings(['--connector', path, '--settings', settings]);
    return of('provider');
  };
  const me = `*check() { const { active } = yield* call(me, undefined); return active ? { works: true } : { works: false, why: 'The account is closed.' }; }`;

  test('is asked before anything else', async () => {
    answer = { status: 200, body: { active: true } };
    expect(await checkIt(me)).toMatchObject({ result: 'ok' });
    answer = { status: 200, body: { active: false } };
    expect(await checkIt(me)).toMatchObject({ result: 'failed', says: 'The account is closed.' });
    answer = { status: 404, body: { code: 'not_found' } };
  });

  test('sends nothing that is not safe', async () => {
    const before = provider.asked.length;
    expect(await checkIt(`*check() { yield* call(pay, undefined); return { works: true }; }`)).toMatchObject({
      result: 'not done',
      says: expect.stringContaining('It calls pay, which is not declared safe.'),
    });
    expect(provider.asked).toHaveLength(before);
  });

  test('that fails shows no secret', async () => {
    const flow = `*check({ settings }) { throw new Error('no ' + settings.api_key); }`;
    expect(await checkIt(flow)).toMatchObject({ result: 'failed', says: 'The connector failed: no •••' });
  });

  test('may be absent, and the status flow too', async () => {
    expect(await checkIt('')).toMatchObject({ result: 'not done', says: 'own has neither a check nor a status flow.' });
  });
});

describe('railyard doctor --notify', () => {
  let checkout: Awaited<ReturnType<typeof startCheckout>>;
  const lines: string[] = [];
  beforeAll(async () => {
    const config = {
      publicUrl: 'http://127.0.0.1:8080',
      port: 0,
      dataDir: 'memory',
      connectors: [instantConnector, collectionConnector],
      mids: [
        {
          id: 'main',
          connector: 'pix-instant',
          settings: { base_url: provider.url, api_key: 'a', webhook_secret: 'hook-secret' },
        },
        { id: 'collection', connector: 'pix-collection', settings: { base_url: provider.url, api_key: 'a' } },
      ],
      merchants: [
        { key: 'm-1', name: 'Shop', password: 'password-of-the-shop', methods: [{ key: 'pix', mid: 'main' }] },
      ],
    };
    const log = createLog({ write: (line: string) => void lines.push(line) });
    checkout = await startCheckout(config, { log });
  });
  afterAll(() => checkout.stop());

  const notified = async (mids: string) => {
    const config = configFile(`notify-${Math.random()}.config.mjs`, mids);
    const { of } = await findings([
      '--config',
      config,
      '--mid',
      'main',
      '--offline',
      '--notify',
      '--public-url',
      checkout.url,
    ]);
    return of('notification');
  };

  test('shows that the running service takes our signature, and refuses a forged one alone', async () => {
    expect(await notified(good())).toMatchObject({
      result: 'ok',
      says: expect.stringContaining('accepts our signature'),
    });
    const refused = lines.filter((line) => line.includes('notification-refused'));
    expect(refused.map((line) => JSON.parse(line).why)).toEqual(['signature']);
  });

  test('shows that the service has another secret', async () => {
    const other = mid(`base_url: '${provider.url}', api_key: 'a', webhook_secret: 'another'`);
    expect(await notified(other)).toMatchObject({
      result: 'failed',
      says: expect.stringContaining('runs with another secret'),
    });
  });

  test('shows that the account is not known there', async () => {
    const config = configFile('unknown.config.mjs', good().replace(`'main'`, `'spare'`));
    const { of } = await findings([
      '--config',
      config,
      '--mid',
      'spare',
      '--offline',
      '--notify',
      '--public-url',
      checkout.url,
    ]);
    expect(of('notification')).toMatchObject({ result: 'failed', says: expect.stringContaining('It answered 404 at') });
  });
});
