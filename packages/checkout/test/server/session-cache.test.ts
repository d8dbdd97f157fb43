import { afterAll, beforeAll, expect, test } from 'vitest';
import { SessionCache } from '../../src/storage/sessions.ts';
import { databaseClock, openDatabase, sessionsStore } from '../../src/storage/index.ts';
import { newDataDir, type DataDir } from '../support/data-dir.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { newSession } from '../support/rows.ts';
import { createPage, pressPay, sessionBody, startOn } from '../support/service.ts';

let provider: PixProvider;
let shop: Receiver;
let directory: DataDir;
let services: Awaited<ReturnType<typeof startOn>>[];

/** Two processes' worth of services on one server. */
beforeAll(async () => {
  [provider, shop, directory] = await Promise.all([pixProvider(), receiver(), newDataDir()]);
  const start = () => startOn((port) => ({ ...pixConfig(provider, shop.url, port), ...directory.place }));
  services = [await start(), await start()];
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await Promise.all([shop.close(), provider.close()]);
  await directory.remove();
});

const urlOf = (index: number): string => services[index]?.url ?? expect.fail();
/** The same page at the other service. */
const there = (page: string): string => page.replace(urlOf(0), urlOf(1));

test('a session that another process has cancelled is not paid by the process that has it in its cache', async () => {
  const page = await createPage(urlOf(0), sessionBody());
  const before = provider.ledger.length;
  const cancelled = await fetch(`${there(page)}/cancel`, { method: 'POST', redirect: 'manual' });
  expect(cancelled.status).toBe(303);
  const pressed = await pressPay(page);
  expect([pressed.status, pressed.headers.get('location')]).toEqual([303, new URL(page).pathname]);
  expect(provider.ledger).toHaveLength(before);
});

test('of two processes that have a session in their cache, one pays', async () => {
  const page = await createPage(urlOf(0), sessionBody());
  expect((await fetch(there(page))).status).toBe(200);
  const before = provider.ledger.length;
  const pressed = await Promise.all([pressPay(page), pressPay(there(page)), pressPay(page)]);
  expect(pressed.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect(provider.ledger).toHaveLength(before + 1);
});

test('a method that is not offered is refused as by a process that reads the session', async () => {
  const page = await createPage(urlOf(0), sessionBody());
  expect((await pressPay(page, { method: 'card' })).status).toBe(422);
  expect((await pressPay(there(page), { method: 'card' })).status).toBe(422);
  expect((await pressPay(page)).status).toBe(303);
});

test('a cached session equals the stored one and is taken once', async () => {
  const { db, close } = await openDatabase({ url: directory.place.databaseUrl ?? expect.fail() });
  const sessions = sessionsStore(db, databaseClock);
  const session = newSession();
  await sessions.create(session);
  const cached = sessions.takeCached(session.tokenHash) ?? expect.fail();
  expect(await sessions.find(session.id)).toMatchObject(cached);
  expect(sessions.takeCached(session.tokenHash)).toBeUndefined();
  const read = await sessions.findByTokenHash(session.tokenHash);
  expect(sessions.takeCached(session.tokenHash)).toBe(read);
  await close();
});

test('the cache keeps two thousand sessions without attempts and drops the oldest first', async () => {
  const cache = new SessionCache();
  const { db, close } = await openDatabase({ url: directory.place.databaseUrl ?? expect.fail() });
  const sessions = sessionsStore(db, databaseClock);
  const given = newSession();
  await sessions.create(given);
  const session = (await sessions.find(given.id)) ?? expect.fail();
  await close();
  cache.keep({ ...session, tokenHash: 'attempted', attempts: 1 });
  cache.keep({ ...session, tokenHash: 'ended', state: 'cancelled' });
  for (let index = 0; index <= 2000; index += 1) cache.keep({ ...session, tokenHash: `${index}` });
  const kept = ['attempted', 'ended', '0', '1', '2000'].filter((token) => cache.take(token) !== undefined);
  expect(kept).toEqual(['1', '2000']);
});
