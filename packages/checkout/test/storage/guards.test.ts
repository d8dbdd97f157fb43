import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LeaseLostError, releaseHolds, sqlJournal, storesOf } from '../../src/storage/index.ts';
import type { SessionState, Transition } from '../../src/storage/index.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { insertPayment, MERCHANT_KEY, newPayment, newSession } from '../support/rows.ts';

const database = useDatabase();

function setUp() {
  const time = testClock();
  const stores = storesOf(database.db, time.clock);
  return {
    ...time,
    ...stores,
    begin: () => insertPayment(database.db, time.clock),
    move: (paymentId: string, expectedVersion: number, more: Partial<Transition> = {}) =>
      stores.payments.applyTransition({
        paymentId,
        expectedVersion,
        change: { state: 'pending', unknown: false },
        event: { kind: 'moved', data: {} },
        ...more,
      }),
  };
}

const URL = 'https://shop.example/callback';
const message = (id: string, url = URL) => ({ id, url, contentType: 'text/plain', body: 'x' });
const claimed = (id: string, attempts: number, url = URL, merchantKey = MERCHANT_KEY) => ({
  id,
  attempts,
  url,
  merchantKey,
});
const fails = { status: 500, durationMs: 1, next: { state: 'waiting', retryInMs: 600_000 } } as const;
const gone = { ...fails, status: 410, address: 'gone' } as const;
const ok = { status: 200, durationMs: 1, next: { state: 'delivered' } } as const;

describe('a run', () => {
  it('is executed once more by its owner alone, even for one who knows its epoch', async () => {
    const { begin, runs } = setUp();
    const { lease } = await begin();
    expect(await runs.again({ ...lease, owner: 'process-2' }, 1000)).toBeUndefined();
  });

  it('gives no sign of life for another run of its holder', async () => {
    const { begin, runs } = setUp();
    const [one, other] = [await begin(), await begin()];
    await runs.beat('process-1', [one.lease.runId], 1000);
    const beats = new Map((await runs.held()).map((run) => [run.runId, run.beats]));
    expect([beats.get(one.lease.runId), beats.get(other.lease.runId)]).toEqual([1, 0]);
  });

  it('that was let go is held by no process', async () => {
    const { begin, runs } = setUp();
    await begin();
    await runs.releaseAll('process-1');
    expect(await runs.held()).toEqual([]);
  });

  it('is not let go for a holder of an earlier epoch, whose signs of life are as many', async () => {
    const { begin, runs } = setUp();
    const { lease } = await begin();
    const before = await runs.held();
    const again = await runs.again(lease, 1000);
    expect(await runs.abandon(before)).toBe(0);
    expect(await runs.find(lease.runId)).toMatchObject({ leaseOwner: 'process-1', leaseEpoch: again?.lease.epoch });
  });

  it('that has ended is neither let go, ended again nor gone on with by its last holder', async () => {
    const { begin, runs, clock } = setUp();
    const { lease } = await begin();
    const held = await runs.held();
    const journal = sqlJournal(database.db, clock, lease);
    await journal.begin(lease.runId, 'charge', 'call');
    await runs.finish(lease, 'first');
    expect(await runs.abandon(held)).toBe(0);
    await expect(runs.finish(lease, 'second')).rejects.toBeInstanceOf(LeaseLostError);
    await expect(runs.renew(lease, 1000)).rejects.toBeInstanceOf(LeaseLostError);
    await expect(journal.begin(lease.runId, 'capture', 'call')).rejects.toBeInstanceOf(LeaseLostError);
    await journal.notSent(lease.runId, 'charge');
    expect(await journal.load(lease.runId)).toMatchObject([{ step: 'charge', state: 'begun' }]);
    expect(await runs.find(lease.runId)).toMatchObject({ outcomeText: '"first"' });
  });

  it('of one payment is not ended with a change of another', async () => {
    const { begin, move, runs } = setUp();
    const [one, other] = [await begin(), await begin()];
    const run = { lease: other.lease, next: { state: 'finished', outcome: null } } as const;
    expect(await move(one.payment.id, 1, { run })).toEqual({ result: 'run-lost' });
    expect(await runs.find(other.lease.runId)).toMatchObject({ state: 'running' });
  });
});

