import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { storesOf, type Transition } from '../../src/storage/index.ts';
import * as fc from '../../../../test/support/properties.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { insertPayment, newPayment, newSession } from '../support/rows.ts';

const database = useDatabase();

function setUp() {
  const time = testClock();
  const stores = storesOf(database.db, time.clock);
  const payments = async (count: number) =>
    Promise.all(Array.from({ length: count }, () => insertPayment(database.db, time.clock)));
  return { ...time, stores, payments };
}

type Started = Awaited<ReturnType<typeof insertPayment>>;

/** Changes of one kind each, which share statements with those of the same kind. */
const CHANGES: Readonly<Record<string, (started: Started) => Omit<Transition, 'paymentId' | 'expectedVersion'>>> = {
  waits: ({ lease }) => ({
    change: {
      state: 'pending',
      unknown: false,
      providerReference: `tx-${lease.runId}`,
      pollInMs: 1000,
      show: { code: lease.runId },
    },
    event: { kind: 'outcome', data: { run: lease.runId } },
    references: [
      { providerReference: `tx-${lease.runId}` },
      { providerReference: `also-${lease.runId}`, watched: false },
    ],
    callbacks: [callback(`${lease.runId}-1`), callback(`${lease.runId}-2`)],
    run: { lease, next: { state: 'finished', outcome: { run: lease.runId } } },
  }),
  isPaid: ({ payment, lease }) => ({
    change: {
      state: 'settled',
      unknown: false,
      received: { text: '10.00', minor: 1000n, currency: 'BRL' },
      decidedBy: lease.runId,
    },
    event: { kind: 'outcome', data: {} },
    callbacks: [callback(lease.runId)],
    claimMs: 40_000,
    closeSession: 'completed',
    providerEvent: {
      eventId: `paid-${payment.id}`,
      kind: 'paid',
      providerReference: payment.id,
      data: { of: payment.id },
    },
  }),
  isDeclined: ({ lease }) => ({
    change: { state: 'declined', unknown: false, declineKind: 'soft', reason: `No: ${lease.runId}` },
    event: { kind: 'outcome', data: {} },
    run: { lease, next: { state: 'finished', outcome: {} } },
  }),
};

const callback = (id: string) => ({
  id,
  url: 'https://shop.example/callback',
  contentType: 'text/plain',
  body: `body of ${id}`,
});

/** `stale` and `run-lost` are transitions that are refused so. */
function transitionOf(kind: string, started: Started): Transition {
  const change =
    (kind === 'stale' || kind === 'run-lost' ? CHANGES['waits'] : CHANGES[kind])?.(started) ?? expect.fail();
  const { payment, lease } = started;
  const of = { ...change, paymentId: payment.id, expectedVersion: kind === 'stale' ? 7 : 1 };
  return kind !== 'run-lost' || of.run === undefined
    ? of
    : { ...of, run: { ...of.run, lease: { ...lease, epoch: 9 } } };
}

/** All that the database has of a payment, without its ids and times. */
async function everythingOf({ payment, lease }: Started): Promise<unknown> {
  const tables = {
    payments: sql`id = ${payment.id}`,
    payment_events: sql`payment_id = ${payment.id}`,
    payment_references: sql`payment_id = ${payment.id}`,
    provider_events: sql`payment_id = ${payment.id}`,
    callbacks: sql`payment_id = ${payment.id}`,
    flow_runs: sql`payment_id = ${payment.id}`,
    sessions: sql`id = ${payment.sessionId}`,
  };
  const names = {
    payment: payment.id,
    run: lease.runId,
    session: payment.sessionId ?? '',
    reference: payment.merchantReference,
  };
  const nameless = (row: unknown) =>
    Object.entries(names)
      .reduce((text, [name, id]) => text.replaceAll(id, `<${name}>`), JSON.stringify(row))
      .replaceAll(/order-<?[\w-]+>?/g, '<order>')
      .replaceAll(/"tokenHash":"\w+"/g, '"tokenHash":""');
  const found: Record<string, unknown> = {};
  for (const [table, where] of Object.entries(tables)) {
    const { rows } = await sql`SELECT * FROM ${sql.table(table)} WHERE ${where}`.execute(database.db);
    found[table] = rows.map(nameless).toSorted();
  }
  return found;
}

