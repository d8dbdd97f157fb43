import { describe, expect, it } from 'vitest';
import { callbacksStore, paymentsStore, releaseHolds, runsStore } from '../../src/storage/index.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { insertPayment, MERCHANT_KEY } from '../support/rows.ts';

const database = useDatabase();

describe('what a process that ended was at work on', () => {
  it('is free at once: its runs, and the callbacks that it was sending', async () => {
    const { clock } = testClock();
    const { payment, lease } = await insertPayment(database.db, clock);
    const callback = { id: 'msg_1', url: 'https://shop.example/', contentType: 'text/plain', body: 'x' };
    await paymentsStore(database.db, clock).applyTransition({
      paymentId: payment.id,
      expectedVersion: 1,
      change: { state: 'pending', unknown: false },
      event: { kind: 'outcome', data: {} },
      callbacks: [callback],
    });
    const [runs, callbacks] = [runsStore(database.db, clock), callbacksStore(database.db, clock)];
    expect(await callbacks.claimDue(10, 40_000)).toHaveLength(1);
    expect([await runs.claimAbandoned('next', 60_000, 10), await callbacks.claimDue(10, 40_000)]).toEqual([[], []]);

    await releaseHolds(database.db, clock);
    expect(await runs.claimAbandoned('next', 60_000, 10)).toMatchObject([
      { lease: { runId: lease.runId, owner: 'next', epoch: 2 } },
    ]);
    expect(await callbacks.claimDue(10, 40_000)).toMatchObject([{ id: 'msg_1', attempts: 2 }]);
  });

  it('does not make a callback that waits for its next try come sooner', async () => {
    const { clock } = testClock();
    const { payment } = await insertPayment(database.db, clock);
    const callback = { id: 'msg_2', url: 'https://shop.example/', contentType: 'text/plain', body: 'x' };
    await paymentsStore(database.db, clock).applyTransition({
      paymentId: payment.id,
      expectedVersion: 1,
      change: { state: 'pending', unknown: false },
      event: { kind: 'outcome', data: {} },
      callbacks: [callback],
    });
    const callbacks = callbacksStore(database.db, clock);
    await callbacks.claimDue(10, 40_000);
    await callbacks.recordAttempt(
      { ...callback, attempts: 1, merchantKey: MERCHANT_KEY },
      {
        status: 500,
        durationMs: 3,
        next: { state: 'waiting', retryInMs: 5000 },
      },
    );
    await releaseHolds(database.db, clock);
    expect(await callbacks.claimDue(10, 40_000)).toEqual([]);
  });
});
