import { describe, expect, it } from 'vitest';
import { type NewPayment, paymentsStore, runsStore, sessionsStore, type Transition } from '../../src/storage/index.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { insertPayment, newPayment } from '../support/rows.ts';

const database = useDatabase();

async function setUp() {
  const { clock, advance } = testClock();
  const { payment, lease } = await insertPayment(database.db, clock);
  const { db } = database;
  const stores = { sessions: sessionsStore(db, clock), payments: paymentsStore(db, clock), runs: runsStore(db, clock) };
  const next = (): NewPayment => newPayment(payment.sessionId ?? '', { midId: 'mid-2', follows: payment });
  const declined = (failover: NewPayment): Transition => ({
    paymentId: payment.id,
    expectedVersion: 1,
    change: { state: 'declined', unknown: false, declineKind: 'soft' },
    event: { kind: 'outcome', data: { cascadedTo: failover.id } },
    run: { lease, next: { state: 'finished', outcome: { status: 'declined' } } },
    failover,
  });
  const attempts = async () => stores.payments.ofSession(payment.sessionId ?? '');
  return { ...stores, payment, lease, advance, next, declined, attempts };
}

describe('a decline with which the next payment begins', () => {
  it('is written with it: the same try of the payer, a run of its own, and the one that the payer sees', async () => {
    const { payments, runs, payment, next, declined, attempts } = await setUp();
    const written = await payments.applyTransition(declined(next()));
    expect(written).toMatchObject({
      result: 'applied',
      payment: { state: 'declined' },
      started: { payment: { state: 'created', attempt: 2, payerTry: 1, midId: 'mid-2' } },
    });
    const [second] = await attempts();
    expect((await payments.ofSession(payment.sessionId ?? ''))[0]).toEqual(second);
    expect((await payments.ofTry(payment)).map(({ midId }) => midId)).toEqual(['mid-2', 'mid-1']);
    expect((await runs.ofPayment(second?.id ?? '')).map(({ state }) => state)).toEqual(['running']);
    expect(await payments.eventsOf(second?.id ?? '')).toMatchObject([
      { kind: 'created', dataText: JSON.stringify({ follows: payment.id }) },
    ]);
  });

  it('counts as one try: the next of the payer is the second', async () => {
    const { payments, payment, next, declined } = await setUp();
    const follower = next();
    await payments.applyTransition(declined(follower));
    const change = { state: 'declined', unknown: false } as const;
    await payments.applyTransition({
      paymentId: follower.id,
      expectedVersion: 1,
      change,
      event: { kind: 'outcome', data: {} },
    });
    const again = await payments.insert(newPayment(payment.sessionId ?? ''));
    expect(again?.payment).toMatchObject({ attempt: 3, payerTry: 2 });
    expect(await payments.ofTry(again?.payment ?? expect.fail())).toHaveLength(1);
  });

  it.each(['is over', 'has ended'])('is not written where the session %s: nothing is', async (how) => {
    const { payments, runs, sessions, payment, lease, next, declined, attempts, advance } = await setUp();
    if (how === 'is over') advance(3_600_000);
    else await sessions.close(payment.sessionId ?? '', 'completed');
    expect(await payments.applyTransition(declined(next()))).toEqual({ result: 'not-inserted' });
    expect(await attempts()).toMatchObject([{ state: 'created', version: 1 }]);
    expect((await runs.find(lease.runId))?.state).toBe('running');
  });

  it('begins one payment of 20 at once', async () => {
    const { payments, next, declined, attempts } = await setUp();
    const written = await Promise.all(Array.from({ length: 20 }, () => payments.applyTransition(declined(next()))));
    expect(written.filter(({ result }) => result === 'applied')).toHaveLength(1);
    expect(await attempts()).toHaveLength(2);
  });

  it('leaves no moment in which the payer could begin another payment', async () => {
    const { payments, payment, next, declined, attempts } = await setUp();
    const [, ...started] = await Promise.all([
      payments.applyTransition(declined(next())),
      ...Array.from({ length: 20 }, () => payments.insert(newPayment(payment.sessionId ?? ''))),
    ]);
    expect(started.filter((each) => each !== undefined)).toEqual([]);
    expect(await attempts()).toHaveLength(2);
  });
});
