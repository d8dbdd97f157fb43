import { describe, expect, it } from 'vitest';
import { databaseClock, paymentsStore, sessionsStore } from '../../src/storage/index.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { newPayment, newSession } from '../support/rows.ts';

const database = useDatabase();

describe('creating a session', () => {
  it('keeps the request byte for byte', async () => {
    const { clock, now } = testClock();
    const requestText = '{ "order": {"amount":"10.00", "b":1, "a":2},"custom_data":{"n":1.50,"e":"\\u0000\\ud800 é"} }';
    const session = newSession({ requestText, lifetimeMinutes: 720 });
    const store = sessionsStore(database.db, clock);
    const created = await store.create(session);
    const stored = await store.findByTokenHash(session.tokenHash);
    expect(stored).toMatchObject({
      id: session.id,
      requestText,
      state: 'open',
      hashDialect: 'ascii',
      createdAt: now(),
      expiresAt: new Date(now().getTime() + 720 * 60_000),
    });
    expect(stored).toMatchObject(created.result === 'created' ? created.stored : expect.fail());
    expect(await store.findByTokenHash('0'.repeat(64))).toBeUndefined();
  });

  it('accepts exactly one of 64 equal requests at once', async () => {
    const store = sessionsStore(database.db, databaseClock);
    const results = await Promise.all(
      Array.from({ length: 64 }, () => store.create(newSession({ orderNumber: 'same' }))),
    );
    expect(results.filter(({ result }) => result === 'created')).toHaveLength(1);
    expect(results.filter(({ result }) => result === 'duplicate')).toHaveLength(63);
    expect(await database.db.selectFrom('sessions').select('id').execute()).toHaveLength(1);
  });

  it.each([
    { after: 0, result: 'duplicate' },
    { after: 14_900, result: 'duplicate' },
    { after: 14_999, result: 'duplicate' },
    { after: 15_000, result: 'created' },
    { after: 15_100, result: 'created' },
  ])('answers $result for the same order number after $after ms', async ({ after, result }) => {
    const { clock, advance } = testClock();
    const store = sessionsStore(database.db, clock);
    await store.create(newSession({ orderNumber: 'same' }));
    advance(after);
    expect(await store.create(newSession({ orderNumber: 'same' }))).toMatchObject({ result });
  });

  it('does not extend the window for a duplicate', async () => {
    const { clock, advance } = testClock();
    const store = sessionsStore(database.db, clock);
    await store.create(newSession({ orderNumber: 'same' }));
    advance(10_000);
    expect(await store.create(newSession({ orderNumber: 'same' }))).toEqual({ result: 'duplicate' });
    advance(5000);
    expect(await store.create(newSession({ orderNumber: 'same' }))).toMatchObject({ result: 'created' });
  });

  it('lets the same order number of another merchant through', async () => {
    const store = sessionsStore(database.db, testClock().clock);
    await store.create(newSession({ orderNumber: 'same' }));
    expect(await store.create(newSession({ orderNumber: 'same', merchantKey: 'another' }))).toMatchObject({
      result: 'created',
    });
  });

  it('lets the same order number of the merchant’s other key through, live or test', async () => {
    const store = sessionsStore(database.db, testClock().clock);
    const both = ['live-key', 'test-key'].map((keyAsSent) => newSession({ orderNumber: 'same', keyAsSent }));
    for (const session of both) expect(await store.create(session)).toMatchObject({ result: 'created' });
    for (const keyAsSent of ['live-key', 'test-key'])
      expect(await store.create(newSession({ orderNumber: 'same', keyAsSent }))).toEqual({ result: 'duplicate' });
  });

  it('is not locked out when the clock is set back by an hour', async () => {
    const { clock, advance } = testClock();
    const store = sessionsStore(database.db, clock);
    await store.create(newSession({ orderNumber: 'same' }));
    advance(-3_600_000);
    expect(await store.create(newSession({ orderNumber: 'same' }))).toMatchObject({ result: 'created' });
  });

  it('arms nothing when the session is not stored', async () => {
    const store = sessionsStore(database.db, testClock().clock);
    await expect(store.create(newSession({ orderNumber: 'same', tokenHash: 'not a hash' }))).rejects.toThrow(
      /check constraint/,
    );
    expect(await store.create(newSession({ orderNumber: 'same' }))).toMatchObject({ result: 'created' });
  });

  it('forgets only windows that have passed', async () => {
    const { clock, advance } = testClock();
    const store = sessionsStore(database.db, clock);
    await store.create(newSession({ orderNumber: 'old' }));
    advance(14_000);
    await store.create(newSession({ orderNumber: 'new' }));
    advance(1000);
    expect(await store.forgetWindows()).toBe(1);
    expect(await store.create(newSession({ orderNumber: 'new' }))).toEqual({ result: 'duplicate' });
  });
});

