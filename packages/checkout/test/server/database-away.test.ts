import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseClock, openDatabase, sessionsStore } from '../../src/storage/index.ts';
import { holds } from '../support/card-canary.ts';
import { databaseProxy } from '../support/database-proxy.ts';
import { type DataDir, newDataDir } from '../support/data-dir.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import type { PostgresServer } from '../support/postgres-server.ts';
import { privateServer } from '../support/server-database.ts';
import { createPage, post, sessionBody, startOn } from '../support/service.ts';

type Service = Awaited<ReturnType<typeof startOn>>;
const shopUrl = 'http://127.0.0.1:1';
/** By the seconds in `Retry-After`: whether it was carried out is known, or not. */
const TEXTS: ReadonlyMap<string | null, string> = new Map([
  ['2', 'The service is not available at the moment. Repeat the request after the time in Retry-After.'],
  [
    '16',
    'The service is not available at the moment. Whether this request was carried out is not known. After the time in Retry-After repeat it with the same Idempotency-Key; without one, repeat it if it asks for a session, and else look at the payment first.',
  ],
]);
const away = (retryAfter: string | null) => ({
  http_code: 503,
  error_code: '503',
  error_message: TEXTS.get(retryAfter),
  request_id: expect.any(String),
});

let provider: PixProvider;
let directory: DataDir;
beforeEach(async () => {
  [provider, directory] = await Promise.all([pixProvider(), newDataDir()]);
});
afterEach(() => Promise.all([provider.close(), directory.remove()]));

const startWith = (databaseUrl: string) =>
  // The merchants of a test come from one address, faster than a limit lets them.
  startOn((port) => ({
    ...pixConfig(provider, shopUrl, port, { ...directory.place, databaseUrl }),
    rateLimits: false,
  }));

interface Reply {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly json: unknown;
}