describe('a session', () => {
  const declined = { change: { state: 'declined', unknown: false } } as const;

  it('begins no payment while an earlier one has been paid after all', async () => {
    const { begin, move, payments } = setUp();
    const { payment } = await begin();
    const sessionId = payment.sessionId ?? '';
    await move(payment.id, 1, declined);
    const second = await payments.insert(newPayment(sessionId));
    await move(second?.payment.id ?? '', 1, declined);
    await move(payment.id, 2, { change: { state: 'settled', unknown: false } });
    expect(await payments.insert(newPayment(sessionId))).toBeUndefined();
  });

  it('gives its own id to its first payment alone', async () => {
    const { begin, move, payments } = setUp();
    const { payment } = await begin();
    const sessionId = payment.sessionId ?? '';
    await move(payment.id, 1, declined);
    expect(await payments.insert(newPayment(sessionId, { id: sessionId }))).toBeUndefined();
  });

  it('that is completed keeps the time when it was', async () => {
    const { begin, move, advance, now, sessions } = setUp();
    const { payment } = await begin();
    await move(payment.id, 1, { closeSession: 'completed' });
    const closedAt = now();
    advance(1000);
    await move(payment.id, 2, { closeSession: 'completed' });
    expect(await sessions.find(payment.sessionId ?? '')).toMatchObject({ closedAt });
  });

  it.each<Exclude<SessionState, 'open'>>(['cancelled', 'completed'])('that is %s does not expire', async (state) => {
    const { advance, sessions } = setUp();
    const session = newSession({ lifetimeMinutes: 1 });
    await sessions.create(session);
    await sessions.close(session.id, state);
    advance(60_000);
    expect([await sessions.expire(session.id), (await sessions.expireDue(10)).ids]).toEqual([false, []]);
  });

  it('expires at its time, and under no payment that may still bring money', async () => {
    const { advance, sessions, payments, move } = setUp();
    const session = newSession({ lifetimeMinutes: 1 });
    await sessions.create(session);
    const started = await payments.insert(newPayment(session.id));
    advance(60_000);
    expect(await sessions.expire(session.id)).toBe(false);
    await move(started?.payment.id ?? '', 1, declined);
    advance(-1);
    expect(await sessions.expire(session.id)).toBe(false);
    advance(1);
    expect(await sessions.expire(session.id)).toBe(true);
  });

  it('is found by a key of its merchant alone, and not by a test key where it is live', async () => {
    const { sessions } = setUp();
    const session = newSession({ test: false });
    await sessions.create(session);
    const found = (merchantKey: string, test: boolean) =>
      sessions.newestOfOrder({ merchantKey, test }, session.orderNumber);
    expect(await found(MERCHANT_KEY, false)).toMatchObject({ id: session.id });
    expect([await found('another', false), await found(MERCHANT_KEY, true)]).toEqual([undefined, undefined]);
  });
});

describe('a lookup', () => {
  it('waits for a run of the operation, not for one of another modification', async () => {
    const { begin, move, payments, runs } = setUp();
    const { payment, lease } = await begin();
    await runs.finish(lease, null);
    await runs.create({
      runId: randomUUID(),
      paymentId: payment.id,
      purpose: 'renew',
      connectorId: 'test',
      connectorVersion: '1.0.0',
      input: {},
      owner: 'process-1',
      leaseMs: 1000,
    });
    await move(payment.id, 1, { change: { state: 'pending', unknown: true, pollInMs: 0 } });
    expect(await payments.claimDuePolls(10, 1000)).toMatchObject([{ id: payment.id }]);
  });

  it('of a payment that is decided is not planned', async () => {
    const { begin, move, payments } = setUp();
    const { payment } = await begin();
    await move(payment.id, 1, { change: { state: 'settled', unknown: false, pollInMs: null } });
    await payments.schedulePoll(payment.id, 0);
    expect(await payments.find(payment.id)).toMatchObject({ pollAt: null });
  });
});

