import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileModes, requireTool } from '../../../../test/support/tool.ts';
import type { HttpEnv } from '../../src/http/basics/answers.ts';
import { health } from '../../src/http/app.ts';
import { type Db, openDatabase } from '../../src/storage/index.ts';
import { copyOfTemplate } from '../support/database.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, pressPay, sessionBody, startService } from '../support/service.ts';

let provider: PixProvider;
let shop: Awaited<ReturnType<typeof receiver>>;
let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  provider = await pixProvider();
  shop = await receiver();
  service = await startService(provider, `${shop.url}/callbacks`);
});

afterAll(async () => {
  await service.stop();
  await shop.close();
  await provider.close();
});

async function send(page: string, action: string, headers: Record<string, string> = {}, body = 'method=pix') {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await fetch(`${page}/${action}`, {
    method: 'POST',
    headers: { ...type, ...headers },
    body,
    redirect: 'manual',
  });
  return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() };
}

describe('a form', () => {
  test.each(['pay', 'answer'])('of more than 256 KB is refused by /%s in plain words', async (action) => {
    const page = await createPage(service.url, sessionBody());
    const reply = await send(page, action, {}, `method=pix&x=${'y'.repeat(256 * 1024)}`);
    expect(reply).toMatchObject({ status: 413, type: expect.stringMatching(/^text\/plain/) });
    expect(reply.text).toContain('The form is too large.');
  });

  test.each(['pay', 'answer', 'renew', 'cancel'])('from another site is refused by /%s', async (action) => {
    const page = await createPage(service.url, sessionBody());
    const before = provider.ledger.length;
    for (const site of ['cross-site', 'same-site']) {
      const reply = await send(page, action, { 'sec-fetch-site': site });
      expect(reply).toMatchObject({ status: 403, type: expect.stringMatching(/^text\/plain/) });
    }
    expect(provider.ledger).toHaveLength(before);
    // It has not been cancelled either.
    expect((await pressPay(page)).status).toBe(303);
    expect(provider.ledger).toHaveLength(before + 1);
  });

  test.each(['same-origin', 'none'])('whose browser says %s is taken', async (site) => {
    const page = await createPage(service.url, sessionBody());
    const before = provider.ledger.length;
    expect((await send(page, 'pay', { 'sec-fetch-site': site })).status).toBe(303);
    expect(provider.ledger).toHaveLength(before + 1);
  });

  test('that a bank sends back is taken from another site', async () => {
    const page = await createPage(service.url, sessionBody());
    expect((await send(page, 'back', { 'sec-fetch-site': 'cross-site' })).status).toBe(303);
  });
});

const ALL_CLOSED = { broken: () => false };

describe('health', () => {
  async function statusOf(db: Db, stopping = new AbortController().signal, withinMs?: number): Promise<number> {
    const app = new Hono<HttpEnv>().get('/health', health({ db, stopping, breakers: ALL_CLOSED }, withinMs));
    return (await app.request('/health')).status;
  }

  test('is asked of the database', async () => {
    const db = await copyOfTemplate();
    expect(await statusOf(db)).toBe(200);
    expect(await statusOf(db, AbortSignal.abort())).toBe(503);
    await db.destroy();
    expect(await statusOf(db)).toBe(503);
  });

  test('is bad while the database does not answer in time', async () => {
    const db = await copyOfTemplate();
    await db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
      expect(await statusOf(db, new AbortController().signal, 50)).toBe(503);
    });
    await db.destroy();
  });
});

describe('health that many ask for', () => {
  test('is one question to the database a second', async () => {
    const db = await copyOfTemplate();
    let questions = 0;
    const counted = db.withPlugin({
      transformQuery: ({ node }) => {
        questions += 1;
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    });
    let at = 0;
    const stopping = new AbortController().signal;
    const app = new Hono<HttpEnv>().get(
      '/health',
      health({ db: counted, stopping, breakers: ALL_CLOSED }, undefined, () => at),
    );
    const ask = async () => {
      const replies = await Promise.all(Array.from({ length: 20 }, () => app.request('/health')));
      return [...new Set(replies.map(({ status }) => status))];
    };
    expect([await ask(), await ask(), questions]).toEqual([[200], [200], 1]);
    at += 999;
    expect([await ask(), questions]).toEqual([[200], 1]);
    at += 1;
    await db.destroy();
    expect([await ask(), questions]).toEqual([[503], 2]);
  });
});

describe('a data directory', () => {
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  test('is its owner’s only', async (ctx) => {
    requireTool(ctx, fileModes);
    const root = mkdtempSync(join(tmpdir(), 'checkout-mode-'));
    const byDatabase = join(root, 'database');
    await (await openDatabase({ dataDir: byDatabase })).close();
    expect(modeOf(byDatabase)).toBe(0o700);
    rmSync(root, { recursive: true });
  });
});
