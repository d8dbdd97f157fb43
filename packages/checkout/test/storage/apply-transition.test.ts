import { liveOf } from '../../src/payments/status.ts';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { storesOf, type ModificationUpdate, type PaymentUpdate } from '../../src/storage/index.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { insertPayment, newPayment } from '../support/rows.ts';

const database = useDatabase();

/** Each field has a value that it has in no other field, and that a new payment has not. */
const FILLED: Required<PaymentUpdate> = {
  state: 'pending',
  unknown: true,
  received: { text: '5.00', minor: 500n, currency: 'BRL' },
  authorizedMinor: 1000n,
  capturedMinor: 400n,
  refundedMinor: 100n,
  reservedMinor: 50n,
  modifying: 'void',
  decidedBy: 'someone',
  reason: 'a reason',
  declineKind: 'hard',
  declineCode: 'insufficient_funds',
  providerReference: 'tx-1',
  provider: { status: 'a status', code: 'a code', message: 'a message' },
  show: { code: 'shown' },
  agreement: { token: 'agreed' },
  connectorState: { order: 'o-1' },
  facts: { exchange_rate: '1.5' },
  aside: '{"aside":true}',
  pollInMs: 60_000,
};

const FILLED_MODIFICATION: Required<Omit<ModificationUpdate, 'id'>> = {
  state: 'pending',
  providerReference: 'refund-1',
  provider: { status: 'a status', code: 'a code', message: 'a message' },
  reason: 'a reason',
  facts: { exchange_rate: '2.5' },
  pollInMs: 60_000,
};

async function setUp() {
  const time = testClock();
  const stores = storesOf(database.db, time.clock);
  const started = await insertPayment(database.db, time.clock);
  return { ...time, stores, ...started };
}

const event = { kind: 'outcome', data: {} };

describe('a change of a payment', () => {
  it.each(['together', 'alone'] as const)('stores every field of it, %s', async (how) => {
    const { stores, payment, now } = await setUp();
    const applied = await stores.payments.applyTransition({
      paymentId: payment.id,
      expectedVersion: 1,
      change: FILLED,
      event,
      ...(how === 'alone' && {
        newModification: {
          id: randomUUID(),
          kind: 'refund',
          amount: { text: '1.00', minor: 100n, currency: 'BRL' },
          providerReference: 'refund-0',
        },
      }),
    });
    expect(applied.result).toBe('applied');
    const { pollInMs, provider, aside, ...same } = FILLED;
    expect(await stores.payments.find(payment.id)).toEqual({
      ...payment,
      ...same,
      providerStatus: provider.status,
      providerCode: provider.code,
      providerMessage: provider.message,
      asideText: aside,
      pollAt: new Date(now().getTime() + (pollInMs ?? 0)),
      version: 2,
      updatedAt: now(),
    });
  });

  it('leaves what it does not name, and empties what it names as nothing', async () => {
    const { stores, payment } = await setUp();
    const { id: paymentId } = payment;
    await stores.payments.applyTransition({ paymentId, expectedVersion: 1, change: FILLED, event });
    const filled = await stores.payments.find(paymentId);
    const change = { state: 'pending', unknown: true } as const;
    await stores.payments.applyTransition({ paymentId, expectedVersion: 2, change, event });
    expect(await stores.payments.find(paymentId)).toEqual({ ...filled, version: 3 });
    const emptied = {
      refundedMinor: 0n,
      reservedMinor: 0n,
      received: null,
      modifying: null,
      decidedBy: null,
      reason: null,
      declineKind: null,
      provider: { code: 'newer' },
      show: null,
      aside: null,
      pollInMs: null,
    };
    await stores.payments.applyTransition({ paymentId, expectedVersion: 3, change: { ...change, ...emptied }, event });
    expect(await stores.payments.find(paymentId)).toEqual({
      ...filled,
      refundedMinor: 0n,
      reservedMinor: 0n,
      received: null,
      modifying: null,
      decidedBy: null,
      reason: null,
      declineKind: null,
      show: null,
      asideText: null,
      pollAt: null,
      providerStatus: null,
      providerCode: 'newer',
      providerMessage: null,
      version: 4,
    });
  });

  it('stores every field of a modification that moves with it, and keeps those that it does not name', async () => {
    const { stores, payment, now } = await setUp();
    const { id: paymentId } = payment;
    const id = randomUUID();
    const run = { purpose: 'refund', input: {}, owner: 'process-1', leaseMs: 30_000 };
    const amount = { text: '1.00', minor: 100n, currency: 'BRL' };
    const received = { text: '5.00', minor: 500n, currency: 'BRL' };
    const change = { state: 'settled', unknown: false, received } as const;
    const moved = async (expectedVersion: number, modification: ModificationUpdate) => {
      await stores.payments.applyTransition({ paymentId, expectedVersion, change, event, modification });
      return stores.modifications.find(id);
    };
    const newModification = { id, kind: 'refund', amount, run } as const;
    await stores.payments.applyTransition({ paymentId, expectedVersion: 1, change, event, newModification });
    const { pollInMs, provider, facts, ...same } = FILLED_MODIFICATION;
    const filled = {
      ...same,
      providerStatus: provider.status,
      providerCode: provider.code,
      providerMessage: provider.message,
      pollAt: new Date(now().getTime() + (pollInMs ?? 0)),
    };
    expect(await moved(2, { id, ...FILLED_MODIFICATION })).toMatchObject(filled);
    const { rows } = await database.db.executeQuery<{ factsText: string }>(
      database.db.selectFrom('modifications').select('factsText').where('id', '=', id).compile(),
    );
    expect(rows).toEqual([{ factsText: JSON.stringify(facts) }]);
    expect(await moved(3, { id, state: 'succeeded', pollInMs: null })).toMatchObject({
      ...filled,
      state: 'succeeded',
      pollAt: null,
    });
  });
});

