import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  callbacksStore,
  modificationsStore,
  notificationsStore,
  paymentsStore,
  runsStore,
  sessionsStore,
} from '../../src/storage/index.ts';
import type { Transition } from '../../src/storage/index.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { insertPayment, newPayment, newSession } from '../support/rows.ts';

const database = useDatabase();

function setUp() {
  const time = testClock();
  return {
    ...time,
    sessions: sessionsStore(database.db, time.clock),
    payments: paymentsStore(database.db, time.clock),
  };
}

const toPending = (paymentId: string, expectedVersion: number, more: Partial<Transition> = {}): Transition => ({
  paymentId,
  expectedVersion,
  change: { state: 'pending', unknown: false },
  event: { kind: 'pending', data: {} },
  ...more,
});

describe('beginning a payment', () => {
  it('stores the payment, its first event and the run of its operation', async () => {
    const { clock, now, payments } = setUp();
    const { payment, lease, run } = await insertPayment(database.db, clock);
    expect(payment).toMatchObject({
      state: 'created',
      unknown: false,
      version: 1,
      attempt: 1,
      amountText: '10.00',
      amountMinor: 1000n,
      facts: {},
      agreement: {},
      connectorState: {},
    });
    expect(payment).toMatchObject({ received: null, show: null, refundedMinor: 0n });
    expect(await payments.find(payment.id)).toEqual(payment);
    expect(await payments.eventsOf(payment.id)).toMatchObject([
      { version: 1, kind: 'created', fromState: null, toState: 'created' },
    ]);
    expect(run.startedAt).toEqual(now());
    expect(await runsStore(database.db, clock).ofPayment(payment.id)).toMatchObject([
      {
        runId: lease.runId,
        purpose: 'purchase',
        state: 'running',
        leaseEpoch: lease.epoch,
        inputText: '{"flow":"purchase"}',
      },
    ]);
  });

  it('begins one of 20 attempts at once', async () => {
    const { sessions, payments } = setUp();
    const session = newSession();
    await sessions.create(session);
    const started = await Promise.all(Array.from({ length: 20 }, () => payments.insert(newPayment(session.id))));
    expect(started.filter((each) => each !== undefined)).toHaveLength(1);
    expect(await payments.ofSession(session.id)).toHaveLength(1);
  });

  it('begins another attempt after a decline, and none after money came', async () => {
    const { sessions, payments } = setUp();
    const session = newSession();
    await sessions.create(session);
    const first = await payments.insert(newPayment(session.id));
    await payments.applyTransition(
      toPending(first?.payment.id ?? '', 1, { change: { state: 'declined', unknown: false } }),
    );
    const second = await payments.insert(newPayment(session.id));
    expect(second?.payment.attempt).toBe(2);
    await payments.applyTransition(
      toPending(second?.payment.id ?? '', 1, { change: { state: 'settled', unknown: false } }),
    );
    expect(await payments.insert(newPayment(session.id))).toBeUndefined();
  });

  it('refuses a session that is past its time or has ended', async () => {
    const { sessions, payments, advance } = setUp();
    const ended = newSession();
    const late = newSession({ lifetimeMinutes: 1 });
    await sessions.create(ended);
    await sessions.create(late);
    await sessions.close(ended.id, 'cancelled');
    advance(60_000);
    expect(await payments.insert(newPayment(ended.id))).toBeUndefined();
    expect(await payments.insert(newPayment(late.id))).toBeUndefined();
  });

  it('keeps an amount that the payer chooses, and minor units beyond 64 bits', async () => {
    const { clock } = setUp();
    const open = await insertPayment(database.db, clock, { amount: { open: true, text: null, currency: 'USDT' } });
    expect(open.payment).toMatchObject({ amountOpen: true, amountMinor: null, amountText: null });
    const minor = 12345678901234567890123456n;
    const large = await insertPayment(database.db, clock, {
      amount: { open: false, text: '12345678.901234567890123456', minor, currency: 'ETH' },
    });
    expect(large.payment.amountMinor).toBe(minor);
  });
});

