import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { storesOf, type NewPayment } from '../../src/storage/index.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { insertPayment, MERCHANT_KEY, newCard, newPayment, newSession } from '../support/rows.ts';

const database = useDatabase();

const hash = (digit: string) => digit.repeat(64);

/** Each field has a value that it has in no other field. */
async function setUp() {
  const time = testClock();
  const { db } = database;
  const stores = storesOf(db, time.clock);
  const session = newSession({ test: true, operation: 'credit' });
  await stores.sessions.create(session);
  const payment: NewPayment = newPayment(session.id, {
    merchantReference: randomUUID(),
    method: 'card-payment',
    methodAlias: 'card',
    connectorId: 'some-connector',
    connectorVersion: '1.2.3',
    midId: 'mid-7',
    payerIp: '192.0.2.1',
    recurringToken: 'a sealed token',
  });
  const rows = async () => {
    const { id } = payment;
    return {
      payment: await stores.payments.find(id),
      events: await stores.payments.eventsOf(id),
      run: await stores.runs.find(payment.run.runId),
      session: await stores.sessions.find(session.id),
      used: await db.selectFrom('walletTokens').selectAll().where('paymentId', '=', id).execute(),
      saved: await db.selectFrom('cardTokens').selectAll().where('madeBy', '=', id).execute(),
    };
  };
  const stored = {
    id: payment.id,
    sessionId: session.id,
    merchantKey: MERCHANT_KEY,
    operation: 'credit',
    orderNumber: session.orderNumber,
    merchantReference: payment.merchantReference,
    method: 'card-payment',
    methodAlias: 'card',
    connectorId: 'some-connector',
    connectorVersion: '1.2.3',
    midId: 'mid-7',
    attempt: 1,
    payerTry: 1,
    state: 'created',
    unknown: false,
    amountText: '10.00',
    currency: 'BRL',
    amountMinor: 1000n,
    amountOpen: false,
    payerIp: '192.0.2.1',
    cardId: null,
    cardBrand: null,
    payeeCardId: null,
    cardTokenHash: null,
    digitalWallet: null,
    panType: null,
    mandateId: null,
    retryOf: null,
    recurringToken: 'a sealed token',
    callbacks: 0,
    version: 1,
    createdAt: time.now(),
    updatedAt: time.now(),
  };
  return { ...time, stores, session, payment, stored, rows };
}