it.each(['paid first', 'declined first'])(
  'a session is completed where one payment is paid and the last other one declined together, %s',
  async (order) => {
    const { stores, payment } = await setUp();
    const change = { state: 'pending', unknown: false, show: { code: 'a' } } as const;
    await stores.payments.applyTransition({ paymentId: payment.id, expectedVersion: 1, change, event });
    const second = await stores.payments.insert(newPayment(payment.sessionId ?? '', { beside: true }));
    const paid = {
      paymentId: payment.id,
      expectedVersion: 2,
      change: { state: 'settled', unknown: false, received: { text: '10.00', minor: 1000n, currency: 'BRL' } },
      event,
      closeSession: 'completed',
    } as const;
    const declined = {
      paymentId: second?.payment.id ?? '',
      expectedVersion: 1,
      change: { state: 'declined', unknown: false },
      event,
      closeSession: 'cancelled',
    } as const;
    const both = order === 'paid first' ? [paid, declined] : [declined, paid];
    await Promise.all(both.map((transition) => stores.payments.applyTransition(transition)));
    const session = await stores.sessions.find(payment.sessionId ?? '');
    expect([session?.state, session?.paidPaymentId]).toEqual(['completed', payment.id]);
  },
);

it('an order is the payment that completed its session, also where a newer one was paid and given back', async () => {
  const { stores, payment } = await setUp();
  const change = { state: 'pending', unknown: false, show: { code: 'a' } } as const;
  await stores.payments.applyTransition({ paymentId: payment.id, expectedVersion: 1, change, event });
  const second = await stores.payments.insert(newPayment(payment.sessionId ?? '', { beside: true }));
  const received = { text: '10.00', minor: 1000n, currency: 'BRL' };
  const step = (paymentId: string, expectedVersion: number, state: 'settled' | 'voided') =>
    stores.payments.applyTransition({
      paymentId,
      expectedVersion,
      change: { state, unknown: false, received },
      event,
      ...(state === 'settled' && { closeSession: 'completed' as const }),
    });
  await step(payment.id, 2, 'settled');
  await step(second?.payment.id ?? '', 1, 'settled');
  await step(second?.payment.id ?? '', 2, 'voided');
  const found = await stores.payments.ofOrder(
    { merchantKey: payment.merchantKey, test: false },
    payment.orderNumber,
    2,
  );
  expect(found.map(({ id, state }) => [id, state])).toEqual([
    [payment.id, 'settled'],
    [second?.payment.id, 'voided'],
  ]);
  const session = await stores.sessions.find(payment.sessionId ?? '');
  const attempts = await stores.payments.ofSession(payment.sessionId ?? '');
  expect(liveOf(attempts, session?.paidPaymentId ?? null)?.id).toBe(payment.id);
});

it('of two payments of one session that are paid in the same moment one completes it, and the other does not', async () => {
  const { stores, payment } = await setUp();
  const change = { state: 'pending', unknown: false, show: { code: 'a' } } as const;
  await stores.payments.applyTransition({ paymentId: payment.id, expectedVersion: 1, change, event });
  const second = await stores.payments.insert(newPayment(payment.sessionId ?? '', { beside: true }));
  const paid = (paymentId: string, expectedVersion: number) =>
    stores.payments.applyTransition({
      paymentId,
      expectedVersion,
      change: { state: 'settled', unknown: false, received: { text: '10.00', minor: 1000n, currency: 'BRL' } },
      event,
      closeSession: 'completed',
    });
  const applied = await Promise.all([paid(payment.id, 2), paid(second?.payment.id ?? '', 1)]);
  const completed = applied.flatMap((each) =>
    each.result === 'applied' && each.closedSession ? [each.payment.id] : [],
  );
  const session = await stores.sessions.find(payment.sessionId ?? '');
  expect(applied.map(({ result }) => result)).toEqual(['applied', 'applied']);
  expect(completed).toEqual([session?.paidPaymentId]);
});
