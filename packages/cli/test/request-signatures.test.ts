import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestSignature } from '@railyard/core/merchant';
import { afterAll, describe, expect, test } from 'vitest';
import { jsonInPipe, runInPipe } from './support/memory-io.ts';

const folder = mkdtempSync(join(tmpdir(), 'railyard-requests-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const secret = `whsec_${btoa('a secret of thirty-two characters')}`;
const env = { RAILYARD_PASSWORD: secret };
const body = '{"order": {"number": "order-7"},\n "amount": "10.00"}';
const path = '/api/v1/session?lang=pt';
const time = 1795219200;

interface Sent {
  readonly key?: string;
  readonly id?: string;
  readonly timestamp?: string;
  readonly signature?: string;
}

const parts = { id: 'req-00000001', timestamp: String(time), method: 'POST', path };
const signed = (change: Partial<typeof parts> = {}, over = body, by = secret) =>
  requestSignature(by, { ...parts, ...change, body: new TextEncoder().encode(over) });

/** The headers as a server logs them. */
const headers = ({ key = 'shop', id = parts.id, timestamp = parts.timestamp, signature = signed() }: Sent = {}) =>
  file(
    'headers.txt',
    `Request-Key: ${key}\nrequest-id: ${id}\nrequest-timestamp: ${timestamp}\nrequest-signature: ${signature}\n`,
  );

const words = (sent?: Sent) => [
  'verify',
  'request',
  file('body.json', body),
  '--headers',
  headers(sent),
  '--path',
  path,
  '--key',
  'shop',
];
const check = (sent?: Sent, at = time) => jsonInPipe([...words(sent), '--at', String(at)], { env });

describe('railyard verify request', () => {
  test.each([-300, 0, 300])('accepts a right signature that is %i seconds old', async (seconds) => {
    expect(await check({ signature: `v1,other ${signed()}` }, time + seconds)).toMatchObject({
      code: 0,
      answer: {
        ok: true,
        key: 'shop',
        ageSeconds: seconds,
        signed: expect.stringContaining(`POST ${path}, a line feed`),
      },
    });
  });

  test.each([-301, 301])('finds the age of a signature that is %i seconds old', async (seconds) => {
    const { code, answer } = await check({}, time + seconds);
    expect({ code, mistakes: answer.mistakes }).toEqual({ code: 1, mistakes: ['age'] });
    expect(answer.says).toContain('Everything else is right');
  });

  const bytes = Buffer.from(secret.slice(6), 'base64');
  const mac = (text: string, key: string | Buffer = bytes) => createHmac('sha256', key).update(text);
  const text = `${parts.id}.${time}.POST ${path}\n${body}`;
  test.each<[string, Sent]>([
    ['key', { key: 'reports' }],
    ['id', { id: 'short', signature: signed({ id: 'short' }) }],
    ['timestamp', { timestamp: `${time}000`, signature: signed({ timestamp: `${time}000` }) }],
    ['timestamp', { signature: signed({ timestamp: `${time}000` }) }],
    ['path', { signature: signed({ path: '/api/v1/session' }) }],
    ['path', { signature: signed({ path: '/api/v1/payment/status' }) }],
    ['path', { signature: signed({ path: '' }) }],
    ['path', { signature: `v1,${mac(`${parts.id}.${time}.${body}`).digest('base64')}` }],
    ['method', { signature: signed({ method: 'post' }) }],
    ['body-changed', { signature: signed({}, JSON.stringify(JSON.parse(body))) }],
    ['body-changed', { signature: signed({}, `${body}\n`) }],
    ['body-changed', { signature: signed({}, '') }],
    ['separator', { signature: `v1,${mac(text.replace('\n', ' ')).digest('base64')}` }],
    ['key-not-decoded', { signature: `v1,${mac(text, secret).digest('base64')}` }],
    ['encoding', { signature: `v1,${mac(text).digest('hex')}` }],
  ])('finds %s', async (mistake, sent) => {
    const { code, answer } = await check(sent);
    expect({ code, mistakes: answer.mistakes }).toEqual({ code: 1, mistakes: [mistake] });
    expect(answer.advice).toMatch(/\.$/);
    expect(JSON.stringify(answer)).not.toContain(secret);
  });

  test('names the secret and the body where nothing leads to the signature', async () => {
    const other = `whsec_${btoa('another secret of 32 characters..')}`;
    const { code, answer } = await check({ signature: signed({}, body, other) });
    expect({ code, mistakes: answer.mistakes }).toEqual({ code: 1, mistakes: [] });
    expect(answer.advice).toContain('not the secret of the key "shop", or the body was changed');
  });

  test('accepts what sign request has made now, and says so in words', async () => {
    const request = file('request.json', body);
    const signing = ['sign', 'request', request, '--key', 'shop', '--path', path];
    const made = file('made.txt', (await runInPipe(signing, { env })).said);
    const verifying = ['verify', 'request', request, '--headers', made, '--path', path];
    const { code, said } = await runInPipe(verifying, { env });
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('The signature is right.') });
  });

  test.each<[string, number, number, string]>([
    ['the headers', 3, 2, '--headers FILE'],
    ['the path', 5, 2, 'give --path'],
  ])('asks for %s where they are missing', async (_name, from, count, says) => {
    const { code, complained } = await runInPipe(words().toSpliced(from, count), { env });
    expect({ code, complained }).toEqual({ code: 2, complained: expect.stringContaining(says) });
  });
});
