import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { createApp } from '../../src/http/app.ts';
import { createChanges } from '../../src/http/basics/server.ts';
import { createLog } from '../../src/index.ts';
import type { Db } from '../../src/storage/index.ts';
import { copyOfTemplate } from '../support/database.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { sessionBody } from '../support/service.ts';
import { serviceContext } from '../support/service-context.ts';

let db: Db;
let provider: PixProvider;
let made: ReturnType<typeof serviceContext>;

beforeEach(async () => {
  db = await copyOfTemplate();
  provider = await pixProvider();
  made = serviceContext(db, pixConfig(provider, 'https://shop.example/callbacks', 1), Date.now);
});

afterEach(async () => {
  await made.close();
  await provider.close();
  await db.destroy();
});

test('ten times as many requests as are handled at once are turned away with Retry-After, and those under way end well', async () => {
  const MOST = 20;
  const app = createApp(made.context, createChanges(), undefined, MOST);
  const create = async () =>
    app.request('/api/v1/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sessionBody()),
    });
  let under: Promise<Response>[] = [];
  await db.transaction().execute(async (trx) => {
    // The database does not answer anybody else for the time being.
    await sql`select 1`.execute(trx);
    under = Array.from({ length: MOST }, create);
    const more = await Promise.all(Array.from({ length: 10 * MOST }, create));
    expect(new Set(more.map(({ status, headers }) => `${status} ${headers.get('retry-after')}`))).toEqual(
      new Set(['503 2']),
    );
    // Pages and news of payments that have begun have places of their own.
    const news = Promise.resolve(app.request('/notify/pix-main', { method: 'POST', body: '{}' }));
    const turnedAway = Promise.all(Array.from({ length: 2 * MOST }, () => app.request('/auth/unknown')));
    under.push(news);
    const pages = Promise.race([turnedAway, Promise.resolve('waiting')]);
    expect(await pages).toBe('waiting');
    under.push(turnedAway.then((answers) => answers.find(({ status }) => status === 503) ?? expect.fail()));
  });
  const answers = await Promise.all(under.slice(0, MOST));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: MOST }, () => 200));
  const [news, page] = await Promise.all(under.slice(MOST));
  expect([news?.status, page?.headers.get('retry-after')]).toEqual([401, '2']);
  // There is room again.
  expect((await create()).status).toBe(200);
});

/** A request whose body is on its way until it is ended. `awaited`: the service waits for it. */
function slowly(app: ReturnType<typeof createApp>, path: string) {
  let end = () => {};
  let wait = () => {};
  const awaited = new Promise<void>((resolve) => {
    wait = resolve;
  });
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const pull = async (sending: ReadableStreamDefaultController<Uint8Array>) => {
    wait();
    await ended;
    sending.close();
  };
  const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' } as const;
  const answer = Promise.resolve(app.request(new Request(`http://shop.example${path}`, sent)));
  return { answer, awaited, end };
}

const sessionOn = async (app: ReturnType<typeof createApp>) =>
  app.request('/api/v1/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sessionBody()),
  });

const redirect = z.object({ redirect_url: z.url() });

/** The path of a new page. */
async function pageOn(app: ReturnType<typeof createApp>): Promise<string> {
  const created = await sessionOn(app);
  return new URL(redirect.parse(await created.json()).redirect_url).pathname;
}

test('bodies that do not arrive keep no other request out', async () => {
  const MOST = 2;
  const app = createApp(made.context, createChanges(), undefined, MOST);
  const page = await pageOn(app);
  const paths = ['/api/v1/session', '/post', '/notify/pix-main', `${page}/pay`];
  const slow: ReturnType<typeof slowly>[] = [];
  for (const path of paths.flatMap((each) => Array.from({ length: 2 * MOST }, () => each))) {
    const sent = slowly(app, path);
    // One that is turned away is not waited for.
    await Promise.race([sent.awaited, sent.answer]);
    slow.push(sent);
  }
  expect((await sessionOn(app)).status).toBe(200);
  expect((await app.request(page)).status).toBe(200);
  for (const { end } of slow) end();
  const answers = await Promise.all(slow.map(({ answer }) => answer));
  expect(answers.map(({ status }) => status).filter((status) => status >= 500 && status !== 503)).toEqual([]);
});

test('a request whose body arrives while too many are handled is turned away with Retry-After', async () => {
  const MOST = 2;
  const app = createApp(made.context, createChanges(), undefined, MOST);
  const page = await pageOn(app);
  const slow = ['/api/v1/session', `${page}/pay`].map((path) => slowly(app, path));
  await Promise.all(slow.map(({ awaited }) => awaited));
  let under: Promise<Response>[] = [];
  await db.transaction().execute(async (trx) => {
    await sql`select 1`.execute(trx);
    under = Array.from({ length: MOST }, () => sessionOn(app));
    expect((await sessionOn(app)).status).toBe(503);
    under.push(...Array.from({ length: MOST }, async () => app.request(page)));
    expect((await app.request(page)).status).toBe(503);
    for (const { end } of slow) end();
    const answers = await Promise.all(slow.map(({ answer }) => answer));
    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [503, '2'],
      [503, '2'],
    ]);
  });
  expect((await Promise.all(under)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('a body that its sender breaks off is answered 400, and is no error of the service', async () => {
  const lines: string[] = [];
  const log = createLog({ write: (line) => lines.push(line) });
  const app = createApp({ ...made.context, log }, createChanges());
  const page = await pageOn(app);
  for (const path of ['/api/v1/session', '/post', '/notify/pix-main', `${page}/pay`]) {
    const body = new ReadableStream({ pull: (sending) => sending.error(new Error('aborted')) }, { highWaterMark: 0 });
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body, duplex: 'half' } as const;
    expect((await app.request(new Request(`http://shop.example${path}`, sent))).status, path).toBe(400);
  }
  expect(lines.filter((line) => line.includes('"level":"error"') || line.includes('request-failed'))).toEqual([]);
});
