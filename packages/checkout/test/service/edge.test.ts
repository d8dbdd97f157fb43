import { connect } from 'node:net';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { merchantScripts, pageAssets } from '../../src/page/index.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyMethodConfig } from '../support/any-method-config.ts';
import { anyMethodService, postRaw } from '../support/any-method-service.ts';
import { createPage, pressPay, sessionBody, startOn } from '../support/service.ts';

let service: Awaited<ReturnType<typeof anyMethodService>>;
let page: string;

const cardBody = () => sessionBody({ methods: ['card'] }, { currency: 'USD' });

beforeAll(async () => {
  service = await anyMethodService();
  page = await createPage(service.url, cardBody());
});

afterAll(() => service.stop());

/** Writes to the service's socket and reads until the service ends the connection. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let read = '';
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => void socket.write(text));
    socket.setEncoding('latin1').on('data', (part: string) => (read += part));
    socket.on('close', () => resolve(read));
    socket.on('error', reject);
  });
}

const json = { 'content-type': 'application/json' };
const ERRORS: readonly (readonly [number, string, () => Promise<Response>])[] = [
  [400, 'fields that are wrong', () => send('/api/v1/session', { headers: json, body: '{}' })],
  [400, 'a lookup of nothing', () => send('/api/v1/payment/status', { headers: json, body: '{}' })],
  [404, 'no such address', () => fetch(`${service.url}/nothing`)],
  [404, 'no such file', () => fetch(`${service.url}/assets/nothing.js`)],
  [404, 'no such provider account', () => send('/notify/nobody', {})],
  [405, 'another method', () => fetch(`${service.url}/api/v1/session`)],
  [413, 'a body too large', () => send('/api/v1/session', { headers: json, body: 'x'.repeat(300_000) })],
  [415, 'another content type', () => send('/api/v1/session', { body: 'x' })],
];

const send = (path: string, request: RequestInit) => fetch(service.url + path, { method: 'POST', ...request });

describe('an error', () => {
  test.each(ERRORS)(
    'of status %i for %s says its status, its code, its text and its request',
    async (status, _what, ask) => {
      const reply = await ask();
      const body: unknown = await reply.json();
      expect(reply.status).toBe(status);
      expect(body).toMatchObject({
        http_code: status,
        error_message: expect.any(String),
        request_id: reply.headers.get('x-request-id'),
      });
      // A string, except in validation answers (decisions: validation failure body).
      expect(Reflect.get(Object(body), 'error_code')).toBe(
        Reflect.get(Object(body), 'errors') === undefined ? String(status) : 0,
      );
    },
  );

  test.each([
    ['GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'y'.repeat(17_000)}\r\n\r\n`, 431],
  ])('of what is no request is of the same form', async (text, status) => {
    const [head = '', body = ''] = (await raw(text)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    const request_id = /x-request-id: (\S+)/.exec(head)?.[1];
    expect(JSON.parse(body)).toMatchObject({ http_code: status, error_code: String(status), request_id });
  });

  test('has an id that no caller can choose', async () => {
    const headers = { ...json, 'x-request-id': 'chosen-by-me' };
    const answer = await postRaw(`${service.url}/api/v1/session`, '{}', headers);
    expect(answer.text).not.toContain('chosen-by-me');
  });
});

/** Every route, once well and once badly. The page's own headers are tested with the page. */
const ROUTES: readonly (readonly [string, () => Promise<Response>])[] = [
  ['POST /api/v1/session', () => send('/api/v1/session', { headers: json, body: JSON.stringify(cardBody()) })],
  ['POST /api/v1/payment/status', () => send('/api/v1/payment/status', { headers: json, body: '{}' })],
  ['GET /health', () => fetch(`${service.url}/health`)],
  ['POST /notify/any', () => send('/notify/any', { body: '{}' })],
  ['GET /auth/<unknown>', () => fetch(`${service.url}/auth/unknown`)],
  ['GET /auth/<token>/status', () => fetch(`${page}/status`)],
  ['POST /auth/<token>/renew', () => fetch(`${page}/renew`, { method: 'POST', redirect: 'manual' })],
  ['GET /nothing', () => fetch(`${service.url}/nothing`)],
];

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

