import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { expect, test, vi } from 'vitest';
import type { HttpEnv } from '../../src/http/basics/answers.ts';
import { createApp } from '../../src/http/app.ts';
import { createChanges } from '../../src/http/basics/server.ts';
import { failed } from '../../src/http/app.ts';
import { createLog } from '../../src/log/log.ts';
import type * as fastHashModule from '../../src/sessions/session.ts';
import { createSealer, SealError } from '../../src/secrets/index.ts';
import { payoutFields } from '../support/commands.ts';
import { useDatabase } from '../support/database.ts';
import { serviceContext } from '../support/service-context.ts';
import { merchant, pixConfig, sessionBody } from '../support/service.ts';

const counted = vi.hoisted(() => ({ digests: 0 }));

vi.mock('../../src/sessions/session.ts', async (original) => {
  const actual = await original<typeof fastHashModule>();
  const { fastHash } = actual;
  const counting: NonNullable<typeof fastHash> = (algorithm, data) => {
    counted.digests += 1;
    return fastHash?.(algorithm, data) ?? '';
  };
  return { ...actual, fastHash: counting };
});

const database = useDatabase();

test('an unknown merchant costs as many digests as a known one whose hash is wrong', async () => {
  const provider = { url: 'http://127.0.0.1:9', apiKey: 'key', webhookSecret: 'secret' };
  const at = Date.parse('2026-11-21T12:00:00Z');
  const made = serviceContext(database.db, pixConfig(provider, 'http://127.0.0.1:9', 0), () => at);
  const app = createApp(made.context, createChanges());
  const stranger = { key: '00000000-2222-4333-8444-555555555555', password: 'of-a-stranger-only' };
  const hash = '0'.repeat(40);
  const sent = async (path: string, body: Readonly<Record<string, unknown>>) => {
    const before = counted.digests;
    const headers = { 'content-type': 'application/json' };
    const request = new Request(`http://a.example${path}`, { method: 'POST', body: JSON.stringify(body), headers });
    const answer = await app.fetch(request);
    const { request_id: _id, ...json }: Record<string, unknown> = Object(await answer.json());
    return { digests: counted.digests - before, status: answer.status, json };
  };
  const requests: readonly (readonly [string, (key: string) => Readonly<Record<string, unknown>>])[] = [
    ['/api/v1/session', (key) => sessionBody({ merchant_key: key, hash }, { number: 'order-of-both' })],
    ['/api/v1/payment/status', (key) => ({ merchant_key: key, payment_id: stranger.key, hash })],
    ['/api/v1/payment/refund', (key) => ({ merchant_key: key, payment_id: stranger.key, amount: '1.00', hash })],
    [
      '/post',
      (key) => {
        const wrong = { client_key: key, hash: '0'.repeat(32), order_id: 'payout-of-both' };
        const { 'parameters[key]': pixKey, ...fields } = payoutFields(wrong);
        return { ...fields, parameters: { key: pixKey } };
      },
    ],
  ];
  for (const [path, bodyOf] of requests) {
    const known = await sent(path, bodyOf(merchant.key));
    expect(known.digests).toBeGreaterThan(0);
    expect(known.status).toBe(400);
    expect(await sent(path, bodyOf(stranger.key))).toEqual(known);
  }
  await made.close();
});

test('the answer to a request that failed says nothing of the error', async () => {
  const lines: string[] = [];
  const app = new Hono<HttpEnv>();
  app.get('/', () => {
    throw new Error('relation sessions: password=hidden');
  });
  app.onError(failed({ log: createLog({ write: (line) => lines.push(line) }) }));
  const answer = await app.fetch(new Request('http://a.example/'));
  expect(answer.status).toBe(500);
  const text = await answer.text();
  expect(text).not.toMatch(/relation|hidden|Error|\.ts/);
  expect(JSON.parse(text)).toMatchObject({ http_code: 500, error_message: expect.stringContaining('went wrong') });
  expect(lines.join('')).toContain('request-failed');
});

test('a tag of 16 bytes is made, and a right one of 4 bytes does not open', () => {
  const key = randomBytes(32);
  const place = { table: 'sessions', column: 'request_text', row: 'a' };
  const sealer = createSealer([key]);
  const bytes = Buffer.from(sealer.seal('four', place).split('.')[2] ?? '', 'base64');
  expect(bytes.byteLength).toBe(12 + 'four'.length + 16);
  const id = createHash('sha256').update('railyard encryption key id').update(key).digest('hex').slice(0, 8);
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: 4 });
  cipher.setAAD(Buffer.from(JSON.stringify(['v1', id, place.table, place.column, place.row])));
  const text = 'longer than one whole tag';
  const forged = Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  expect(() => sealer.open(`v1.${id}.${forged.toString('base64')}`, place)).toThrow(SealError);
});
