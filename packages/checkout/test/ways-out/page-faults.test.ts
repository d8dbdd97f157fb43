import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { HttpEnv } from '../../src/http/basics/answers.ts';
import { createApp } from '../../src/http/app.ts';
import { createChanges } from '../../src/http/basics/server.ts';
import { failed } from '../../src/http/app.ts';
import { createLog } from '../../src/index.ts';
import { createSession } from '../../src/http/merchant-api/create-session.ts';
import { useDatabase } from '../support/database.ts';
import { readPage } from '../support/plain-payer.ts';
import { pixProvider } from '../support/pix-provider.ts';
import { serviceContext } from '../support/service-context.ts';
import { pixConfig, sessionBody } from '../support/service.ts';

const database = useDatabase();
const SECRET = 'relation "cards" has a fault';

test('a fault on a page whose session is known leads to error_url', async (ctx) => {
  const provider = await pixProvider();
  ctx.onTestFinished(() => provider.close());
  const { context, close } = serviceContext(database.db, pixConfig(provider, 'http://127.0.0.1:1', 0), Date.now);
  ctx.onTestFinished(async () => {
    await close();
  });
  const body = { ...sessionBody(), error_url: 'https://shop.example/error' };
  const created = await createSession.handle(context, JSON.stringify(body));
  const token = 'redirect_url' in created.body ? (created.body.redirect_url.split('/').at(-1) ?? '') : '';
  const vault = {
    ...context.vault,
    tokenHash: (): string => {
      throw new Error(SECRET);
    },
  };
  const { cards } = context.stores;
  cards.ofTokens = () => Promise.reject(new Error(SECRET));
  const app = createApp({ ...context, vault }, createChanges());
  for (const path of [`/auth/${token}`, `/auth/${token}?method=pix`]) {
    const reply = await app.request(path);
    const seen = readPage(reply.status, await reply.text());
    expect([seen.status, seen.heading]).toEqual([500, 'Something went wrong on our side']);
    expect(seen.goesOnTo).toBe('https://shop.example/error');
    expect(seen.text).not.toContain('cards');
  }
});

test('a fault on a page of which nothing is known is a page too, and says nothing of its cause', async () => {
  const app = new Hono<HttpEnv>().get('/auth/:token', () => {
    throw new Error(SECRET);
  });
  app.onError(failed({ log: createLog({ write: () => undefined }) }));
  const reply = await app.request('/auth/some-token');
  const seen = readPage(reply.status, await reply.text());
  expect([seen.status, seen.heading]).toEqual([500, 'Something went wrong on our side']);
  expect(seen.said).toContain('If you have already paid, do not pay again.');
  expect(seen.links.get('Try again')).toBe('/auth/some-token');
  expect(seen.text).not.toContain('cards');
});