describe('a payment that begins', () => {
  it('takes the entry away that it is made with, and begins with no other', async () => {
    const { stores } = await setUp();
    const session = newSession({ payerPresence: 'fields' });
    await stores.sessions.create(session);
    const [before, entryId] = [randomUUID(), randomUUID()];
    expect(await stores.sessions.keepEntry(session.id, { entryId: before, entryText: 'sealed' })).toBe(true);
    expect(await stores.sessions.keepEntry(session.id, { entryId, entryText: 'sealed' }, before)).toBe(true);
    expect(await stores.sessions.keepEntry(session.id, { entryId: before, entryText: 'x' }, before)).toBe(false);
    expect(await stores.payments.insert(newPayment(session.id, { entryId: before }))).toBeUndefined();
    expect(await stores.payments.insert(newPayment(session.id, { entryId }))).toBeDefined();
    expect(await stores.sessions.find(session.id)).toMatchObject({ entryId: null, entryText: null });
  });

  it('is stored with its session, its event and a run that is its owner’s', async () => {
    const { stores, payment, stored, rows, session, now } = await setUp();
    const started = await stores.payments.insert(payment);
    const found = await rows();
    expect(started?.payment).toEqual(found.payment);
    expect(found.payment).toMatchObject(stored);
    expect(found.session).toMatchObject({ id: session.id, livePaymentId: payment.id, attempts: 1 });
    const { id: paymentId } = payment;
    expect(found.events).toEqual([
      { paymentId, version: 1, kind: 'created', fromState: null, toState: 'created', dataText: '{}', at: now() },
    ]);
    expect(found.run).toMatchObject({
      runId: payment.run.runId,
      paymentId,
      purpose: 'credit',
      connectorId: 'some-connector',
      connectorVersion: '1.2.3',
      state: 'running',
      startedAt: now(),
      inputText: '{"flow":"purchase"}',
      leaseOwner: 'process-1',
      leaseEpoch: 1,
      leaseUntil: new Date(now().getTime() + 30_000),
      suspendedStep: null,
      suspendedText: null,
    });
    expect([found.used, found.saved]).toEqual([[], []]);
  });

  it('is stored with every field of its cards and of the saved token', async () => {
    const { stores, payment, stored, rows, now } = await setUp();
    const kept = newCard();
    const payee = {
      ...newCard(),
      lastFour: '9876',
      brand: 'MASTERCARD',
      expiryMonth: null,
      expiryYear: null,
    };
    const save = { tokenHash: hash('b'), tokenText: 'a sealed saved token', holderFingerprint: hash('c') };
    await stores.payments.insert({ ...payment, card: { kept, payee, save } });
    const found = await rows();
    const cards = { cardId: kept.id, cardBrand: 'VISA', payeeCardId: payee.id, cardTokenHash: hash('b') };
    expect(found.payment).toMatchObject({ ...stored, ...cards });
    const ofBoth = { merchantKey: MERCHANT_KEY, test: true, createdAt: now(), removedAt: null };
    expect(await stores.cards.find(kept.id)).toEqual({ ...kept, ...ofBoth });
    expect(await stores.cards.find(payee.id)).toEqual({ ...payee, ...ofBoth });
    const { id: madeBy } = payment;
    expect(found.saved).toEqual([
      { ...save, cardId: kept.id, merchantKey: MERCHANT_KEY, test: true, madeBy, createdAt: now() },
    ]);
    const again = newSession({ test: true });
    await stores.sessions.create(again);
    const other = { ...newCard(), fromToken: false };
    const second = await stores.payments.insert(newPayment(again.id, { card: { kept: other, tokenHash: hash('b') } }));
    expect(second?.payment).toMatchObject({ cardId: other.id, payeeCardId: null, cardTokenHash: hash('b') });
    expect(await stores.cards.find(other.id)).toMatchObject({ fromToken: false });
  });

  it('is stored with every field of its wallet, whose token is used up', async () => {
    const { stores, payment, stored, rows, now } = await setUp();
    const wallet = { digitalWallet: 'googlepay', panType: 'dpan', tokenHash: hash('d') } as const;
    await stores.payments.insertWithToken({ ...payment, wallet });
    const found = await rows();
    expect(found.payment).toMatchObject({ ...stored, digitalWallet: 'googlepay', panType: 'dpan' });
    expect(found.used).toEqual([{ tokenHash: hash('d'), paymentId: payment.id, usedAt: now() }]);
  });

  it('is stored with every field of the payment that it follows, or of the mandate that it charges', async () => {
    const { stores, payment, stored, rows, clock } = await setUp();
    const first = await insertPayment(database.db, clock, { card: { kept: newCard() } });
    const { cardId } = first.payment;
    const follows = {
      id: randomUUID(),
      payerTry: 3,
      cardId,
      cardBrand: 'ELO',
      payeeCardId: cardId,
      cardTokenHash: null,
      digitalWallet: 'applepay',
      panType: 'fpan',
    } as const;
    await database.db.updateTable('sessions').set({ attempts: 4 }).where('id', '=', payment.sessionId).execute();
    await stores.payments.insert({ ...payment, follows });
    const { id, ...taken } = follows;
    const found = await rows();
    expect(found.payment).toMatchObject({ ...stored, ...taken, attempt: 5 });
    expect(found.events).toMatchObject([{ dataText: JSON.stringify({ follows: id }) }]);

    const other = await setUp();
    const retries = { paymentId: first.payment.id, callbacks: 4 };
    const mandateCharge = { mandateId: first.payment.id, cardId, cardBrand: 'ELO', retries };
    await stores.payments.insert({ ...other.payment, mandateCharge });
    expect((await other.rows()).payment).toMatchObject({
      ...other.stored,
      cardId,
      cardBrand: 'ELO',
      mandateId: first.payment.id,
      retryOf: first.payment.id,
      callbacks: 4,
    });
  });

  it('is stored with an open amount, and with the step at which its run waits', async () => {
    const { stores, payment, stored, rows } = await setUp();
    const waitsAt = { step: 'visit', asks: { url: 'https://provider.example' } };
    const amount = { open: true, text: '3.5', currency: 'USDT' } as const;
    await stores.payments.insert({ ...payment, amount, run: { ...payment.run, waitsAt } });
    const found = await rows();
    const open = { amountText: '3.5', currency: 'USDT', amountMinor: null, amountOpen: true };
    expect(found.payment).toMatchObject({ ...stored, ...open });
    expect(found.run).toMatchObject({
      state: 'suspended',
      leaseOwner: null,
      leaseEpoch: 1,
      leaseUntil: null,
      suspendedStep: 'visit',
      suspendedText: '{"url":"https://provider.example"}',
    });
  });

  it.each([undefined, null, 90_000])(
    'of a due day is stored with its day and session (next look: %s)',
    async (pollInMs) => {
      const { db } = database;
      const { stores, stored, clock, now } = await setUp();
      const first = await insertPayment(db, clock);
      const { id: mandateId } = first.payment;
      const scheduleId = randomUUID();
      const of = { merchantKey: MERCHANT_KEY, test: true, createdAt: now() };
      const plan = { historyText: '[]', pausesText: '[]', paused: false, version: 3, updatedAt: now() };
      await db
        .insertInto('schedules')
        .values({ id: scheduleId, ...of, ...plan })
        .execute();
      const chain = { midId: 'mid-7', tokenHash: hash('e'), began: '2027-01-31', wakes: 2, pollAt: now() };
      await db
        .insertInto('chains')
        .values({ id: mandateId, scheduleId, ...of, ...chain })
        .execute();
      const due = { mandateId, day: '2027-02-28', scheduleVersion: 3, wakes: 2, today: '2027-03-01' };
      const session = newSession({
        operation: 'credit',
        requestText: '{"a":"\\u0000"}',
        hashDialect: 'unicode',
        hashDigest: 'sha256',
        test: true,
        lifetimeMinutes: 5,
        payerPresence: 'none',
      });
      const payment = newPayment(session.id, { mandateCharge: { mandateId, cardId: null, cardBrand: null } });
      const begin = (over = {}) =>
        stores.chains.beginCharge({ ...due, ...(pollInMs !== undefined && { pollInMs }), ...over }, session, payment);
      for (const changed of [{ scheduleVersion: 4 }, { wakes: 1 }]) expect(await begin(changed)).toBeUndefined();
      const started = await begin();
      expect(started?.payment).toMatchObject({
        id: payment.id,
        sessionId: session.id,
        operation: 'credit',
        mandateId,
        attempt: 1,
        payerTry: 1,
        state: stored.state,
      });
      const { keyAsSent: _, lifetimeMinutes: __, ...same } = session;
      expect(await stores.sessions.find(session.id)).toEqual({
        ...same,
        state: 'open',
        livePaymentId: payment.id,
        paidPaymentId: null,
        entryId: null,
        entryText: null,
        attempts: 1,
        createdAt: now(),
        expiresAt: new Date(now().getTime() + 300_000),
        closedAt: null,
        erasedAt: null,
      });
      const days = await db.selectFrom('dueDays').selectAll().where('mandateId', '=', mandateId).execute();
      const tried = { firstTried: '2027-03-01', lastTried: '2027-03-01' };
      expect(days).toEqual([
        { mandateId, day: '2027-02-28', state: 'begun', chargeId: payment.id, ...tried, at: now() },
      ]);
      const { pollAt } = await db
        .selectFrom('chains')
        .select('pollAt')
        .where('id', '=', mandateId)
        .executeTakeFirstOrThrow();
      expect(pollAt).toEqual(pollInMs === null ? null : new Date(now().getTime() + (pollInMs ?? 0)));
      expect(await begin()).toBeUndefined();
    },
  );
});