describe('the end of a session', () => {
  it('expires at its time, not a millisecond earlier, and once', async () => {
    const { clock, advance } = testClock();
    const store = sessionsStore(database.db, clock);
    const session = newSession({ lifetimeMinutes: 1 });
    await store.create(session);
    await store.create(newSession({ lifetimeMinutes: 2 }));
    advance(59_999);
    expect(await store.expireDue(10)).toEqual({ ids: [], waiting: [] });
    advance(1);
    expect(await store.expireDue(10)).toEqual({ ids: [session.id], waiting: [] });
    expect(await store.expireDue(10)).toEqual({ ids: [], waiting: [] });
    expect(await store.find(session.id)).toMatchObject({ state: 'expired' });
  });

  it('waits for a payment that may still bring money', async () => {
    const { clock, advance } = testClock();
    const sessions = sessionsStore(database.db, clock);
    const payments = paymentsStore(database.db, clock);
    const session = newSession({ lifetimeMinutes: 1 });
    await sessions.create(session);
    const started = await payments.insert(newPayment(session.id));
    advance(60_000);
    expect(await sessions.expireDue(10)).toEqual({ ids: [], waiting: [] });
    await payments.applyTransition({
      paymentId: started?.payment.id ?? '',
      expectedVersion: 1,
      change: { state: 'declined', unknown: false },
      event: { kind: 'declined', data: {} },
    });
    expect((await sessions.expireDue(10)).ids).toEqual([session.id]);
  });

  it('is looked for a part at a time, also among sessions of one moment and such as stay open', async () => {
    const { clock, advance } = testClock();
    const sessions = sessionsStore(database.db, clock);
    const payments = paymentsStore(database.db, clock);
    const made = Array.from({ length: 7 }, () => newSession({ lifetimeMinutes: 1 }));
    for (const session of made) await sessions.create(session);
    for (const session of made.slice(0, 3)) await payments.insert(newPayment(session.id));
    advance(60_000);
    const ids: string[] = [];
    const looks: number[] = [];
    let look = await sessions.expireDue(2);
    for (; look.next !== undefined; look = await sessions.expireDue(2, look.next)) {
      ids.push(...look.ids);
      looks.push(look.ids.length);
    }
    ids.push(...look.ids);
    expect(looks).toHaveLength(3);
    expect(ids.toSorted()).toEqual(
      made
        .slice(3)
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  it('is not cancelled under a payment that may still bring money', async () => {
    const { clock } = testClock();
    const sessions = sessionsStore(database.db, clock);
    const payments = paymentsStore(database.db, clock);
    const session = newSession();
    await sessions.create(session);
    const started = await payments.insert(newPayment(session.id));
    expect(await sessions.close(session.id, 'cancelled')).toBe(false);
    expect(await sessions.find(session.id)).toMatchObject({ state: 'open' });
    await payments.applyTransition({
      paymentId: started?.payment.id ?? '',
      expectedVersion: 1,
      change: { state: 'declined', unknown: false },
      event: { kind: 'declined', data: {} },
    });
    expect(await sessions.close(session.id, 'cancelled')).toBe(true);
    expect(await sessions.find(session.id)).toMatchObject({ state: 'cancelled' });
  });

  it('is decided by the first who ends it', async () => {
    const store = sessionsStore(database.db, testClock().clock);
    const session = newSession();
    await store.create(session);
    const ends = ['cancelled', 'expired'] as const;
    const ended = await Promise.all(ends.map((state) => store.close(session.id, state)));
    expect(ended.toSorted()).toEqual([false, true]);
    expect(await store.find(session.id)).toMatchObject({ state: ends[ended.indexOf(true)] });
  });
});
