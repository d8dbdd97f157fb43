import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { notificationsStore, paymentsStore } from '../../src/storage/index.ts';
import type { NewNotification, Transition, UnappliedEvent } from '../../src/storage/index.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { insertPayment } from '../support/rows.ts';

const database = useDatabase();

const notification = (over: Partial<NewNotification> = {}): NewNotification => ({
  id: randomUUID(),
  connectorId: 'test',
  midId: 'mid-1',
  request: 'POST {"x-signature":"é"}',
  body: new Uint8Array([0, 255, 254, 10, 13]),
  holdMs: 30_000,
  ...over,
});

const event: UnappliedEvent = {
  connectorId: 'test',
  midId: 'mid-1',
  eventId: 'e-1',
  kind: 'payment',
  providerReference: 'tx-1',
  data: { a: 1 },
  state: 'quarantined',
  reason: 'The provider says 1.00 BRL, expected was 10.00 BRL.',
};

describe('provider notifications', () => {
  it('are kept byte for byte, in every field', async () => {
    const { clock, now } = testClock();
    const store = notificationsStore(database.db, clock);
    const sent = notification({ detail: 'It is not as declared at \0\ud800.' });
    await store.keep(sent);
    const kept = await store.find(sent.id);
    expect(kept).toEqual({
      id: sent.id,
      connectorId: 'test',
      midId: 'mid-1',
      requestText: sent.request,
      body: kept?.body,
      state: 'received',
      tries: 1,
      nextTryAt: new Date(now().getTime() + 30_000),
      detail: 'It is not as declared at \ufffd\ufffd.',
      receivedAt: now(),
      handledAt: null,
    });
    expect([...(kept?.body ?? [])]).toEqual([0, 255, 254, 10, 13]);
  });

  it.each(['a\0b', 'a\ud800b'])('of the reference %j, which no payment can have, are kept', async (reference) => {
    const store = notificationsStore(database.db, testClock().clock);
    const sent = notification();
    expect(await store.keepAndFind(sent, reference)).toBeUndefined();
    expect(await store.find(sent.id)).toMatchObject({ requestText: sent.request, detail: null });
  });

  it('are taken again when their receiver died, by one at a time, until they have ended', async () => {
    const { clock, advance } = testClock();
    const store = notificationsStore(database.db, clock);
    const sent = notification();
    await store.keep(sent);
    expect(await store.claimDue(10, 60_000)).toEqual([]);
    advance(30_000);
    const claims = await Promise.all([store.claimDue(10, 60_000), store.claimDue(10, 60_000)]);
    expect(claims.flat()).toMatchObject([{ id: sent.id, tries: 2 }]);
    await store.end(sent.id, 'refused', 'The signature does not fit.');
    await store.end(sent.id, 'handled');
    advance(60_000);
    expect(await store.claimDue(10, 60_000)).toEqual([]);
    expect(await store.find(sent.id)).toMatchObject({ state: 'refused', detail: 'The signature does not fit.' });
  });
});

describe('a notification of a reference that several accounts have', () => {
  it('finds the payment of its own connector and MID alone', async () => {
    const { clock } = testClock();
    const [store, payments] = [notificationsStore(database.db, clock), paymentsStore(database.db, clock)];
    const accounts = [
      { connectorId: 'test', midId: 'mid-1' },
      { connectorId: 'test', midId: 'mid-2' },
      { connectorId: 'other', midId: 'mid-1' },
    ] as const;
    const ids = [];
    for (const account of accounts) {
      const { payment } = await insertPayment(database.db, clock, account);
      await payments.applyTransition({
        paymentId: payment.id,
        expectedVersion: 1,
        change: { state: 'pending', unknown: false },
        event: { kind: 'pending', data: {} },
        references: [{ providerReference: 'tx-1' }],
      });
      ids.push(payment.id);
    }
    const found = await Promise.all(accounts.map((account) => store.keepAndFind(notification(account), 'tx-1')));
    expect(found.map((each) => each?.payment.id)).toEqual(ids);
    expect(await store.keepAndFind(notification({ midId: 'mid-3' }), 'tx-1')).toBeUndefined();
  });
});

describe('events that change nothing', () => {
  it('are written down once', async () => {
    const store = notificationsStore(database.db, testClock().clock);
    expect(await store.recordUnapplied(event)).toBe(true);
    expect(await store.recordUnapplied({ ...event, state: 'ignored' })).toBe(false);
    expect(await store.findEvent('test', 'mid-1', 'e-1')).toMatchObject({
      state: 'quarantined',
      paymentId: null,
      dataText: '{"a":1}',
    });
  });

  it('may be decided later if no payment matched them at first', async () => {
    const { clock } = testClock();
    const store = notificationsStore(database.db, clock);
    const { payment } = await insertPayment(database.db, clock);
    const unmatched = { ...event, state: 'unmatched', reason: 'No payment has this reference.' } as const;
    expect(await store.recordUnapplied(unmatched)).toBe(true);
    expect(await store.recordUnapplied(unmatched)).toBe(false);
    const transition: Transition = {
      paymentId: payment.id,
      expectedVersion: 1,
      change: { state: 'settled', unknown: false },
      event: { kind: 'settled', data: {} },
      providerEvent: {
        eventId: event.eventId,
        kind: event.kind,
        providerReference: event.providerReference,
        data: event.data,
      },
    };
    const payments = paymentsStore(database.db, clock);
    expect(await payments.applyTransition(transition)).toMatchObject({ result: 'applied' });
    expect(await payments.applyTransition({ ...transition, expectedVersion: 2 })).toEqual({ result: 'seen' });
    expect(await store.findEvent('test', 'mid-1', 'e-1')).toMatchObject({
      state: 'applied',
      paymentId: payment.id,
      reason: null,
    });
    await store.recordUnapplied({ ...unmatched, eventId: 'e-2' });
    expect(await store.recordUnapplied({ ...event, eventId: 'e-2' })).toBe(true);
    expect(await store.findEvent('test', 'mid-1', 'e-2')).toMatchObject({ state: 'quarantined' });
  });

  it('of another MID are others', async () => {
    const store = notificationsStore(database.db, testClock().clock);
    await store.recordUnapplied(event);
    expect(await store.recordUnapplied({ ...event, midId: 'mid-2' })).toBe(true);
  });
});