describe('a transition', () => {
  it('changes payment, history, references, callbacks and session together', async () => {
    const { clock, now, advance, payments, sessions } = setUp();
    const { payment } = await insertPayment(database.db, clock);
    advance(1000);
    const result = await payments.applyTransition({
      paymentId: payment.id,
      expectedVersion: 1,
      change: {
        state: 'settled',
        unknown: false,
        received: { text: '10.00', minor: 1000n, currency: 'BRL' },
        decidedBy: 'tx-1',
        providerReference: 'tx-1',
        provider: { status: 'PAID' },
        show: { kind: 'qr', content: 'x' },
        connectorState: { end_to_end: 'e1' },
        pollInMs: 5000,
      },
      event: { kind: 'settled', data: { via: 'notification' } },
      references: [{ providerReference: 'tx-1' }, { providerReference: 'tx-0', watched: false }],
      callbacks: [
        {
          id: 'evt-1',
          url: 'https://shop.example/callback',
          contentType: 'application/x-www-form-urlencoded',
          body: 'a=1&b=%22',
        },
      ],
      closeSession: 'completed',
    });
    expect(result).toMatchObject({
      result: 'applied',
      payment: {
        version: 2,
        state: 'settled',
        received: { text: '10.00', minor: 1000n, currency: 'BRL' },
        decidedBy: 'tx-1',
        providerStatus: 'PAID',
        show: { kind: 'qr', content: 'x' },
        connectorState: { end_to_end: 'e1' },
        pollAt: new Date(now().getTime() + 5000),
        updatedAt: now(),
      },
    });
    expect(await payments.eventsOf(payment.id)).toMatchObject([
      {},
      { version: 2, fromState: 'created', toState: 'settled', dataText: '{"via":"notification"}' },
    ]);
    expect(await payments.referencesOf(payment.id)).toMatchObject([
      { providerReference: 'tx-0', watched: false },
      { providerReference: 'tx-1', watched: true },
    ]);
    expect((await payments.findByProviderReference('test', 'mid-1', 'tx-0'))?.id).toBe(payment.id);
    expect(await payments.findByProviderReference('test', 'mid-2', 'tx-0')).toBeUndefined();
    expect(await callbacksStore(database.db, clock).ofPayment(payment.id)).toMatchObject([
      { id: 'evt-1', seq: 1, body: 'a=1&b=%22', state: 'waiting' },
    ]);
    expect(await sessions.find(payment.sessionId ?? '')).toMatchObject({ state: 'completed' });
  });

  it('leaves out what it does not name', async () => {
    const { clock, payments } = setUp();
    const { payment } = await insertPayment(database.db, clock);
    await payments.applyTransition(
      toPending(payment.id, 1, { change: { state: 'pending', unknown: true, reason: 'timeout', show: { kind: 'x' } } }),
    );
    await payments.applyTransition(
      toPending(payment.id, 2, { change: { state: 'pending', unknown: false, show: null } }),
    );
    expect(await payments.find(payment.id)).toMatchObject({
      reason: 'timeout',
      show: null,
      unknown: false,
      version: 3,
    });
  });

  it('does nothing at all on a version that is no longer the newest', async () => {
    const { clock, payments } = setUp();
    const { payment } = await insertPayment(database.db, clock);
    await payments.applyTransition(toPending(payment.id, 1));
    const stale = toPending(payment.id, 1, {
      references: [{ providerReference: 'tx-1' }],
      callbacks: [{ id: 'evt-1', url: 'https://shop.example/', contentType: 'text/plain', body: 'x' }],
      providerEvent: { eventId: 'e-1', kind: 'payment', providerReference: 'tx-1', data: {} },
      closeSession: 'completed',
    });
    expect(await payments.applyTransition(stale)).toEqual({ result: 'stale' });
    expect(await payments.find(payment.id)).toMatchObject({ version: 2 });
    expect(await payments.referencesOf(payment.id)).toEqual([]);
    expect(await callbacksStore(database.db, clock).ofPayment(payment.id)).toEqual([]);
    expect(await notificationsStore(database.db, clock).findEvent('test', 'mid-1', 'e-1')).toBeUndefined();
  });

  it('is applied once when 20 want it on the same version', async () => {
    const { clock, payments } = setUp();
    const { payment } = await insertPayment(database.db, clock);
    const results = await Promise.all(
      Array.from({ length: 20 }, () => payments.applyTransition(toPending(payment.id, 1))),
    );
    expect(results.filter(({ result }) => result === 'applied')).toHaveLength(1);
    expect(results.filter(({ result }) => result === 'stale')).toHaveLength(19);
    expect(await payments.eventsOf(payment.id)).toHaveLength(2);
  });

  it('happens once per event of the provider', async () => {
    const { clock, payments } = setUp();
    const { payment } = await insertPayment(database.db, clock);
    const providerEvent = {
      eventId: 'e-1',
      kind: 'payment',
      providerReference: 'tx-1',
      amountText: '10.00',
      currency: 'BRL',
      data: { a: 1 },
    };
    expect(await payments.applyTransition(toPending(payment.id, 1, { providerEvent }))).toMatchObject({
      result: 'applied',
    });
    expect(await payments.applyTransition(toPending(payment.id, 2, { providerEvent }))).toEqual({ result: 'seen' });
    expect(await payments.find(payment.id)).toMatchObject({ version: 2 });
    expect(await notificationsStore(database.db, clock).findEvent('test', 'mid-1', 'e-1')).toMatchObject({
      state: 'applied',
      paymentId: payment.id,
    });
  });

  it('ends the run that caused it, and does nothing if the run is lost', async () => {
    const { clock, payments } = setUp();
    const runs = runsStore(database.db, clock);
    const { payment, lease } = await insertPayment(database.db, clock);
    await runs.abandon((await runs.held()).filter(({ runId }) => runId === lease.runId));
    const [claimed] = await runs.claimAbandoned('process-2', 1000, 1);
    const next = { state: 'finished', outcome: { status: 'pending' } } as const;
    expect(await payments.applyTransition(toPending(payment.id, 1, { run: { lease, next } }))).toEqual({
      result: 'run-lost',
    });
    expect(await payments.find(payment.id)).toMatchObject({ version: 1 });
    const ours = claimed?.lease ?? lease;
    expect(await payments.applyTransition(toPending(payment.id, 1, { run: { lease: ours, next } }))).toMatchObject({
      result: 'applied',
    });
    expect(await runs.find(lease.runId)).toMatchObject({
      state: 'finished',
      outcomeText: '{"status":"pending"}',
      leaseUntil: null,
    });
    expect(await payments.applyTransition(toPending(payment.id, 2, { run: { lease: ours, next } }))).toEqual({
      result: 'run-lost',
    });
  });

  it('suspends the run together with the change', async () => {
    const { clock, payments } = setUp();
    const { payment, lease } = await insertPayment(database.db, clock);
    await payments.applyTransition(
      toPending(payment.id, 1, { run: { lease, next: { state: 'suspended', step: 'visit', asks: { url: 'x' } } } }),
    );
    expect(await runsStore(database.db, clock).find(lease.runId)).toMatchObject({
      state: 'suspended',
      suspendedStep: 'visit',
      suspendedText: '{"url":"x"}',
    });
  });

  it('ends a run that waits for the payer when the payment is decided without them', async () => {
    const { clock, now, payments } = setUp();
    const { payment, lease } = await insertPayment(database.db, clock);
    const runs = runsStore(database.db, clock);
    const next = { state: 'suspended', step: 'visit', asks: { url: 'x' } } as const;
    await payments.applyTransition(toPending(payment.id, 1, { run: { lease, next } }));
    // A code that is shown, or news that it is still pending, leaves the payer time to come back.
    await payments.applyTransition(toPending(payment.id, 2));
    expect(await runs.find(lease.runId)).toMatchObject({ state: 'suspended', leaseEpoch: 1 });
    await payments.applyTransition(toPending(payment.id, 3, { change: { state: 'declined', unknown: false } }));
    expect(await runs.find(lease.runId)).toMatchObject({
      state: 'finished',
      outcomeText: '{"status":"overtaken"}',
      finishedAt: now(),
      suspendedStep: null,
      suspendedText: null,
      // Pages compare it: the end of the wait alone would make up for the payment's new version.
      leaseEpoch: 2,
    });
  });

  it('refuses a reference of another payment, and takes its own again', async () => {
    const { clock, payments } = setUp();
    const first = await insertPayment(database.db, clock);
    const second = await insertPayment(database.db, clock);
    const references = [{ providerReference: 'tx-1' }];
    await payments.applyTransition(toPending(first.payment.id, 1, { references }));
    expect(await payments.applyTransition(toPending(first.payment.id, 2, { references }))).toMatchObject({
      result: 'applied',
    });
    expect(await payments.applyTransition(toPending(second.payment.id, 1, { references }))).toEqual({
      result: 'foreign-reference',
    });
    expect(await payments.find(second.payment.id)).toMatchObject({ version: 1, state: 'created' });
  });

  it.each([
    { name: 'refunded above received', change: { refundedMinor: 1n } },
    { name: 'captured above authorized', change: { authorizedMinor: 5n, capturedMinor: 6n } },
    { name: 'negative', change: { authorizedMinor: -1n } },
  ])('refuses sums that cannot be: $name', async ({ change }) => {
    const { clock, payments } = setUp();
    const { payment } = await insertPayment(database.db, clock);
    await expect(
      payments.applyTransition(toPending(payment.id, 1, { change: { state: 'settled', unknown: false, ...change } })),
    ).rejects.toThrow(/check constraint/);
    expect(await payments.eventsOf(payment.id)).toHaveLength(1);
  });

  it('completes a session that had expired, when the money comes late', async () => {
    const { clock, payments, sessions } = setUp();
    const { payment } = await insertPayment(database.db, clock);
    await sessions.close(payment.sessionId ?? '', 'expired');
    await payments.applyTransition(
      toPending(payment.id, 1, { change: { state: 'settled', unknown: false }, closeSession: 'completed' }),
    );
    expect(await sessions.find(payment.sessionId ?? '')).toMatchObject({ state: 'completed' });
    await payments.applyTransition(
      toPending(payment.id, 2, { change: { state: 'settled', unknown: false }, closeSession: 'cancelled' }),
    );
    expect(await sessions.find(payment.sessionId ?? '')).toMatchObject({ state: 'completed' });
  });
});