/** Merchants who create sessions one after the other, until they are told to end. */
function crowd(url: string, size: number) {
  const replies: Reply[] = [];
  let ended = false;
  let waiting: (() => void)[] = [];
  const merchant = async () => {
    while (!ended) {
      const reply = await fetch(`${url}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(sessionBody()),
      });
      replies.push({
        status: reply.status,
        retryAfter: reply.headers.get('retry-after'),
        json: await reply.json(),
      });
      for (const wake of waiting) wake();
      waiting = [];
    }
  };
  const all = Promise.all(Array.from({ length: size }, merchant));
  return {
    replies,
    /** Waits until so many more were answered so. */
    async more(status: number, count: number) {
      const before = replies.length;
      const seen = () => replies.slice(before).filter((reply) => reply.status === status).length;
      while (seen() < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    async end() {
      ended = true;
      await all;
      return replies;
    },
  };
}

/** What the database said may be a second old. */
const healthBecomes = (status: number, url: string) =>
  expect.poll(async () => (await fetch(`${url}/health`)).status).toBe(status);

const tokenHashOf = (json: unknown) =>
  createHash('sha256')
    .update(String(Reflect.get(Object(json), 'redirect_url')).split('/auth/')[1] ?? '')
    .digest('hex');

describe('a server that is restarted three times under load', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await privateServer();
  });
  afterAll(() => server.remove());

  test('is answered for with 503 and Retry-After meanwhile, and no accepted session is lost', async () => {
    const url = server.url('postgres');
    const service = await startWith(url);
    const merchants = crowd(service.url, 16);
    await merchants.more(200, 50);
    for (const how of ['fast', 'immediate', 'fast'] as const) {
      await server.stop(how);
      await merchants.more(503, 50);
      await healthBecomes(503, service.url);
      await server.start();
      await merchants.more(200, 50);
      await healthBecomes(200, service.url);
    }
    const replies = await merchants.end();
    expect([...new Set(replies.map(({ status }) => status))].toSorted()).toEqual([200, 503]);
    for (const { retryAfter, json } of replies.filter(({ status }) => status === 503)) {
      expect(['2', '16']).toContain(retryAfter);
      expect(json).toEqual(away(retryAfter));
    }
    await service.stop();
    const { db, close } = await openDatabase({ url });
    const stored = new Set((await db.selectFrom('sessions').select('tokenHash').execute()).map((row) => row.tokenHash));
    await close();
    const lost = replies.filter(({ status, json }) => status === 200 && !stored.has(tokenHashOf(json)));
    expect(lost).toEqual([]);
  });
});

describe('while the database is away', () => {
  let proxy: Awaited<ReturnType<typeof databaseProxy>>;
  let service: Service;
  beforeEach(async () => {
    proxy = await databaseProxy(directory.place.databaseUrl ?? '');
    service = await startWith(proxy.url);
  });
  afterEach(async () => {
    await service.stop();
    await proxy.close();
  });

  test('every request of a program is asked to come again, and works when it is back', async () => {
    const page = await createPage(service.url, sessionBody());
    const { url } = service;
    proxy.state.closed = true;
    proxy.dropAll();
    const json = { 'content-type': 'application/json' };
    const asked = () =>
      Promise.all([
        fetch(`${page}/status`),
        fetch(`${page}/events`),
        fetch(`${url}/api/v1/session`, { method: 'POST', headers: json, body: JSON.stringify(sessionBody()) }),
      ]);
    const said: string[] = [];
    for (const reply of await asked()) {
      const wait = reply.headers.get('retry-after');
      // A connection whose end the pool has not seen yet takes the statement along: whether a session was stored is unknown then.
      const waits = new URL(reply.url).pathname === '/api/v1/session' ? ['2', '16'] : ['2'];
      expect([reply.status, waits]).toEqual([503, expect.arrayContaining([wait])]);
      const text = await reply.text();
      expect(JSON.parse(text)).toEqual(away(wait));
      said.push(`${JSON.stringify([...reply.headers])} ${text}`);
    }
    await healthBecomes(503, url);
    proxy.state.closed = false;
    expect((await asked()).map(({ status }) => status)).toEqual([200, 200, 200]);
    const { password } = new URL(proxy.url);
    expect([...said, ...service.lines].filter((each) => holds(each, password))).toEqual([]);
  });

  test('a payer sees a page in their language that leads back to their own, and goes on when it is back', async () => {
    const page = await createPage(service.url, sessionBody());
    const { pathname } = new URL(page);
    proxy.state.closed = true;
    proxy.dropAll();
    const headers = { 'accept-language': 'pt-BR' };
    const pay = { method: 'POST', body: new URLSearchParams({ method: 'pix' }), redirect: 'manual' } as const;
    const asked = () =>
      Promise.all([
        fetch(page, { headers }),
        fetch(`${page}/back`, { headers, redirect: 'manual' }),
        fetch(`${page}/pay`, { ...pay, headers }),
      ]);
    for (const reply of await asked()) {
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2']);
      expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(reply.headers.get('content-language')).toBe('pt-BR');
      expect(reply.headers.get('content-security-policy')).toContain("form-action 'none'");
      const text = await reply.text();
      expect(text).toContain('<html lang="pt-BR" dir="ltr">');
      expect(text).toContain('Esta página não está disponível agora');
      expect(text).toContain(`href="${pathname}"`);
    }
    expect(await (await fetch(page)).text()).toContain('This page is not available at the moment');
    proxy.state.closed = false;
    expect((await asked()).map(({ status }) => status)).toEqual([200, 303, 303]);
  });

  test('a payer whose page loses the answer to its statement may ask again at once: the page only reads', async () => {
    const page = await createPage(service.url, sessionBody());
    for (const address of [page, `${page}/status`]) {
      proxy.state.loseAnswerTo = '"sessions"';
      const reply = await fetch(address);
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '2']);
    }
  });

  test('a session whose answer is lost is found again, and answered', async () => {
    proxy.state.loseAnswerTo = 'INSERT INTO sessions';
    const { status, json } = await post(`${service.url}/api/v1/session`, sessionBody());
    expect([status, proxy.state.loseAnswerTo]).toEqual([200, undefined]);
    const { db, close } = await openDatabase({ url: proxy.url });
    expect(await sessionsStore(db, databaseClock).findByTokenHash(tokenHashOf(json))).toMatchObject({ state: 'open' });
    await close();
  });

  test('a merchant whose session may be stored is asked to come again after its duplicate window', async () => {
    proxy.state.loseAnswerTo = 'INSERT INTO sessions';
    proxy.state.onLost = () => {
      proxy.state.closed = true;
      proxy.dropAll();
    };
    const reply = await fetch(`${service.url}/api/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sessionBody()),
    });
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '16']);
    expect(await reply.json()).toEqual(away('16'));
    proxy.state.closed = false;
  });
});
