import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bcbConnector } from '@railyard/connector-pix';
import { bcbSimulation } from '@railyard/connector-pix/simulation';
import { createSimulator } from '@railyard/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { jsonInPipe } from './support/memory-io.ts';
import { fixture } from './support/run-cli.ts';

const SECRETS = ['secret-of-the-client', 'token-of-the-bank'];
const TXID = '{compact_reference}';

test('a charge of the API Pix is recorded against a simulated bank, without secret or token', async () => {
  const folder = mkdtempSync(fixture('record-pix-bcb-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const given = { client_id: 'the-client', client_secret: SECRETS[0], chave: 'loja@example.com' };
  const at = (url: string) => ({ ...given, base_url: url, oauth_url: url });
  const settings = bcbConnector.settings.parse(at('http://127.0.0.1:1'));
  const bank = await createSimulator({
    connectors: [{ connector: bcbConnector, simulation: bcbSimulation, settings }],
  });
  onTestFinished(() => bank.close());
  const path = (name: string) => join(folder, name);
  const write = (name: string, content: unknown) => writeFileSync(path(name), JSON.stringify(content));
  write('settings.json', at(bank.baseUrl('pix-bcb')));
  writeFileSync(path('bcb.mjs'), `export { bcbConnector } from '@railyard/connector-pix';\n`);
  const json = { calendario: { expiracao: 600 }, valor: { original: '25.00' }, chave: 'loja@example.com' };
  write('input.json', { endpoint: 'put-cob', input: { txid: TXID } });
  const headers = { authorization: `Bearer ${SECRETS[1]}` };
  write('exchange.json', { request: { method: 'PUT', path: `/cob/${TXID}`, headers, body: json } });

  const from = ['--connector', path('bcb.mjs'), '--settings', path('settings.json')];
  expect(await jsonInPipe(['record', path('input.json'), ...from])).toEqual({
    code: 2,
    answer: {
      error: expect.stringMatching(/^put-cob cannot be built from that input \(.+\)\. Give .*\{ "request": … \}\.$/),
    },
  });
  const { code, answer } = await jsonInPipe([
    'record',
    path('exchange.json'),
    '--out',
    path('golden.json'),
    '--source',
    'a double',
    '--when',
    'a charge is made',
    ...from,
  ]);
  expect(answer.error).toBeUndefined();
  expect(code).toBe(0);
  const text = readFileSync(path('golden.json'), 'utf8');
  expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
  expect(JSON.parse(text)).toMatchObject([
    {
      endpoint: 'put-cob',
      request: { method: 'PUT', path: `/cob/${TXID}`, body: { valor: { original: '25.00' } } },
      reply: { status: 201, body: { txid: TXID, status: 'ATIVA' } },
    },
  ]);
  expect(bank.payments().map(({ reference }) => reference)).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
});
