import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fakeProvider } from './support/fake-provider.ts';
import { jsonInPipe, runInPipe } from './support/memory-io.ts';
import { fixture, folderOf, startCli } from './support/run-cli.ts';

const folder = mkdtempSync(fixture('record-'));
const SECRETS = [
  'key-of-the-account',
  '5555555555554444',
  'token-of-the-provider',
  'eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl',
  '987',
];
let provider: Awaited<ReturnType<typeof fakeProvider>>;

let lastSent = '';

beforeAll(async () => {
  provider = await fakeProvider((_request, body) => {
    lastSent = body;
    return {
      status: 201,
      body: {
        qr_code_id: 'qr_1',
        status: 'PENDING',
        amount: '10.00',
        currency: 'BRL',
        access_token: SECRETS[2],
        echo: body,
      },
      headers: { 'x-request-id': '1', 'set-cookie': 'sid=cookie-of-the-sandbox' },
    };
  });
  const settings = { base_url: provider.url, api_key: SECRETS[0], webhook_secret: 'hook-secret-of-tests' };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
});
afterAll(async () => {
  await provider.close();
  rmSync(folder, { recursive: true });
});

const args = () => ['--connector', join(folder, 'instant.mjs'), '--settings', join(folder, 'settings.json')];
writeFileSync(join(folder, 'instant.mjs'), `export { instantConnector } from '@railyard/connector-pix';\n`);

