import { pending, qr } from '@railyard/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyChange } from '../../src/payments/change/apply.ts';
import { collectionConfig } from '../support/collection-config.ts';
import { useDatabase } from '../support/database.ts';
import { type Collection, lateProvider, type LateProvider } from '../support/late-provider.ts';
import { createPage, pressPay, sessionBody } from '../support/service.ts';
import { virtualService, type VirtualService, wordsOf } from '../support/virtual-service.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
/** How long a code of the double is valid. */
const VALID = 7 * DAY;
const START = '2026-11-21T12:00:00Z';
const database = useDatabase();
let provider: LateProvider;
let service: VirtualService;

beforeEach(async () => {
  provider = await lateProvider();
  service = await start();
});

afterEach(async () => {
  await service.close();
  await provider.close();
});

/** A deployment whose codes are valid for seven days. */
function start(before?: VirtualService): Promise<VirtualService> {
  return virtualService(
    database.db,
    (port) => {
      const config = collectionConfig(provider.url, 'http://127.0.0.1:1', port);
      for (const mid of config.mids ?? []) Object.assign(mid.settings, { expiry_hours: VALID / HOUR });
      return config;
    },
    START,
    before,
  );
}

/** A payer who has a code and pays it later, or never. */
async function begin(): Promise<{ readonly id: string; readonly collection: Collection; readonly page: string }> {
  const page = await createPage(service.url, sessionBody({ methods: ['pix-collection'] }));
  const path = new URL(page).pathname;
  await pressPay(`${service.url}${path}`, { method: 'pix-collection' });
  const collection = provider.collections.at(-1);
  const payment =
    collection &&
    (await service.context.stores.payments.findByProviderReference('pix-collection', 'collection', collection.id));
  if (collection === undefined || payment === undefined) throw new Error('The payment did not start.');
  return { id: payment.id, collection, page: `${service.url}${path}` };
}

const stateOf = async (id: string) => (await service.find(id)).state;
const finals = async (id: string) =>
  wordsOf(await service.told(id)).filter((words) => !words.includes(' waiting ') && !words.includes(' undefined '));

describe('a code that is valid for seven days', () => {
  test('is pending as long as it can be paid, and its payment on day three settles it, reported by an unsigned notification', async () => {
    const { id, collection, page } = await begin();
    await service.pass(3 * DAY);
    expect(await stateOf(id)).toBe('pending');
    expect(wordsOf(await service.told(id))).toEqual(['sale waiting pending']);
    // The session is over, and its page says so.
    expect(await (await fetch(page)).text()).toContain('https://shop.example/expiry');
    provider.pay(collection);
    for (let each = 0; each < 3; each += 1) expect(await provider.notify(service.url, collection)).toBe(200);
    await service.pass(2 * SECOND);
    expect(await stateOf(id)).toBe('settled');
    expect(await finals(id)).toEqual(['sale success settled']);
  });

  test('that is paid on day six settles by lookups alone', async () => {
    const { id, collection } = await begin();
    await service.pass(6 * DAY);
    provider.pay(collection);
    await service.pass(1 * DAY + 2 * HOUR);
    expect(await finals(id)).toEqual(['sale success settled']);
  });

  test('that was never paid is reported as declined once it can be paid no more and the provider has said so', async () => {
    const { id } = await begin();
    await service.pass(VALID);
    expect(await stateOf(id)).toBe('pending');
    const before = provider.state.looked.length;
    await service.pass(2 * HOUR);
    expect(await stateOf(id)).toBe('expired');
    expect(provider.state.looked.length).toBeGreaterThan(before);
    expect(await finals(id)).toEqual(['sale fail decline']);
    // Sparse: as before for the first day and a half, then a few a day.
    expect(before).toBeLessThan(80);
  });

  test('stays pending while the provider does not answer, however long its time is over, and an operator is notified', async () => {
    const { id } = await begin();
    await service.pass(6 * DAY);
    provider.state.down = true;
    await service.pass(8 * DAY);
    expect(await stateOf(id)).toBe('pending');
    expect(await finals(id)).toEqual([]);
    expect(service.events().filter(({ finding }) => finding === 'payment-without-lookup')).toHaveLength(1);
    provider.state.down = false;
    await service.pass(2 * DAY);
    expect(await stateOf(id)).toBe('expired');
  });
});

test.each([
  '+012026-11-28T12:00:00.000Z',
  '-000001-01-01T00:00:00.000Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
])('a code that is valid until %s keeps the end that the provider gave before', async (validUntil) => {
  const { id, collection } = await begin();
  const outcome = pending(collection.id, qr({ content: 'another code', validUntil }));
  const change = { kind: 'outcome', outcome, via: 'status' } as const;
  expect(await applyChange(service.context, id, { change })).toMatchObject({ result: 'applied' });
  const [code] = await service.context.stores.payments.referencesOf(id);
  expect(code?.payableUntil?.getTime()).toBe(Date.parse(START) + VALID);
});

test('a code whose end lies before its payment, by a clock that is hours off, is shown and watched without an end', async () => {
  const { id } = await begin();
  const outcome = pending('another', qr({ content: 'another code', validUntil: '2026-11-21T09:30:00Z' }));
  const change = { kind: 'outcome', outcome, via: 'flow' } as const;
  expect(await applyChange(service.context, id, { change })).toMatchObject({ result: 'applied' });
  expect((await service.find(id)).show).toEqual({ kind: 'qr', content: 'another code', copy: true });
  const codes = await service.context.stores.payments.referencesOf(id);
  expect(codes.find(({ providerReference }) => providerReference === 'another')?.payableUntil).toBeNull();
});