describe('a callback', () => {
  it('waits for none of another payment, however much further that is', async () => {
    const { begin, move, callbacks } = setUp();
    const [one, other] = [await begin(), await begin()];
    await move(one.payment.id, 1, { callbacks: [message('a-1')] });
    await callbacks.claimDue(10, 1000);
    await callbacks.recordAttempt(claimed('a-1', 1), ok);
    await move(one.payment.id, 2, { callbacks: [message('a-2')] });
    await move(other.payment.id, 1, { callbacks: [message('b-1')] });
    expect((await callbacks.claimDue(10, 1000)).map(({ id }) => id).toSorted()).toEqual(['a-2', 'b-1']);
  });

  it('is claimed again once its claim has run out, and no earlier', async () => {
    const { begin, move, callbacks, advance } = setUp();
    const { payment } = await begin();
    await move(payment.id, 1, { callbacks: [message('a-1')] });
    await callbacks.claimDue(10, 1000);
    advance(999);
    expect(await callbacks.claimDue(10, 1000)).toEqual([]);
    advance(1);
    expect(await callbacks.claimDue(10, 1000)).toHaveLength(1);
  });

  it('waits where its merchant’s address is gone, and not for what is gone elsewhere', async () => {
    const { begin, move, callbacks } = setUp();
    const there = 'https://other.example/callback';
    const { payment } = await begin();
    await move((await begin()).payment.id, 1, { callbacks: [message('b-1', there)] });
    await callbacks.recordAttempt(claimed('b-1', 1, URL, 'another'), gone);
    await callbacks.recordAttempt(claimed('b-1', 1, there), gone);
    await move(payment.id, 1, { callbacks: [message('a-1')] });
    expect(await callbacks.claimDue(10, 1000, { urls: [URL] })).toEqual([]);
    expect(await callbacks.claimDue(10, 1000)).toMatchObject([{ id: 'a-1' }]);
  });

  it('turns to a new address if it waits, is its merchant’s, and has none of its own', async () => {
    const { begin, move, callbacks } = setUp();
    const { payment } = await begin();
    await move(payment.id, 1, { callbacks: [message('a-1')] });
    await callbacks.claimDue(10, 1000);
    await callbacks.recordAttempt(claimed('a-1', 1), ok);
    await move(payment.id, 2, { callbacks: [{ ...message('a-2'), ownUrl: true }, message('a-3')] });
    expect(await callbacks.readdress({ merchantKey: 'another', test: false }, 'https://new.example/')).toBe(0);
    expect(await callbacks.readdress({ merchantKey: MERCHANT_KEY, test: false }, 'https://new.example/')).toBe(1);
    expect((await callbacks.ofPayment(payment.id)).map(({ url }) => url)).toEqual([URL, URL, 'https://new.example/']);
  });

  it('that is being sent or dead is not made due by another’s success, nor by an operator who resumes the address', async () => {
    const { begin, move, callbacks, advance } = setUp();
    for (const id of ['a', 'b', 'c']) await move((await begin()).payment.id, 1, { callbacks: [message(id)] });
    await callbacks.claimDue(10, 900_000);
    await callbacks.recordAttempt(claimed('a', 1), { ...fails, next: { state: 'dead' } });
    for (const attempt of [1, 2, 3]) await callbacks.recordAttempt(claimed('b', attempt), fails);
    expect(await callbacks.resume(URL)).toMatchObject({ due: 1 });
    for (const attempt of [1, 2, 3]) await callbacks.recordAttempt(claimed('b', attempt), fails);
    // A clock that is set back makes what was due come later.
    advance(-1000);
    expect(await callbacks.recordAttempt(claimed('b', 1), ok)).toMatchObject({ flushed: 0 });
  });
});

describe('what a process that ended was at work on', () => {
  it('is not made due where a notification has been handled', async () => {
    const { clock, notifications } = setUp();
    const id = randomUUID();
    await notifications.keep({
      id,
      connectorId: 'test',
      midId: 'mid-1',
      request: '{}',
      body: new Uint8Array([1]),
      holdMs: 1000,
    });
    await notifications.end(id, 'handled');
    const before = await notifications.find(id);
    await releaseHolds(database.db, clock);
    await notifications.postpone(id, 5000);
    expect(await notifications.find(id)).toEqual(before);
  });

  it('is not made due where a request has been answered', async () => {
    const { clock, idempotency } = setUp();
    const key = {
      merchantKey: MERCHANT_KEY,
      idempotencyKey: 'k',
      requestHash: 'f'.repeat(64),
      resourceId: randomUUID(),
    };
    await idempotency.claim(key);
    await idempotency.answer(key, key.resourceId, 200, '{}');
    const stored = () => database.db.selectFrom('idempotencyKeys').selectAll().executeTakeFirstOrThrow();
    const before = await stored();
    await releaseHolds(database.db, clock);
    await idempotency.letGo(key, key.resourceId);
    await idempotency.release(key, key.resourceId);
    await idempotency.answer(key, key.resourceId, 500, '"other"');
    expect(await stored()).toEqual(before);
    expect(await idempotency.claim(key)).toMatchObject({ kind: 'answered', status: 200 });
  });
});