function file(content: unknown): string {
  const path = join(folder, 'exchange.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
}

describe('railyard record', () => {
  test('writes what the connector sends and the provider answers as a golden exchange, settings as places', async () => {
    const input = {
      external_id: 'ours-1',
      amount: '10.00',
      description: 'Two books',
      callback_url: 'https://pay.example/n',
      fine: '0',
      type_fine: 'NONE',
    };
    const out = join(folder, 'golden.json');
    const { code, answer } = await jsonInPipe([
      'record',
      file({ endpoint: 'create-charge', input }),
      '--out',
      out,
      '--source',
      'the manual, page 5',
      '--when',
      'a charge is made',
      ...args(),
    ]);
    expect(code).toBe(0);
    const [golden] = JSON.parse(readFileSync(out, 'utf8'));
    expect(golden).toEqual({
      endpoint: 'create-charge',
      source: 'the manual, page 5',
      when: 'a charge is made',
      request: {
        method: 'POST',
        path: '/v1/charges',
        headers: { 'x-api-key': '{settings.api_key}' },
        body: { ...input, currency: 'BRL' },
      },
      reply: { status: 201, body: expect.objectContaining({ qr_code_id: 'qr_1', access_token: '•••' }) },
    });
    expect(answer.scrubbed).toEqual([
      { exchange: 1, place: 'request.headers.x-api-key', what: 'settings.api_key' },
      { exchange: 1, place: 'reply.body.access_token', what: 'a secret, by its name' },
    ]);
  });

  test('fills in the places of golden exchanges for the sandbox, and writes them down as places', async () => {
    const input = {
      external_id: '{reference}',
      amount: '25.00',
      description: 'Two books',
      callback_url: '{notify_url}',
      fine: '0',
      type_fine: 'NONE',
    };
    const { code, said } = await runInPipe(['record', file({ endpoint: 'create-charge', input }), ...args()]);
    const [golden] = JSON.parse(said);
    expect({ code, body: golden.request.body }).toEqual({ code: 0, body: { ...input, currency: 'BRL' } });
    expect(JSON.parse(lastSent)).toMatchObject({
      external_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      callback_url: 'https://checkout.example/notify/sandbox',
    });
    const request = { method: 'POST', path: '/v1/charges', headers: { 'idempotency-key': '{key}' }, body: {} };
    const whole = await runInPipe(['record', file({ request }), ...args()]);
    expect(JSON.parse(whole.said)[0].request.headers).toEqual({ 'idempotency-key': '{key}' });
  });

  test('replaces settings, cards and tokens in Base64, in hexadecimal digits and as parts of addresses', async () => {
    const secrets = [SECRETS[0] ?? '', SECRETS[1] ?? '', 'token of the provider/2'];
    const forms = secrets.flatMap((secret) => [
      Buffer.from(secret).toString('base64'),
      Buffer.from(`user:${secret}`).toString('base64url'),
      Buffer.from(secret).toString('hex').toUpperCase(),
      encodeURIComponent(secret),
    ]);
    const request = {
      method: 'POST',
      path: '/v1/charges',
      body: { card: secrets[1], session_token: secrets[2], notes: forms },
    };
    const { code, said } = await runInPipe(['record', file({ request }), ...args()]);
    expect(code).toBe(0);
    const [golden] = JSON.parse(said);
    expect(golden.request.body).toMatchObject({ card: '4111111111111111', session_token: '•••' });
    for (const note of golden.request.body.notes) expect(note).toMatch(/•••|\{settings\.api_key\}|^4111111111111111$/);
    for (const form of [...secrets, ...forms]) expect(said).not.toContain(form);
  });

  test('replaces cards, codes and tokens wherever they stand, and says where', async () => {
    const request = {
      method: 'POST',
      path: '/v1/charges?token=token-of-the-provider',
      headers: { authorization: `Bearer ${SECRETS[3]}`, 'idempotency-key': 'kept' },
      body: {
        card: { number: SECRETS[1], cvv: SECRETS[4], note: `card 5555 5555 5555 4444 of ${SECRETS[0]}` },
        amount: '5555555555554445',
      },
    };
    const { code, said, complained } = await runInPipe(['record', file({ request }), ...args()]);
    expect(code).toBe(0);
    const [golden] = JSON.parse(said);
    expect(golden.request).toEqual({
      method: 'POST',
      path: '/v1/charges?token=•••',
      headers: { authorization: 'Bearer •••', 'idempotency-key': 'kept' },
      body: {
        card: { number: '4111111111111111', cvv: '123', note: 'card 4111111111111111 of {settings.api_key}' },
        // Its check digit is wrong, so it is no card.
        amount: '5555555555554445',
      },
    });
    expect(golden.endpoint).toBe('create-charge');
    for (const secret of SECRETS) expect(said + complained).not.toContain(secret);
    expect(complained).toContain('1\trequest.body.card.number\ta card number');
  });

  test('hands on what a running program sends, until it is stopped', async () => {
    const out = join(folder, 'proxied.json');
    const child = startCli(['record', '--proxy', '--out', out, ...args()]);
    let told = '';
    const url = await new Promise<string>((resolve) => {
      child.stderr.on('data', (chunk: Buffer) => {
        told += chunk.toString('utf8');
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(told)?.[0];
        if (found !== undefined) resolve(found);
      });
    });
    const reply = await fetch(`${url}/v1/charges/qr_7`, { headers: { 'x-api-key': SECRETS[0] ?? '' } });
    expect([reply.status, (await reply.json()).qr_code_id]).toEqual([201, 'qr_1']);
    expect(reply.headers.get('set-cookie')).toBe(null);
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject([
      {
        endpoint: 'get-charge',
        request: { method: 'GET', path: '/v1/charges/qr_7', headers: { 'x-api-key': '{settings.api_key}' } },
        reply: { status: 201 },
      },
    ]);
  });

  test.each<[string, () => string[], RegExp]>([
    ['neither a file nor --proxy', () => args(), /Give a FILE with a request, or --proxy\./],
    [
      'a file that describes no request',
      () => [file({ url: 'x' }), ...args()],
      /describes no request\. Write \{ "endpoint": NAME/,
    ],
    [
      'no account',
      () => [file({ request: { path: '/' } }), '--connector', join(folder, 'instant.mjs')],
      /An account of the sandbox is needed/,
    ],
    [
      'settings of another connector',
      () => [file({ endpoint: 'other', input: {} }), ...args()],
      /None of the connectors serves that\./,
    ],
  ])('with %s says what to do', async (_what, given, expected) => {
    const { code, complained } = await runInPipe(['record', ...given()], { cwd: folderOf('packages/cli') });
    expect({ code, complained }).toEqual({ code: 2, complained: expect.stringMatching(expected) });
  });
});
