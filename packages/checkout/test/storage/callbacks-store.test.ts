import { sql } from 'kysely';
import * as fc from '../../../../test/support/properties.ts';
import { describe, expect, it } from 'vitest';
import { recordDeliveries } from '../../src/storage/callback-attempt.ts';
import { callbacksStore, paymentsStore } from '../../src/storage/index.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { insertPayment, MERCHANT_KEY } from '../support/rows.ts';

const database = useDatabase();

function setUp() {
  const time = testClock();
  const payments = paymentsStore(database.db, time.clock);
  const callback = (id: string, n: number) => ({
    id,
    url: 'https://shop.example/callback',
    contentType: 'application/json',
    body: JSON.stringify({ n, text: 'é "quoted" \\ 😀' }),
  });
  const change = (paymentId: string, expectedVersion: number, callbacks: readonly ReturnType<typeof callback>[]) =>
    payments.applyTransition({
      paymentId,
      expectedVersion,
      change: { state: 'pending', unknown: false },
      event: { kind: 'told', data: {} },
      callbacks,
    });
  return {
    ...time,
    payments,
    callbacks: callbacksStore(database.db, time.clock),
    /** One more callback of a payment that has had so many changes. */
    add: (paymentId: string, version: number, id: string) => change(paymentId, version, [callback(id, version)]),
    /** A payment that has so many callbacks, with the ids `name-1`, `name-2`, …; one per transition unless they come `together`. */
    async payment(name: string, count: number, together = false) {
      const { payment } = await insertPayment(database.db, time.clock);
      const all = Array.from({ length: count }, (_, index) => callback(`${name}-${index + 1}`, index + 1));
      const groups = together ? [all] : all.map((each) => [each]);
      for (const [index, callbacks] of groups.entries()) await change(payment.id, index + 1, callbacks);
      return payment;
    },
  };
}

const claimed = (id: string, attempts: number, url = 'https://shop.example/callback') => ({
  id,
  attempts,
  url,
  merchantKey: MERCHANT_KEY,
});

const ok = { status: 200, durationMs: 12.4, next: { state: 'delivered' } } as const;
const failed = (retryInMs: number) =>
  ({ status: 500, error: 'HTTP 500', durationMs: 3, next: { state: 'waiting', retryInMs } }) as const;