describe('changes of several payments at the same moment', () => {
  it('leave of each what it leaves by itself, however they are mixed', async () => {
    const kinds = fc.array(fc.constantFrom('waits', 'isPaid', 'isDeclined', 'stale', 'run-lost'), {
      minLength: 2,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(kinds, async (mixed) => {
        const { stores, payments } = setUp();
        const started = await payments(mixed.length);
        const applied = await Promise.all(
          started.map((each, index) => stores.payments.applyTransition(transitionOf(mixed[index] ?? '', each))),
        );
        const refused = (kind: string) => kind === 'stale' || kind === 'run-lost';
        expect(applied.map(({ result }) => result)).toEqual(mixed.map((kind) => (refused(kind) ? kind : 'applied')));
        for (const [index, kind] of mixed.entries()) {
          const [one] = await payments(1);
          const each = started[index];
          if (one === undefined || each === undefined) throw new Error('There are as many.');
          if (!refused(kind)) await stores.payments.applyTransition(transitionOf(kind, one));
          expect(await everythingOf(each)).toEqual(await everythingOf(one));
        }
      }),
      { numRuns: 6 },
    );
  });

  it('fail each by itself where one of them breaks a rule of the table', async () => {
    const { stores, payments } = setUp();
    const started = await payments(8);
    const results = await Promise.allSettled(
      started.map(({ payment }, index) =>
        stores.payments.applyTransition({
          paymentId: payment.id,
          expectedVersion: 1,
          change: { state: 'pending', unknown: false, refundedMinor: index === 3 ? 1n : 0n },
          event: { kind: 'outcome', data: {} },
        }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(
      started.map((_, index) => (index === 3 ? 'rejected' : 'fulfilled')),
    );
    expect(
      (await stores.payments.findAll(started.map(({ payment }) => payment.id))).map(({ state }) => state).toSorted(),
    ).toEqual(['created', ...Array.from({ length: 7 }, () => 'pending')]);
  });

  it('are applied and answered where a change of another kind breaks a rule of the table', async () => {
    const { stores, payments } = setUp();
    const started = await payments(8);
    const results = await Promise.allSettled(
      started.map((each, index) => {
        const { change, ...rest } = transitionOf(index < 4 ? 'isPaid' : 'isDeclined', each);
        return stores.payments.applyTransition({
          ...rest,
          change: { ...change, ...(index >= 4 && { refundedMinor: 1n }) },
        });
      }),
    );
    expect(results.map((each) => (each.status === 'fulfilled' ? each.value.result : each.status))).toEqual([
      ...Array.from({ length: 4 }, () => 'applied'),
      ...Array.from({ length: 4 }, () => 'rejected'),
    ]);
    for (const each of results)
      if (each.status === 'fulfilled') expect(each.value).toMatchObject({ claimed: { attempts: 1, seq: 1 } });
  });

  it('tell a known event from new ones', async () => {
    const { stores, payments } = setUp();
    const started = await payments(6);
    const paid = (each: Started, eventId: string): Transition => {
      const { providerEvent, ...rest } = CHANGES['isPaid']?.(each) ?? expect.fail();
      if (providerEvent === undefined) throw new Error('It has an event.');
      return { ...rest, paymentId: each.payment.id, expectedVersion: 1, providerEvent: { ...providerEvent, eventId } };
    };
    // The third and the fourth have the event of the first: one of the three is applied.
    const ids = ['e-0', 'e-1', 'e-0', 'e-0', 'e-4', 'e-5'];
    const applied = await Promise.all(
      started.map((each, index) => stores.payments.applyTransition(paid(each, ids[index] ?? ''))),
    );
    const results = applied.map(({ result }) => result);
    expect([results[0], results[2], results[3]].toSorted()).toEqual(['applied', 'seen', 'seen']);
    expect([results[1], results[4], results[5]]).toEqual(['applied', 'applied', 'applied']);
  });
});

describe('payments that begin at the same moment', () => {
  it('begin in each session once', async () => {
    const { stores, now } = setUp();
    const sessions = Array.from({ length: 12 }, () => newSession());
    await Promise.all(sessions.map((session) => stores.sessions.create(session)));
    const clicks = sessions.flatMap(({ id }) => [newPayment(id), newPayment(id)]);
    const started = await Promise.all(clicks.map((payment) => stores.payments.insert(payment)));
    const begun = started.filter((each) => each !== undefined);
    expect(new Set(begun.map(({ payment }) => payment.sessionId))).toEqual(new Set(sessions.map(({ id }) => id)));
    expect(begun).toHaveLength(12);
    for (const { payment, run, lease } of begun) {
      expect(run).toMatchObject({ paymentId: payment.id, startedAt: now() });
      expect(await stores.runs.find(lease.runId)).toMatchObject({
        paymentId: payment.id,
        leaseOwner: 'process-1',
        leaseEpoch: 1,
      });
    }
  });
});

describe('payments that begin at the same moment in different ways', () => {
  it('begin where one of another way breaks a rule of the table', async () => {
    const { stores } = setUp();
    const sessions = Array.from({ length: 6 }, () => newSession());
    await Promise.all(sessions.map((session) => stores.sessions.create(session)));
    const results = await Promise.allSettled(
      sessions.map(({ id }, index) => {
        const payment = newPayment(id);
        const waitsAt = { step: 'visit', asks: {} };
        // There is no payment that it follows.
        const mandateCharge = { mandateId: randomUUID(), cardId: null, cardBrand: null };
        return stores.payments.insert(
          index < 3 ? payment : { ...payment, run: { ...payment.run, waitsAt }, mandateCharge },
        );
      }),
    );
    expect(results.map((each) => (each.status === 'fulfilled' ? each.value?.payment.sessionId : each.status))).toEqual([
      ...sessions.slice(0, 3).map(({ id }) => id),
      ...Array.from({ length: 3 }, () => 'rejected'),
    ]);
  });
});

describe('steps that begin at the same moment', () => {
  it('begin where their runs are held, and nowhere else', async () => {
    const { stores, payments } = setUp();
    const started = await payments(10);
    const steps = started.map(({ lease }, index) =>
      stores.journals.of({ ...lease, epoch: index === 4 ? 2 : 1 }).begin(lease.runId, `step-${index}`, 'call'),
    );
    const results = await Promise.allSettled(steps);
    expect(results.map(({ status }) => status)).toEqual(
      started.map((_, index) => (index === 4 ? 'rejected' : 'fulfilled')),
    );
    for (const [index, { lease }] of started.entries())
      expect(await stores.journals.of(lease).load(lease.runId)).toEqual(
        index === 4
          ? []
          : [{ step: `step-${index}`, kind: 'call', state: 'begun', sends: 1, begunAt: expect.any(String) }],
      );
  });
});

describe('notifications that come at the same moment', () => {
  it('are all kept, and each finds its own payment and session', async () => {
    const { stores, payments } = setUp();
    const started = await payments(9);
    for (const each of started)
      await stores.payments.applyTransition({
        ...(CHANGES['waits']?.(each) ?? expect.fail()),
        paymentId: each.payment.id,
        expectedVersion: 1,
      });
    const notification = (index: number) => ({
      id: randomUUID(),
      connectorId: 'test',
      midId: 'mid-1',
      request: 'sealed',
      body: new Uint8Array([index, 0, 255]),
      holdMs: 1000,
    });
    const kept = started.map(({ lease }, index) => ({
      notification: notification(index),
      reference: index === 5 ? 'unknown' : `tx-${lease.runId}`,
    }));
    const found = await Promise.all(
      kept.map((each) => stores.notifications.keepAndFind(each.notification, each.reference)),
    );
    expect(found.map((each) => each?.payment.id)).toEqual(
      started.map(({ payment }, index) => (index === 5 ? undefined : payment.id)),
    );
    expect(found.map((each) => each?.session.id)).toEqual(
      started.map(({ payment }, index) => (index === 5 ? undefined : payment.sessionId)),
    );
    for (const {
      notification: { id, body },
    } of kept) {
      const [row] = (
        await sql<{ body: Uint8Array }>`SELECT body FROM provider_notifications WHERE id = ${id}`.execute(database.db)
      ).rows;
      expect([...(row?.body ?? [])]).toEqual([...body]);
    }
  });
});
