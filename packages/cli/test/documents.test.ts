import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestSignature, webhookSignature } from '@railyard/core/merchant';
import { signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf } from '../../../test/docs/blocks.ts';
import { commandsOf } from '../../../test/docs/shell.ts';
import { COMMANDS } from '../src/commands/index.ts';
import { fixture, fixtureJson, folderOf, runCli } from './support/run-cli.ts';

// Below the package, so that the configuration finds the connector as an installed one.
const folder = mkdtempSync(fixture('documents-'));
afterAll(() => rmSync(folder, { recursive: true }));

const documents = ['packages/cli/README.md', 'docs/cli.md'].map((path) => ({
  path,
  text: readFileSync(folderOf(path), 'utf8'),
}));
const blocks = documents.flatMap(blocksOf);
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => commandsOf(text))
  .filter((words) => words.includes('railyard') && words.includes('npx'));

beforeAll(() => {
  const config = blocks.find(({ path, language }) => path === 'docs/cli.md' && language === 'js');
  writeFileSync(join(folder, 'railyard.config.mjs'), config?.text ?? '');
  const session = fixtureJson('session.json');
  const { order } = session;
  writeFileSync(
    join(folder, 'session.json'),
    JSON.stringify({ ...session, hash: signRequest('session', order, 'secret') }),
  );
  const hash = signRequest('return', { payment_id: 'p1', ...order }, 'secret');
  writeFileSync(
    join(folder, 'address.txt'),
    `https://shop.example/thanks?payment_id=p1&trans_id=t1&order_id=${order.number}&hash=${hash}`,
  );
  const secret = 'whsec_dGhpcnR5LXR3by1ieXRlcy1vZi1hLXRlc3Qtc2VjcmV0';
  writeFileSync(join(folder, 'callback.json'), '{"id":"p1"}');
  const signature = webhookSignature(
    secret,
    { id: 'msg_1', timestamp: '1795219200' },
    new TextEncoder().encode('{"id":"p1"}'),
  );
  writeFileSync(
    join(folder, 'headers.txt'),
    `webhook-id: msg_1\nwebhook-timestamp: 1795219200\nwebhook-signature: ${signature}\n`,
  );
  writeFileSync(join(folder, 'request-headers.txt'), headersOfRequest(secret));
  cpSync(fixture('charges.openapi.yaml'), join(folder, 'charges.openapi.yaml'));
  mkdirSync(join(folder, 'connector'));
  writeFileSync(join(folder, 'connector/index.js'), `export { instantConnector } from '@railyard/connector-pix';\n`);
  writeFileSync(
    join(folder, 'connector/package.json'),
    '{ "name": "connector-x", "version": "1.0.1", "type": "module", "exports": "./index.js" }',
  );
  cpSync(join(folder, 'connector'), join(folder, 'package'), { recursive: true });
  writeFileSync(
    join(folder, 'package/package.json'),
    '{ "name": "connector-x", "version": "1.0.0", "type": "module", "exports": "./index.js" }',
  );
  execFileSync('tar', ['-czf', join(folder, 'old.tgz'), '-C', folder, 'package']);
});

/** Of the session, as the documents say that it was sent. */
function headersOfRequest(secret: string): string {
  const sent = { id: 'req-00000001', timestamp: '1795219200', method: 'POST', path: '/api/v1/session' };
  const signature = requestSignature(secret, { ...sent, body: readFileSync(join(folder, 'session.json')) });
  return `request-key: shop\nrequest-id: ${sent.id}\nrequest-timestamp: ${sent.timestamp}\nrequest-signature: ${signature}\n`;
}

test('the documents show every command', () => {
  const text = documents.map((each) => each.text).join('\n');
  expect([...COMMANDS.keys()].filter((name) => !text.includes(`railyard ${name}`))).toEqual([]);
  expect(commands.length).toBeGreaterThan(12);
});

test.for(commands.map((words) => [words.join(' '), words] as const))('%s', async ([, words]) => {
  const at = words.indexOf('npx');
  const given = words.slice(0, at).map((each) => each.split('=', 2));
  const env = {
    PIX_KEY: 'a-key',
    PIX_HOOK: 'a-hook-secret',
    SHOP_PASSWORD: 'a-secret-of-the-shop',
    ...Object.fromEntries(given),
  };
  const { code, said, complained } = await runCli(words.slice(at + 2), { cwd: folder, env });
  expect({ code, complained }).toEqual({ code: 0, complained: '' });
  expect(said).not.toBe('');
});