describe('delivering callbacks', () => {
  it.each([false, true])(
    'hands out the callbacks of one payment one after the other (all of one transition: %s)',
    async (together) => {
      const { callbacks, payment } = setUp();
      await payment('a', 3, together);
      for (const id of ['a-1', 'a-2', 'a-3']) {
        const due = await callbacks.claimDue(10, 30_000);
        expect(due.map((each) => each.id)).toEqual([id]);
        expect(await callbacks.claimDue(10, 30_000)).toEqual([]);
        expect(await callbacks.recordAttempt(claimed(id, 1), ok)).toMatchObject({ current: true });
      }
      expect(await callbacks.claimDue(10, 30_000)).toEqual([]);
    },
  );

  it('stores every field of an attempt that failed, and of one that was delivered', async () => {
    const { callbacks, payment, now } = setUp();
    const { id } = await payment('a', 1);
    await callbacks.claimDue(10, 30_000);
    const { merchantKey, url } = claimed('a-1', 1);
    const next = { state: 'waiting', retryInMs: 5000 } as const;
    const gone = { status: 410, error: 'a reason', durationMs: 7.6, next, address: 'gone' } as const;
    await callbacks.recordAttempt(claimed('a-1', 1), gone);
    const attempt = { callbackId: 'a-1', attempt: 1, status: 410, error: 'a reason', durationMs: 8, at: now() };
    expect(await callbacks.attemptsOf('a-1')).toEqual([attempt]);
    const later = new Date(now().getTime() + 5000);
    const after = { state: 'waiting', lastStatus: 410, lastError: 'a reason', claimedUntil: null, nextTryAt: later };
    expect(await callbacks.ofPayment(id)).toMatchObject([after]);
    const disabled = database.db.selectFrom('disabledCallbackAddresses').selectAll();
    expect(await disabled.where('url', '=', url).execute()).toEqual([{ merchantKey, url, at: now() }]);
    await callbacks.resume(url);
    await callbacks.recordAttempt(claimed('a-1', 2), { status: 202, durationMs: 4, next: { state: 'delivered' } });
    expect(await callbacks.attemptsOf('a-1')).toEqual([
      attempt,
      { callbackId: 'a-1', attempt: 2, status: 202, error: null, durationMs: 4, at: now() },
    ]);
    expect(await callbacks.ofPayment(id)).toMatchObject([
      { state: 'delivered', lastStatus: 202, lastError: null, nextTryAt: now(), deliveredAt: now() },
    ]);
  });

  it('does not let one payment wait for another', async () => {
    const { callbacks, payment } = setUp();
    await payment('a', 2);
    await payment('b', 2);
    expect((await callbacks.claimDue(10, 30_000)).map(({ id }) => id).sort()).toEqual(['a-1', 'b-1']);
  });

  it('gives a callback to one of several deliverers', async () => {
    const { callbacks, payment } = setUp();
    for (const name of ['a', 'b', 'c', 'd']) await payment(name, 1);
    const claimedIds: string[] = [];
    // Of claims at the same moment all may look at the same two.
    for (let round = 0; round < 2; round += 1) {
      const claims = await Promise.all(Array.from({ length: 8 }, () => callbacks.claimDue(2, 30_000)));
      claimedIds.push(...claims.flat().map(({ id }) => id));
    }
    expect(claimedIds.sort()).toEqual(['a-1', 'b-1', 'c-1', 'd-1']);
  });

  it('comes again when it is due, with the same id and body', async () => {
    const { callbacks, payment, advance } = setUp();
    await payment('a', 1);
    const [first] = await callbacks.claimDue(10, 30_000);
    await callbacks.recordAttempt(claimed('a-1', 1), failed(5000));
    advance(4999);
    expect(await callbacks.claimDue(10, 30_000)).toEqual([]);
    advance(1);
    const [second] = await callbacks.claimDue(10, 30_000);
    expect(second).toMatchObject({ id: 'a-1', body: first?.body, attempts: 2, lastStatus: 500, lastError: 'HTTP 500' });
    expect(JSON.parse(second?.body ?? '')).toEqual({ n: 1, text: 'é "quoted" \\ 😀' });
  });

  it('comes again when its deliverer died', async () => {
    const { callbacks, payment, advance } = setUp();
    await payment('a', 1);
    await callbacks.claimDue(10, 30_000);
    advance(30_000);
    expect(await callbacks.claimDue(10, 30_000)).toMatchObject([{ id: 'a-1', attempts: 2 }]);
  });

  it('lets the newest attempt decide, and a delivery stand whichever process reports it', async () => {
    const { callbacks, payment, advance } = setUp();
    const { id } = await payment('a', 1);
    await callbacks.claimDue(10, 30_000);
    advance(30_000);
    await callbacks.claimDue(10, 30_000);
    expect(await callbacks.recordAttempt(claimed('a-1', 1), failed(0))).toMatchObject({ current: false });
    expect(await callbacks.claimDue(10, 30_000)).toEqual([]);
    expect(await callbacks.recordAttempt(claimed('a-1', 1), ok)).toMatchObject({ current: true });
    expect(await callbacks.recordAttempt(claimed('a-1', 2), failed(0))).toMatchObject({ current: false });
    expect(await callbacks.ofPayment(id)).toMatchObject([{ state: 'delivered' }]);
  });

  it('goes on with the next callback after a dead one, and replays the dead one before what still waits', async () => {
    const { callbacks, payment } = setUp();
    const { id } = await payment('a', 3);
    await callbacks.claimDue(10, 30_000);
    await callbacks.recordAttempt(claimed('a-1', 1), { error: 'timeout', durationMs: 15_000, next: { state: 'dead' } });
    expect(await callbacks.claimDue(10, 30_000)).toMatchObject([{ id: 'a-2' }]);
    await callbacks.recordAttempt(claimed('a-2', 1), ok);
    expect(await callbacks.replay({ ids: ['a-1'] })).toEqual(['a-1']);
    expect(await callbacks.replay({ ids: ['a-1'] })).toEqual([]);
    expect(await callbacks.claimDue(10, 30_000)).toMatchObject([{ id: 'a-1', attempts: 2 }]);
    expect(await callbacks.ofPayment(id)).toHaveLength(3);
  });

  it('moves what waits behind a callback with it, so that a claim does not read what cannot be sent', async () => {
    const { callbacks, payment, add, now, advance } = setUp();
    const { id } = await payment('a', 2);
    const dueIn = async () =>
      (await callbacks.ofPayment(id)).map(({ nextTryAt }) => nextTryAt.getTime() - now().getTime());
    await callbacks.claimDue(10, 30_000);
    expect(await callbacks.recordAttempt(claimed('a-1', 1), failed(5000))).toMatchObject({ more: true });
    expect(await dueIn()).toEqual([5000, 5000]);
    await add(id, 3, 'a-3');
    expect(await dueIn()).toEqual([5000, 5000, 5000]);
    advance(5000);
    await callbacks.claimDue(10, 30_000);
    advance(1000);
    expect(await callbacks.recordAttempt(claimed('a-1', 2), ok)).toMatchObject({ more: true });
    expect(await dueIn()).toEqual([0, 0, 0]);
    expect(await callbacks.claimDue(10, 30_000)).toMatchObject([{ id: 'a-2', attempts: 1 }]);
  });

  it('claims the next one of the payment with a delivery, as often as there is one', async () => {
    const { callbacks, payment, advance } = setUp();
    const { id: paymentId } = await payment('a', 3, true);
    await payment('b', 2, true);
    const [first] = (await callbacks.claimDue(10, 30_000)).filter((each) => each.paymentId === paymentId);
    expect(first).toMatchObject({ id: 'a-1', attempts: 1 });
    const second = await callbacks.recordAttempt(claimed('a-1', 1), ok, 30_000);
    expect(second).toMatchObject({ more: true, next: { id: 'a-2', paymentId, seq: 2, attempts: 1, tries: 1 } });
    expect(second.next?.body).toBe(JSON.stringify({ n: 2, text: 'é "quoted" \\ 😀' }));
    expect(await callbacks.claimDue(10, 30_000)).toEqual([]);
    const third = await callbacks.recordAttempt(claimed('a-2', 1), ok, 30_000);
    expect(third.next).toMatchObject({ id: 'a-3', attempts: 1 });
    expect((await callbacks.recordAttempt(claimed('a-3', 1), ok, 30_000)).next).toBeUndefined();
    expect(await callbacks.ofPayment(paymentId)).toMatchObject(
      ['a-1', 'a-2', 'a-3'].map((id) => ({ id, state: 'delivered', attempts: 1, claimedUntil: null })),
    );
    advance(31_000);
    expect((await callbacks.claimDue(10, 30_000)).map(({ id }) => id)).toEqual(['b-1']);
  });

  it('gives the next one to another deliverer when the one that claimed it with a delivery died', async () => {
    const { callbacks, payment, advance } = setUp();
    await payment('a', 2, true);
    await callbacks.claimDue(10, 30_000);
    await callbacks.recordAttempt(claimed('a-1', 1), ok, 30_000);
    advance(30_001);
    expect(await callbacks.claimDue(10, 30_000)).toMatchObject([{ id: 'a-2', attempts: 2 }]);
  });

  it('claims none where the delivery does not ask for it, and none to another address, or behind one that waits', async () => {
    const { callbacks, payment } = setUp();
    const { id: plain } = await payment('a', 2, true);
    const { id: elsewhere } = await payment('b', 2, true);
    const { id: behind } = await payment('c', 3, true);
    await callbacks.claimDue(10, 30_000);
    await database.db.updateTable('callbacks').set({ url: 'https://own.example/' }).where('id', '=', 'b-2').execute();
    await callbacks.recordAttempt(claimed('c-1', 1), ok);
    await callbacks.claimDue(10, 30_000);
    await callbacks.replay({ ids: ['c-1'] });
    const found = [
      await callbacks.recordAttempt(claimed('a-1', 1), ok),
      await callbacks.recordAttempt(claimed('b-1', 1), ok, 30_000),
      await callbacks.recordAttempt(claimed('c-2', 1), ok, 30_000),
    ];
    expect(found.map(({ next, more }) => ({ next, more }))).toEqual(found.map(() => ({ next: undefined, more: true })));
    for (const [id, count] of [
      [plain, 1],
      [elsewhere, 1],
      [behind, 1],
    ] as const)
      expect((await callbacks.ofPayment(id)).filter(({ attempts }) => attempts === 0)).toHaveLength(count);
  });

  it('claims the next one once where two of its payment are delivered in one statement', async () => {
    const { callbacks, payment, clock } = setUp();
    const { id: paymentId } = await payment('a', 3, true);
    await callbacks.claimDue(10, 30_000);
    await callbacks.recordAttempt(claimed('a-1', 1), ok, 30_000);
    await callbacks.recordAttempt(claimed('a-2', 1), ok, 30_000);
    await callbacks.replay({ ids: ['a-1', 'a-2'] });
    expect(await callbacks.claimDue(10, 30_000)).toMatchObject([{ id: 'a-1' }]);
    const recorded = await recordDeliveries(database.db, clock, [
      { callback: claimed('a-1', 2), result: ok, claimNextMs: 30_000 },
      { callback: claimed('a-3', 1), result: ok, claimNextMs: 30_000 },
    ]);
    expect(recorded.get('a-1')).toMatchObject({ next: { id: 'a-2', attempts: 2 } });
    expect(recorded.get('a-3')?.next).toBeUndefined();
    expect(await callbacks.claimDue(10, 30_000)).toEqual([]);
    expect((await callbacks.ofPayment(paymentId)).map(({ state }) => state)).toEqual([
      'delivered',
      'waiting',
      'delivered',
    ]);
  });

  it('claims none with a delivery that another deliverer has', async () => {
    const { callbacks, payment, advance } = setUp();
    await payment('a', 2, true);
    await callbacks.claimDue(10, 30_000);
    await callbacks.recordAttempt(claimed('a-1', 1), ok);
    // An operator has the first one sent again while another process is sending the second.
    const [second] = await callbacks.claimDue(10, 30_000);
    expect(second).toMatchObject({ id: 'a-2', attempts: 1 });
    const again = await callbacks.replay({ ids: ['a-1'] });
    expect(again).toEqual(['a-1']);
    const [first] = await callbacks.claimDue(10, 30_000);
    expect(first?.id ?? 'none').toBe('a-1');
    expect((await callbacks.recordAttempt(claimed('a-1', 2), ok, 30_000)).next).toBeUndefined();
    expect(await callbacks.claimDue(10, 30_000)).toEqual([]);
    advance(30_000);
    expect(await callbacks.claimDue(10, 30_000)).toMatchObject([{ id: 'a-2', attempts: 2 }]);
  });

  it('claims none with a delivery to an address that is paused or disabled', async () => {
    const { callbacks, payment, clock } = setUp();
    const url = 'https://shop.example/callback';
    await payment('a', 2, true);
    await callbacks.claimDue(10, 30_000);
    await sql`INSERT INTO disabled_callback_addresses (url, merchant_key, at) VALUES (${url}, ${MERCHANT_KEY}, ${clock()})`.execute(
      database.db,
    );
    expect(await callbacks.recordAttempt(claimed('a-1', 1), ok, 30_000)).toMatchObject({ more: true });
    await callbacks.resume(url);
    expect(await callbacks.claimDue(10, 30_000)).toMatchObject([{ id: 'a-2', attempts: 1 }]);
  });

  it('pauses an address that times out for its merchant alone', async () => {
    const { callbacks, payment, payments, clock } = setUp();
    const url = 'https://shop.example/callback';
    await payment('a', 1);
    await callbacks.claimDue(10, 30_000);
    await sql`INSERT INTO callback_addresses (merchant_key, url, timeouts)
      VALUES ('another-merchant', ${url}, array_fill(${clock()}, ARRAY[4]))`.execute(database.db);
    const timedOut = { ...failed(0), address: 'timed-out' } as const;
    expect(await callbacks.recordAttempt(claimed('a-1', 1), timedOut)).toMatchObject({ paused: false });
    await callbacks.recordAttempt({ ...claimed('a-1', 1), merchantKey: 'another-merchant' }, timedOut);
    expect(await callbacks.claimDue(10, 30_000)).toMatchObject([{ id: 'a-1' }]);
    const other = await insertPayment(database.db, clock);
    const written = await payments.applyTransition({
      paymentId: other.payment.id,
      expectedVersion: 1,
      change: { state: 'pending', unknown: false },
      event: { kind: 'told', data: {} },
      callbacks: [{ id: 'b-1', url, contentType: 'application/json', body: '{}' }],
      claimMs: 30_000,
    });
    expect(written).toMatchObject({ claimed: { id: 'b-1' } });
    expect(await callbacks.resume(url)).toMatchObject({ wasPaused: true });
  });

  it('leaves a later callback its own plan when one before it is replayed', async () => {
    const { callbacks, payment, now } = setUp();
    const { id } = await payment('a', 2);
    await callbacks.claimDue(10, 30_000);
    await callbacks.recordAttempt(claimed('a-1', 1), { error: 'timeout', durationMs: 15_000, next: { state: 'dead' } });
    await callbacks.claimDue(10, 30_000);
    await callbacks.recordAttempt(claimed('a-2', 1), failed(60_000));
    await callbacks.replay({ ids: ['a-1'] });
    await callbacks.claimDue(10, 30_000);
    await callbacks.recordAttempt(claimed('a-1', 2), ok);
    expect((await callbacks.ofPayment(id)).map(({ nextTryAt }) => nextTryAt.getTime() - now().getTime())).toEqual([
      0, 60_000,
    ]);
  });

  it('keeps a row of every attempt', async () => {
    const { callbacks, payment, now } = setUp();
    await payment('a', 1);
    await callbacks.claimDue(10, 30_000);
    await callbacks.recordAttempt(claimed('a-1', 1), failed(0));
    await callbacks.claimDue(10, 30_000);
    await callbacks.recordAttempt(claimed('a-1', 2), ok);
    expect(await callbacks.attemptsOf('a-1')).toEqual([
      { callbackId: 'a-1', attempt: 1, status: 500, error: 'HTTP 500', durationMs: 3, at: now() },
      { callbackId: 'a-1', attempt: 2, status: 200, error: null, durationMs: 12, at: now() },
    ]);
  });

  it('keeps the order of every payment whatever fails', async () => {
    const { callbacks, payment, advance } = setUp();
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 5, maxLength: 15 }), async (script) => {
        round += 1;
        const names = [`r${round}a`, `r${round}b`];
        for (const name of names) await payment(name, 3);
        const delivered: string[] = [];
        for (let step = 0; delivered.length < 6; step += 1) {
          for (const { id, attempts } of await callbacks.claimDue(5, 1000)) {
            const what = step < script.length ? script[step] : 0;
            if (what === 1) await callbacks.recordAttempt(claimed(id, attempts), failed(700));
            if (what === 0 || what === 3) {
              await callbacks.recordAttempt(claimed(id, attempts), ok);
              delivered.push(id);
            }
          }
          advance(500);
        }
        for (const name of names)
          expect(delivered.filter((id) => id.startsWith(name))).toEqual([1, 2, 3].map((n) => `${name}-${n}`));
      }),
      { numRuns: 10 },
    );
  });
});
