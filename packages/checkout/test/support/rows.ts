import { createHash, randomUUID } from 'node:crypto';
import type { StartedPayment, Db, NewPayment, NewSession, SqlClock } from '../../src/storage/index.ts';
import type { NewCard } from '../../src/storage/cards-store.ts';
import { paymentsStore, sessionsStore } from '../../src/storage/index.ts';

export const MERCHANT_KEY = '11111111-2222-4333-8444-555555555555';

export function newSession(over: Partial<NewSession> = {}): NewSession {
  const id = randomUUID();
  return {
    id,
    merchantKey: MERCHANT_KEY,
    keyAsSent: over.merchantKey ?? MERCHANT_KEY,
    operation: 'purchase',
    orderNumber: `order-${id}`,
    tokenHash: createHash('sha256').update(id).digest('hex'),
    requestText: '{"order":{"amount":"10.00"}}',
    hashDialect: 'ascii',
    hashDigest: 'md5',
    test: false,
    lifetimeMinutes: 60,
    payerPresence: 'page',
    ...over,
  };
}

export function newPayment(sessionId: string, over: Partial<NewPayment> = {}): NewPayment {
  const id = randomUUID();
  return {
    id,
    sessionId,
    merchantReference: id,
    method: 'pix',
    methodAlias: 'pix',
    connectorId: 'test',
    connectorVersion: '1.0.0',
    midId: 'mid-1',
    amount: { open: false, text: '10.00', minor: 1000n, currency: 'BRL' },
    run: { runId: randomUUID(), input: { flow: 'purchase' }, owner: 'process-1', leaseMs: 30_000 },
    ...over,
  };
}

export function newCard(over: Partial<NewCard> = {}): NewCard {
  const id = randomUUID();
  return {
    id,
    numberText: `sealed number of ${id}`,
    holderText: `sealed holder of ${id}`,
    fingerprint: createHash('sha256').update('a').digest('hex'),
    firstSix: '411111',
    lastFour: '1234',
    brand: 'VISA',
    brandChosenBy: 'payer',
    expiryMonth: '07',
    expiryYear: '2031',
    fromToken: true,
    ...over,
  };
}

/** A session with a payment that has just begun. */
export async function insertPayment(db: Db, clock: SqlClock, over: Partial<NewPayment> = {}): Promise<StartedPayment> {
  const session = newSession();
  await sessionsStore(db, clock).create(session);
  const started = await paymentsStore(db, clock).insert(newPayment(session.id, over));
  if (started === undefined) throw new Error('The payment did not start.');
  return started;
}