describe('the history of a payment', () => {
  it.each(['UPDATE payment_events SET kind = kind', 'DELETE FROM payment_events', 'TRUNCATE payment_events'])(
    'refuses %s',
    async (statement) => {
      const { clock } = setUp();
      await insertPayment(database.db, clock);
      await expect(sql.raw(statement).execute(database.db)).rejects.toThrow(/only ever added/);
      expect(await database.db.selectFrom('paymentEvents').select('kind').execute()).toHaveLength(1);
    },
  );

  it('knows no state outside the vocabulary', async () => {
    const { clock } = setUp();
    await insertPayment(database.db, clock);
    await expect(sql.raw(`UPDATE payments SET state = 'paid'`).execute(database.db)).rejects.toThrow(
      /does not become paid/,
    );
  });
});

describe('finding payments', () => {
  it('shows a merchant only his own', async () => {
    const { clock, payments } = setUp();
    const { payment } = await insertPayment(database.db, clock);
    expect(await payments.findOfMerchant({ merchantKey: payment.merchantKey, test: false }, payment.id)).toEqual(
      payment,
    );
    expect(await payments.findOfMerchant({ merchantKey: payment.merchantKey, test: true }, payment.id)).toBeUndefined();
    expect(await payments.findOfMerchant({ merchantKey: 'another', test: false }, payment.id)).toBeUndefined();
    expect(
      await payments.findOfMerchant({ merchantKey: payment.merchantKey, test: false }, randomUUID()),
    ).toBeUndefined();
  });

  it('finds a payment by our own reference, within its MID', async () => {
    const { clock, payments } = setUp();
    const { payment } = await insertPayment(database.db, clock, { payerIp: '192.0.2.1' });
    expect(await payments.findByMerchantReference('mid-1', payment.merchantReference)).toMatchObject({
      id: payment.id,
      payerIp: '192.0.2.1',
    });
    expect(await payments.findByMerchantReference('mid-2', payment.merchantReference)).toBeUndefined();
  });

  it('lists the payments of an order, newest first', async () => {
    const { advance, payments, sessions } = setUp();
    const ids: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const session = newSession({ orderNumber: 'order-1' });
      await sessions.create(session);
      ids.unshift((await payments.insert(newPayment(session.id)))?.payment.id ?? '');
      advance(15_000);
    }
    const found = await payments.ofOrder({ merchantKey: newSession().merchantKey, test: false }, 'order-1', 2);
    expect(found.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  });

  it('gives a payment that is due for a lookup to one caller until it is due again', async () => {
    const { clock, advance, payments } = setUp();
    const { payment, lease } = await insertPayment(database.db, clock);
    // Nobody asks about a payment whose run is under way.
    await runsStore(database.db, clock).finish(lease, {});
    await payments.schedulePoll(payment.id, 5000);
    expect(await payments.claimDuePolls(10, 60_000)).toEqual([]);
    advance(5000);
    const claims = await Promise.all([payments.claimDuePolls(10, 60_000), payments.claimDuePolls(10, 60_000)]);
    expect(claims.flat()).toMatchObject([{ id: payment.id, polls: 1, version: 1 }]);
    advance(60_000);
    expect(await payments.claimDuePolls(10, 60_000)).toMatchObject([{ polls: 2 }]);
    await payments.schedulePoll(payment.id, null);
    advance(60_000);
    expect(await payments.claimDuePolls(10, 60_000)).toEqual([]);
  });

  it('has a payment looked up within a second of a hint, and leaves a busy MID to later', async () => {
    const { clock, advance, payments } = setUp();
    const { payment, lease } = await insertPayment(database.db, clock);
    // Nobody asks about a payment whose run is under way.
    await runsStore(database.db, clock).finish(lease, {});
    await payments.schedulePoll(payment.id, 3_600_000);
    await payments.pollSoon(payment.id);
    advance(999);
    await payments.pollSoon(payment.id);
    expect(await payments.claimDuePolls(10, 60_000)).toEqual([]);
    advance(1);
    expect(await payments.claimDuePolls(10, 60_000, [payment.midId])).toEqual([]);
    expect(await payments.claimDuePolls(10, 60_000)).toMatchObject([{ id: payment.id }]);
  });

  it('has a payment looked up by a hint of its own connector and MID alone', async () => {
    const { clock, now, payments } = setUp();
    const ids: Record<string, string> = {};
    for (const [midId, connectorId] of [
      ['mid-1', 'test'],
      ['mid-2', 'test'],
      ['mid-1', 'other'],
    ] as const) {
      const { payment, lease } = await insertPayment(database.db, clock, { midId, connectorId });
      await runsStore(database.db, clock).finish(lease, {});
      await payments.applyTransition(toPending(payment.id, 1, { references: [{ providerReference: 'tx-1' }] }));
      await payments.schedulePoll(payment.id, 3_600_000);
      ids[`${connectorId} ${midId}`] = payment.id;
    }
    const named = { connectorId: 'test', midId: 'mid-1', providerReference: 'tx-1' };
    expect(await payments.pollNamedSoon({ ...named, midId: 'mid-3' })).toEqual({
      ofOpenPayment: false,
      ofModifications: false,
    });
    const before = await pollsOf(ids);
    expect(await payments.pollNamedSoon(named)).toEqual({ ofOpenPayment: true, ofModifications: false });
    expect(await pollsOf(ids)).toEqual({ ...before, 'test mid-1': 1000 });

    async function pollsOf(all: Readonly<Record<string, string>>): Promise<Record<string, number | undefined>> {
      const found: Record<string, number | undefined> = {};
      for (const [name, id] of Object.entries(all)) {
        const at = (await payments.find(id))?.pollAt;
        found[name] = at ? at.getTime() - now().getTime() : undefined;
      }
      return found;
    }
  });

  it.each(['pollNamedSoon', 'pollSoon'] as const)(
    'has what is under way of an open payment looked up with it, and nothing that has ended: %s',
    async (way) => {
      const { clock, now, payments } = setUp();
      const { payment, lease } = await insertPayment(database.db, clock);
      await runsStore(database.db, clock).finish(lease, {});
      await payments.applyTransition(toPending(payment.id, 1, { references: [{ providerReference: 'tx-1' }] }));
      const ids: string[] = [];
      for (const [states, wait] of [
        [['pending'], null],
        [['unknown'], 3_600_000],
        [[], 500],
        [['pending', 'failed'], null],
      ] as const) {
        const id = randomUUID();
        ids.push(id);
        const next = wait === null ? null : new Date(now().getTime() + wait);
        await sql`INSERT INTO modifications (id, payment_id, mid_id, kind, amount_text, amount_minor, currency, state, poll_at, created_at, updated_at)
          VALUES (${id}::uuid, ${payment.id}::uuid, 'mid-1', 'refund', '1.00', 100, 'BRL', 'requested', ${next}, now(), now())`.execute(
          database.db,
        );
        for (const state of states)
          await sql`UPDATE modifications SET state = ${state} WHERE id = ${id}::uuid`.execute(database.db);
      }
      if (way === 'pollSoon') await payments.pollSoon(payment.id);
      else
        expect(
          await payments.pollNamedSoon({ connectorId: 'test', midId: 'mid-1', providerReference: 'tx-1' }),
        ).toEqual({ ofOpenPayment: true, ofModifications: true });
      const planned = await Promise.all(ids.map((id) => modificationsStore(database.db, clock).find(id)));
      const waits = planned.map((each) => each?.pollAt && each.pollAt.getTime() - now().getTime());
      expect(waits).toEqual([1000, 1000, 500, null]);
    },
  );

  it('has an ended payment looked up once more after a hint that came during its lookup', async () => {
    const { clock, advance, payments } = setUp();
    const { payment, lease } = await insertPayment(database.db, clock);
    await runsStore(database.db, clock).finish(lease, {});
    const pending = toPending(payment.id, 1);
    const change = { ...pending.change, state: 'settled' as const, unknown: false, pollInMs: null };
    await payments.applyTransition({ ...pending, change });
    const lookUp = async (meanwhile: () => Promise<void>) => {
      advance(1000);
      const [claimed] = await payments.claimDuePolls(10, 60_000);
      await meanwhile();
      await payments.endPolls(payment.id, claimed?.pollAt ?? null);
      return claimed?.id;
    };
    await payments.pollSoon(payment.id);
    expect(await lookUp(() => payments.pollSoon(payment.id))).toBe(payment.id);
    expect(await lookUp(() => Promise.resolve())).toBe(payment.id);
    expect(await lookUp(() => Promise.resolve())).toBeUndefined();
  });

  it('a hint about an ended payment whose lookup is planned costs nothing, also far ahead; at the day’s number one during a lookup leads to the next day', async () => {
    const { clock, advance, now, payments } = setUp();
    const ended = async () => {
      const { payment, lease } = await insertPayment(database.db, clock);
      await runsStore(database.db, clock).finish(lease, {});
      const pending = toPending(payment.id, 1);
      await payments.applyTransition({ ...pending, change: { ...pending.change, state: 'settled', pollInMs: null } });
      return payment.id;
    };
    const read = async (id: string) => (await payments.find(id)) ?? expect.fail();
    const waiting = [];
    for (let each = 0; each < 45; each += 1) {
      const id = await ended();
      await payments.pollSoon(id);
      waiting.push(id);
    }
    const [first = '', last = ''] = [waiting[0], waiting.at(-1)];
    const planned = await read(last);
    expect((planned.pollAt?.getTime() ?? 0) - now().getTime()).toBe(45_000);
    for (let each = 0; each < 30; each += 1) await payments.pollSoon(last);
    expect(await read(last)).toMatchObject({ pollAt: planned.pollAt, hints: 1 });
    // Its place is behind all others, and the queue ends before it.
    await database.db.updateTable('payments').where('id', '!=', last).set({ pollAt: null }).execute();
    for (let each = 0; each < 30; each += 1) await payments.pollSoon(last);
    expect((await read(last)).hints).toBe(1);

    await payments.pollSoon(first);
    await database.db.updateTable('payments').where('id', '=', first).set({ hints: 24 }).execute();
    advance(60_000);
    const claimed = (await payments.claimDuePolls(10, 60_000)).find(({ id }) => id === first) ?? expect.fail();
    for (let each = 0; each < 3; each += 1) await payments.pollSoon(first);
    await payments.endPolls(first, claimed.pollAt);
    expect(((await read(first)).pollAt?.getTime() ?? 0) - now().getTime()).toBeGreaterThan(23 * 3_600_000);
    advance(24 * 3_600_000);
    expect((await payments.claimDuePolls(10, 60_000)).map(({ id }) => id)).toContain(first);
  });

  it('a hint beyond the day’s number leaves a planned lookup at its time', async () => {
    const { clock, payments } = setUp();
    const { payment } = await insertPayment(database.db, clock);
    const pending = toPending(payment.id, 1);
    await payments.applyTransition({ ...pending, change: { ...pending.change, state: 'settled', pollInMs: null } });
    await payments.pollSoon(payment.id);
    const soon = (await payments.find(payment.id))?.pollAt?.getTime() ?? expect.fail();
    // Many ended payments of the account wait before it.
    const planned = new Date(soon + 40_000);
    await database.db
      .updateTable('payments')
      .where('id', '=', payment.id)
      .set({ pollAt: planned, hintPollAt: planned, hints: 24 })
      .execute();
    await payments.pollSoon(payment.id);
    expect((await payments.find(payment.id))?.pollAt).toEqual(planned);
  });

  it('a lookup that waits for the next day does not delay the hints about other payments', async () => {
    const { clock, advance, payments } = setUp();
    const ended = async () => {
      const { payment } = await insertPayment(database.db, clock);
      const pending = toPending(payment.id, 1);
      await payments.applyTransition({ ...pending, change: { ...pending.change, state: 'settled', pollInMs: null } });
      return payment.id;
    };
    const [much, other] = [await ended(), await ended()];
    await payments.pollSoon(much);
    await database.db.updateTable('payments').where('id', '=', much).set({ pollAt: null, hints: 24 }).execute();
    await payments.pollSoon(much);
    advance(13 * 3_600_000);
    await payments.pollSoon(other);
    const next = (await payments.find(much))?.pollAt?.getTime() ?? 0;
    const soon = (await payments.find(other))?.pollAt?.getTime() ?? 0;
    expect(next - soon).toBeGreaterThan(10 * 3_600_000);
  });

  it('looks an ended payment up again whose answer was incomplete, without a delay of the hints about others', async () => {
    const { clock, now, payments } = setUp();
    const ended = async () => {
      const { payment } = await insertPayment(database.db, clock);
      const pending = toPending(payment.id, 1);
      await payments.applyTransition({ ...pending, change: { ...pending.change, state: 'settled', pollInMs: null } });
      return payment.id;
    };
    const [id, other] = [await ended(), await ended()];
    const waitOf = async (each: string) => {
      const planned = (await payments.find(each))?.pollAt;
      return planned ? planned.getTime() - now().getTime() : planned;
    };
    await payments.pollAgain(id, null, 3_600_000);
    expect(await waitOf(id)).toBe(3_600_000);
    await payments.pollSoon(other);
    expect(await waitOf(other)).toBe(1000);
    // A hint has it looked up sooner, and what an older lookup plans does not put that off.
    await payments.pollSoon(id);
    const hinted = await waitOf(id);
    expect(hinted).toBeLessThan(60_000);
    await payments.pollAgain(id, new Date(now().getTime() - 1000), 3_600_000);
    expect(await waitOf(id)).toBe(hinted);
  });

  it('never looks up by itself what has been decided', async () => {
    const { clock, advance, payments } = setUp();
    const { payment } = await insertPayment(database.db, clock);
    const pending = toPending(payment.id, 1);
    const change = { ...pending.change, state: 'settled' as const, unknown: false, pollInMs: null };
    expect(await payments.applyTransition({ ...pending, change })).toMatchObject({ result: 'applied' });
    await payments.schedulePoll(payment.id, 0);
    await payments.pollSoon(payment.id);
    advance(2000);
    expect(await payments.claimDuePolls(10, 60_000)).toEqual([]);
  });
});