test('a code of which the provider does not say how long it is valid ends when the time that was asked for is over', async () => {
  provider.state.saysValidity = false;
  const { id } = await begin();
  await service.pass(VALID / 2);
  expect(await stateOf(id)).toBe('pending');
  await service.pass(VALID + 2 * HOUR);
  expect(await stateOf(id)).toBe('expired');
  expect(await finals(id)).toEqual(['sale fail decline']);
});

describe('money that comes after the end', () => {
  test('of an expired payment settles it with one callback, from a millisecond to six days later', async () => {
    const later = [1, SECOND, 60 * SECOND, HOUR, DAY, 6 * DAY];
    const late = [];
    for (const ms of later) late.push({ ms, ...(await begin()) });
    await service.pass(VALID + 2 * HOUR);
    const over = service.now();
    for (const { id, collection, ms } of late) {
      expect(await stateOf(id)).toBe('expired');
      service.jump(Math.max(0, over + ms - service.now()));
      provider.pay(collection);
      expect(await provider.notify(service.url, collection)).toBe(200);
      await service.pass(2 * SECOND);
      expect(await stateOf(id)).toBe('settled');
      expect(await finals(id)).toEqual(['sale fail decline', 'sale success settled']);
    }
  });

  test('of a declined payment settles it once the provider, asked, says so', async () => {
    const { id, collection } = await begin();
    collection.status = 'EXPIRED';
    await provider.notify(service.url, collection);
    await service.pass(2 * SECOND);
    expect(await stateOf(id)).toBe('declined');
    provider.pay(collection);
    await provider.notify(service.url, collection);
    await service.pass(2 * SECOND);
    expect(await finals(id)).toEqual(['sale fail decline', 'sale success settled']);
  });

  test('whose lookups lag behind the notification is found by the next notification', async () => {
    const { id, collection } = await begin();
    await service.pass(VALID + 2 * HOUR);
    provider.state.lag = 2;
    provider.pay(collection);
    for (let each = 0; each < 3; each += 1) {
      await provider.notify(service.url, collection);
      await service.pass(2 * SECOND);
    }
    expect(await stateOf(id)).toBe('settled');
  });

  test('of the first try, when the second has paid, settles both, and an operator finds the order paid twice', async () => {
    const { id, collection, page } = await begin();
    collection.status = 'EXPIRED';
    await provider.notify(service.url, collection);
    await service.pass(2 * SECOND);
    await pressPay(page, { method: 'pix-collection' });
    const second = provider.collections.at(-1);
    if (second === undefined || second === collection) throw new Error('There is no second payment.');
    provider.pay(second);
    await provider.notify(service.url, second);
    await service.pass(2 * SECOND);
    provider.pay(collection);
    await provider.notify(service.url, collection);
    await service.pass(2 * SECOND);
    expect(await stateOf(id)).toBe('settled');
    expect(await finals(id)).toEqual(['sale fail decline', 'sale success settled']);
    const rows = await database.db.selectFrom('findings').selectAll().where('kind', '=', 'paid-twice').execute();
    const [{ id: other } = { id: '' }] = (
      await service.context.stores.payments.ofSession((await service.find(id)).sessionId ?? '')
    ).filter((each) => each.id !== id);
    expect(rows).toMatchObject([{ subject: id, detail: `10.00 BRL, also paid by ${other}` }]);
  });
});

describe('hints about an ended payment', () => {
  async function expired() {
    const started = await begin();
    await service.pass(VALID + 2 * HOUR);
    return started;
  }

  test('lead to one lookup a second at most, and to two dozen a day; what comes beyond that leads to one a day later', async () => {
    const { collection } = await expired();
    const before = provider.state.looked.length;
    for (let each = 0; each < 50; each += 1) await provider.notify(service.url, collection);
    await service.pass(SECOND);
    expect(provider.state.looked.length - before).toBe(1);
    for (let each = 0; each < 100; each += 1) {
      await provider.notify(service.url, collection);
      await service.pass(2 * SECOND);
    }
    expect(provider.state.looked.length - before).toBe(24);
    // A restart does not open the door again; a day does.
    await service.close();
    service = await start(service);
    await provider.notify(service.url, collection);
    await service.pass(2 * SECOND);
    expect(provider.state.looked.length - before).toBe(24);
    await service.pass(DAY);
    expect(provider.state.looked.length - before).toBe(25);
    provider.pay(collection);
    await provider.notify(service.url, collection);
    await service.pass(2 * SECOND);
    expect(provider.state.looked.length - before).toBe(26);
  });

  test('about many payments of one account lead to one lookup a second together', async () => {
    const started = [];
    for (let each = 0; each < 10; each += 1) started.push(await begin());
    await service.pass(VALID + 2 * HOUR);
    const before = provider.state.looked.length;
    for (const { collection } of started) await provider.notify(service.url, collection);
    await service.pass(5 * SECOND);
    expect(provider.state.looked.length - before).toBeLessThanOrEqual(5);
    await service.pass(10 * SECOND);
    expect(provider.state.looked.length - before).toBe(10);
  });
});
