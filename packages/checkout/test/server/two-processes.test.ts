import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { databaseClock, runsStore } from '../../src/storage/index.ts';
import { newDataDir, type DataDir } from '../support/data-dir.ts';
import { openPlace } from '../support/jobs.ts';
import { freePort } from '../support/listen.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { createPage, post, pressPay, sessionBody } from '../support/service.ts';
import { type ServiceProcess, spawnService } from '../support/spawn-service.ts';

let provider: PixProvider;
let shop: Awaited<ReturnType<typeof receiver>>;
let directory: DataDir;
let processes: readonly ServiceProcess[];

/** Two service processes on one server. */
async function spawnTwo(): Promise<void> {
  [provider, shop, directory] = await Promise.all([pixProvider(), receiver(), newDataDir()]);
  const ports = await Promise.all([freePort(), freePort()]);
  const given = { provider, callbackUrl: shop.url, place: directory.place, kill: 'never' } as const;
  processes = ports.map((port) => spawnService({ ...given, port }));
  await Promise.all(processes.map(({ ready }) => ready));
}

async function endAll(): Promise<void> {
  for (const each of processes) each.kill('SIGKILL');
  await Promise.all(processes.map(({ ended }) => ended));
  await Promise.all([shop.close(), provider.close()]);
  await directory.remove();
}

const processOf = (index: number): ServiceProcess => processes[index % processes.length] ?? expect.fail();

/** Does all of it over so many connections. */
async function over<T>(connections: number, work: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  const queue = work.values();
  const one = async () => {
    for (const task of queue) results.push(await task());
  };
  await Promise.all(Array.from({ length: connections }, one));
  return results;
}

/** The same order each time: a test that fails once fails again. */
function shuffled<T>(items: readonly T[]): T[] {
  let seed = 20_261_121;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

describe('two processes on one server', () => {
  beforeAll(spawnTwo, 60_000);
  afterAll(endAll);

  test('make one transition and one callback of 1,000 doubled and shuffled notifications', async () => {
    const payments = 20;
    await over(
      4,
      Array.from({ length: payments }, (_, index) => async () => {
        await pressPay(await createPage(processOf(index).url, sessionBody()));
      }),
    );
    expect(provider.ledger).toHaveLength(payments);
    for (const entry of provider.ledger) entry.status = 'PAID';
    // Of each payment two events, each of them 25 times, to both processes.
    const notifications = provider.ledger.flatMap((entry) =>
      Array.from(
        { length: 50 },
        (_, copy) => () =>
          provider.notify(processOf(copy).notifyUrl, entry, { eventId: `evt-${entry.id}-${Math.floor(copy / 25)}` }),
      ),
    );
    expect(notifications).toHaveLength(1000);
    const answers = await over(32, shuffled(notifications));
    expect(new Set(answers)).toEqual(new Set([204]));

    const paid = () => shop.received.filter(({ fields }) => fields.status === 'success');
    await shop.until(() => paid().length >= payments);
    const { db, close } = await openPlace(directory.place);
    const settled = await db.selectFrom('paymentEvents').select('paymentId').where('toState', '=', 'settled').execute();
    const told = await db.selectFrom('callbacks').select(['paymentId', 'state']).execute();
    const events = await db.selectFrom('providerEvents').select(['eventId', 'state']).execute();
    await close();
    const ids = new Set(settled.map(({ paymentId }) => paymentId));
    expect([settled.length, ids.size]).toEqual([payments, payments]);
    // The second event of a payment that is settled already changes nothing.
    expect(events.filter(({ state }) => state === 'applied')).toHaveLength(payments);
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(2 * payments);
    expect(new Set(paid().map(({ headers }) => headers['webhook-id'])).size).toBe(payments);
    expect(paid()).toHaveLength(payments);
    expect(told.filter(({ state }) => state !== 'delivered')).toEqual([]);
  });

  test('accept one of 64 equal orders at once', async () => {
    for (let round = 0; round < 4; round += 1) {
      const body = sessionBody();
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, client) => post(`${processOf(client).url}/api/v1/session`, body)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const others = answers.filter(({ status }) => status !== 200);
      for (const { status, json } of others)
        expect([status, json]).toEqual([400, expect.objectContaining({ error_message: 'Duplicate request.' })]);
    }
  });

  test('show each other what happens to a payment', async () => {
    const page = await createPage(processOf(0).url, sessionBody());
    await pressPay(page);
    const entry = provider.ledger.at(-1) ?? expect.fail();
    const news = await fetch(`${page.replace(processOf(0).url, processOf(1).url)}/events`);
    const stream = news.body?.pipeThrough(new TextDecoderStream()).getReader() ?? expect.fail();
    expect((await stream.read()).value).toContain('"final":false');
    entry.status = 'PAID';
    expect(await provider.notify(processOf(0).notifyUrl, entry)).toBe(204);
    let heard = '';
    while (!heard.includes('"final":true')) heard += (await stream.read()).value ?? expect.fail();
    expect(heard).toContain('"final":true');
  });
});

describe('a process that is stopped before its call to the provider', () => {
  beforeEach(spawnTwo, 60_000);
  afterEach(endAll);

  test('charges nothing more when it wakes up and another one has taken over', async () => {
    const [first = expect.fail()] = processes;
    const body = sessionBody();
    const page = await createPage(first.url, body);
    await first.killItself('pause-before-call');
    const pressed = pressPay(page);
    await first.pausing;
    const { db, close } = await openPlace(directory.place);
    // The other one has seen no sign of life of it for a minute.
    const runs = runsStore(db, databaseClock);
    expect(await runs.abandon(await runs.held())).toBe(1);
    while (provider.ledger.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await shop.until(({ fields }) => fields.order_number === body.order.number);
    first.kill('SIGCONT');
    expect((await pressed).status).toBe(303);
    expect(provider.ledger).toHaveLength(1);
    const events = await db.selectFrom('paymentEvents').select('toState').orderBy('version').execute();
    expect(events.map(({ toState }) => toState)).toEqual(['created', 'pending']);
    const ended = await db.selectFrom('flowRuns').select(['state', 'leaseEpoch']).execute();
    expect(ended).toEqual([{ state: 'finished', leaseEpoch: 3 }]);
    await close();
  });
});