describe('headers', () => {
  test.each(ROUTES)('of %s keep the answer out of caches, frames and guesses', async (_route, ask) => {
    const { headers } = await ask();
    expect(Object.fromEntries([...headers].filter(([name]) => name in HEADERS))).toEqual(HEADERS);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    // Payers come over plain http here.
    expect(headers.has('strict-transport-security')).toBe(false);
  });

  test('of assets let browsers keep them', async () => {
    const asset = /\/assets\/[^"]+/.exec(await (await fetch(page)).text())?.[0] ?? '';
    const { headers } = await fetch(service.url + asset);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('bind browsers to https for a year where payers come by https', async () => {
    const given = { providerUrl: service.provider.url, callbackUrl: service.shop.url };
    const secure = await startOn((port) => ({
      ...anyMethodConfig({ ...given, port }),
      publicUrl: 'https://pay.example',
    }));
    for (const path of ['/health', '/nothing', '/auth/unknown'])
      expect((await fetch(secure.url + path)).headers.get('strict-transport-security')).toBe(
        'max-age=31536000; includeSubDomains',
      );
    await secure.stop();
  });
});

test('a form of more than 256 KB that comes back from a bank is refused in plain words', async () => {
  const reply = await fetch(`${page}/back`, { method: 'POST', body: `x=${'y'.repeat(256 * 1024)}` });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([413, expect.stringMatching(/^text\/plain/)]);
  expect((await pressPay(page, { method: 'card' })).status).toBe(303);
});

/** An answer as it is on the wire. */
const onTheWire = (path: string, method: 'GET' | 'HEAD', encoding: string) =>
  new Promise<{ headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>((resolve, reject) => {
    const asked = request(service.url + path, { method, headers: { 'accept-encoding': encoding } }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () => resolve({ headers: reply.headers, bytes: Buffer.concat(chunks) }));
    });
    asked.on('error', reject).end();
  });

const FILES = [
  ...[...pageAssets].map(([path, { body }]): [string, string] => [path, body]),
  ...[...merchantScripts].map(([name, { body }]): [string, string] => [`/sdk/${name}`, body]),
];
const plain = (bytes: Buffer) => bytes;

describe.each([
  { accepts: 'gzip, deflate, br, zstd', encoding: 'br', open: brotliDecompressSync },
  { accepts: 'GZIP', encoding: 'gzip', open: gunzipSync },
  { accepts: 'br;q=0, gzip;q=0.5', encoding: 'gzip', open: gunzipSync },
  { accepts: 'zstd, identity', encoding: undefined, open: plain },
  { accepts: '', encoding: undefined, open: plain },
])('a browser that accepts "$accepts"', ({ accepts, encoding, open }) => {
  test.each(FILES)('gets the file %s as small as it can read it', async (path, text) => {
    const { headers, bytes } = await onTheWire(path, 'GET', accepts);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers.vary).toBe('Accept-Encoding');
    expect(headers['content-length']).toBe(String(bytes.length));
    expect(open(bytes).toString()).toBe(text);
    const head = await onTheWire(path, 'HEAD', accepts);
    expect(head.bytes).toHaveLength(0);
    for (const name of ['content-type', 'content-encoding', 'content-length', 'vary', 'etag', 'cache-control'])
      expect(head.headers[name], name).toEqual(headers[name]);
  });

  test('gets a page, which holds secrets, without compression', async () => {
    const { pathname } = new URL(page);
    const { headers, bytes } = await onTheWire(pathname, 'GET', accepts);
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['content-length']).toBe(String(bytes.length));
    expect((await onTheWire(pathname, 'HEAD', accepts)).bytes).toHaveLength(0);
  });
});
