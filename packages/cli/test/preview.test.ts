import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { jsonInPipe, runAtTerminal, runInPipe } from './support/memory-io.ts';
import { fixture, fixtureJson, folderOf, runCli } from './support/run-cli.ts';

// Below the package, so that the configuration finds the connector as an installed one.
const folder = mkdtempSync(fixture('preview-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = 'key-of-the-account';
const config = `import { instantConnector } from '@railyard/connector-pix';
export default {
  connectors: [instantConnector],
  mids: [
    {
      id: 'pix-main',
      connector: 'pix-instant',
      settings: { base_url: 'https://api.example/', api_key: { env: 'PIX_KEY' }, webhook_secret: 'secret-of-hooks' },
      defaults: { pix: { source_account_number: '123456', branch_identifier: '0001' } },
    },
    { id: 'pix-spare', connector: 'pix-instant', settings: { base_url: 'no address', api_key: 7 } },
    { id: 'other', connector: 'gone', settings: {} },
  ],
};
`;
writeFileSync(join(folder, 'railyard.config.mjs'), config);
const session = fixture('session.json');

function sessionOf(more: object): string {
  const path = join(folder, 'session.json');
  writeFileSync(path, JSON.stringify({ ...fixtureJson('session.json'), ...more }));
  return path;
}

describe('railyard preview', () => {
  test('shows what would be sent for an account, each field with its origin, secrets masked', async () => {
    const { code, said, complained } = await runCli(['preview', session, '--mid', 'pix-main'], {
      cwd: folder,
      env: { PIX_KEY: SECRET },
    });
    expect({ code, complained }).toEqual({ code: 0, complained: '' });
    expect(said).toMatchSnapshot();
    expect(said).not.toContain(SECRET);
  });

  test('without an account makes up its settings', async () => {
    const { code, answer } = await jsonInPipe(['preview', session], { cwd: folderOf('packages/connector-pix') });
    expect({ code, answer }).toMatchObject({
      code: 0,
      answer: { account: 'sample', connector: 'pix-instant', baseUrl: 'https://provider.example', end: 'pending' },
    });
    expect(answer.requests[0].values).toContainEqual({
      place: 'json.fine',
      value: '1.00',
      from: ['parameters.pix.fine (session)'],
    });
  });

  test('shows where a card would stand, not the card', async () => {
    const path = sessionOf({
      methods: ['card'],
      order: { number: 'order-1', amount: '10.00', currency: 'USD', description: 'Two books' },
      parameters: {},
    });
    const connector = join(folderOf('packages/connector-card'), 'src', 'acquirer.ts');
    // Two connectors of the package serve cards.
    const { code, said } = await runCli(['preview', path, '--connector', connector, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(said).requests[0].values).toContainEqual({
      place: 'json.card.number',
      value: '•••',
      from: ['card.number'],
    });
  });

  test('asks for what the payer would be asked first', async () => {
    const path = sessionOf({ methods: ['pix-document'], parameters: {} });
    const cwd = folderOf('packages/connector-pix');
    const asked = await jsonInPipe(['preview', path], { cwd });
    const wanted = { path: 'parameters.pix-document.document_number', message: 'CPF or CNPJ' };
    expect(asked).toEqual({ code: 1, answer: { missing: [wanted] } });
    const given = await jsonInPipe(['preview', path, '--answer', `${wanted.path}=52998224725`], { cwd });
    expect(given.answer.requests.map(({ step }: { step: string }) => step)).toContain('create-payment');
    expect(JSON.stringify(given.answer)).toContain(`${wanted.path} (payer)`);
  });

  test('of a request that is not valid says why', async () => {
    const { code, said } = await runAtTerminal(['preview', fixture('wrong-session.json')], {
      cwd: folderOf('packages/connector-pix'),
      env: { NO_COLOR: '1' },
    });
    expect(code).toBe(1);
    expect(said).toContain('is not valid: 3 errors.');
  });

  test.each<[string, string[], RegExp]>([
    [
      'an account that is not there',
      ['--mid', 'none'],
      /There is no account "none"\. There are: pix-main, pix-spare, other\./,
    ],
    [
      'settings that are missing or wrong',
      ['--mid', 'pix-spare'],
      /mids\.1\.settings\.base_url: .*\n.*mids\.1\.settings\.api_key: .*\n.*mids\.1\.settings\.webhook_secret: It is missing/,
    ],
    [
      'a connector that is not installed',
      ['--mid', 'other'],
      /mids\.2\.connector: There is no connector "gone"\. There are: pix-instant\./,
    ],
    [
      'a method that is not there',
      ['--method', 'pyx', '--mid', 'pix-main'],
      /There is no method "pyx"\. Did you mean "pix"\?/,
    ],
    ['an answer without a value', ['--answer', 'a', '--mid', 'pix-main'], /--answer takes a name and a value/],
  ])('with %s, answers 2 and says what to do', async (_what, args, expected) => {
    process.env['PIX_KEY'] = SECRET;
    const { code, said, complained } = await runInPipe(['preview', session, ...args], { cwd: folder });
    expect({ code, said }).toEqual({ code: 2, said: '' });
    expect(complained).toMatch(expected);
  });

  test('says which variable of the environment is missing', async () => {
    const { code, complained } = await runCli(['preview', session, '--mid', 'pix-main'], {
      cwd: folder,
      env: { PIX_KEY: '' },
    });
    expect(code).toBe(2);
    expect(complained).toContain('mids.0.settings.api_key: The environment variable PIX_KEY is not set.');
  });
});
