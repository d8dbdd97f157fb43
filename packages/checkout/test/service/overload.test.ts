import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { createChanges } from '../../src/http/changes.ts';
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
