import { randomBytes, randomUUID } from 'node:crypto';
import { parseSession } from '@railyard/core/protocol';
import { sql } from 'kysely';
import { sealedAt, sealJson } from '../../src/secrets/index.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import { acceptedText } from '../../src/sessions/session.ts';
import { type Db, sqlJournal } from '../../src/storage/index.ts';
import { cardVault } from '../../src/cards/index.ts';
import { newPayment, newSession } from './rows.ts';
import { sessionBody } from './service.ts';

/** Stands wherever the database may keep something of a payer. */
export const PAYER = 'Ana Canary';
const vaultKey = randomBytes(32);

export interface Thread {
  readonly sessionId: string;
  readonly paymentId: string;
  readonly orderNumber: string;
}

/** A session as it is stored, with a payer's name and address in its request. */
export async function storeSession({ stores, sealer }: ServiceDeps, cameAs: Parameters<typeof acceptedText>[1] = {}) {
  const body = sessionBody({ customer: { name: PAYER, email: 'ana@shop.example' }, recurring_init: true });
  const parsed = parseSession(body, { today: '2026-01-01' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  const id = randomUUID();
  const requestText = sealer.seal(acceptedText(parsed.session, cameAs), sealedAt.request(id));
  const session = newSession({ id, orderNumber: body.order.number, test: false, requestText });
  await stores.sessions.create(session);
  return session;
}

/** A payment that is settled and of which the merchant has received all news, with a row in every table that has personal data. */
export async function storeThread(context: ServiceDeps, { saves = false } = {}): Promise<Thread> {
  const { stores, sealer, db, sqlClock } = context;
  const vault = cardVault(sealer, vaultKey);
  const session = await storeSession(context);
  const plain = { number: '4111111111111111', brand: 'visa', expiryMonth: '01', expiryYear: '2038', holder: PAYER };
  const kept = vault.seal(randomUUID(), plain, false);
  const runId = randomUUID();
  const run = {
    runId,
    input: sealJson(sealer, { parameters: {}, needed: { name: PAYER } }, sealedAt.runInput(runId)),
    owner: 'process-1',
    leaseMs: 30_000,
  };
  const card = { kept, ...(saves && { save: vault.newToken('Ada Example') }) };
  const started = await stores.payments.insert(
    newPayment(session.id, { connectorId: 'pix-instant', midId: 'pix-main', payerIp: '203.0.113.7', card, run }),
  );
  if (started === undefined) throw new Error('The payment did not start.');
  const { id } = started.payment;
  const journal = sqlJournal(db, sqlClock, started.lease);
  await journal.begin(runId, 'create', 'call');
  await journal.finish(runId, 'create', { name: PAYER });
  await settle(context, { paymentId: id, runId, session });
  await recordEvent(context, id);
  return { sessionId: session.id, paymentId: id, orderNumber: session.orderNumber };
}

async function settle(
  { stores, sealer }: ServiceDeps,
  { paymentId, runId, session }: { paymentId: string; runId: string; session: { orderNumber: string } },
): Promise<void> {
  const callbackId = `msg_${randomUUID()}`;
  const body = sealer.seal(`name=${PAYER}`, sealedAt.callbackBody(callbackId));
  const applied = await stores.payments.applyTransition({
    paymentId,
    expectedVersion: 1,
    change: {
      state: 'settled',
      unknown: false,
      received: { text: '10.00', minor: 1000n, currency: 'BRL' },
      providerReference: `tx-${session.orderNumber}`,
      provider: { status: 'PAID', message: `Paid by ${PAYER}` },
    },
    event: { kind: 'outcome', data: { status: 'settled' } },
    callbacks: [{ id: callbackId, url: 'https://shop.example/c', contentType: 'text/plain', body }],
    run: { lease: { runId, owner: 'process-1', epoch: 1 }, next: { state: 'finished', outcome: {} } },
    closeSession: 'completed',
  });
  if (applied.result !== 'applied') throw new Error(applied.result);
  for (const callback of await stores.callbacks.claimDue(1, 1000))
    await stores.callbacks.recordAttempt(callback, { status: 200, durationMs: 1, next: { state: 'delivered' } });
}

/** A handled notification and the event that it brought. */
async function recordEvent({ stores }: ServiceDeps, paymentId: string): Promise<void> {
  const whose = { connectorId: 'pix-instant', midId: 'pix-main' };
  const id = randomUUID();
  await stores.notifications.keep({ id, ...whose, request: '{}', body: Buffer.from(PAYER), holdMs: 1000 });
  await stores.notifications.end(id, 'handled');
  await stores.notifications.recordUnapplied({
    ...whose,
    eventId: id,
    kind: 'payment',
    providerReference: 'tx',
    data: { provider: { message: PAYER } },
    paymentId,
    notificationId: id,
    state: 'ignored',
    reason: 'known',
  });
}

const payment = (change: string) => `UPDATE payments SET ${change}, version = version + 1 WHERE id = $1`;

/** What keeps a thread open: statements about the payment `$1` of a thread that is done. */
export const OPENINGS: ReadonlyMap<string, string> = new Map([
  ['a payment that has just begun', payment(`state = 'created'`)],
  ['a payment that is pending', payment(`state = 'pending'`)],
  ['a payment of which nothing is known', payment(`state = 'pending', unknown = true`)],
  ['a payment approved in part', payment(`state = 'partially_approved'`)],
  ['a hold that is not captured', payment(`state = 'authorized', received_minor = 0, authorized_minor = 1000`)],
  ['a capture under way', payment(`modifying = 'capture'`)],
  ['a refund that has reserved its amount', payment('reserved_minor = 100')],
  ['a lookup that is planned', `UPDATE payments SET poll_at = updated_at WHERE id = $1`],
  ['money that was set aside', `UPDATE payments SET aside_text = '{}' WHERE id = $1`],
  [
    'a mandate that may be charged again',
    `UPDATE payments SET recurring_token = 'sealed', agreement_text = '{"agreement":"1"}' WHERE id = $1`,
  ],
  [
    'a schedule that charges',
    `INSERT INTO chains (id, schedule_id, merchant_key, test, mid_id, token_hash, began, created_at)
      SELECT id, gen_random_uuid(), 'shop', false, mid_id, 'digest', '2026-01-01', created_at FROM payments WHERE id = $1`,
  ],
  [
    'a run that has not ended',
    `UPDATE flow_runs SET state = 'running', finished_at = NULL, lease_until = started_at WHERE payment_id = $1`,
  ],
  ['a callback that waits', `UPDATE callbacks SET state = 'waiting', delivered_at = NULL WHERE payment_id = $1`],
  ['a quarantined event', `UPDATE provider_events SET state = 'quarantined' WHERE payment_id = $1`],
  ['an unmatched event', `UPDATE provider_events SET state = 'unmatched' WHERE payment_id = $1`],
  [
    'a refund of which nothing is known',
    `INSERT INTO modifications (id, payment_id, mid_id, kind, amount_text, amount_minor, currency, state, created_at, updated_at)
      SELECT gen_random_uuid(), id, mid_id, 'refund', '1.00', 100, 'BRL', 'unknown', created_at, updated_at FROM payments WHERE id = $1`,
  ],
]);

/** Opens a thread that is done. Triggers are passed by, because no service moves a payment so. */
export async function reopen(db: Db, statement: string, { paymentId }: Thread): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`SET session_replication_role = replica`.execute(connection);
    await sql.raw(statement.replaceAll('$1', `'${paymentId}'`)).execute(connection);
    await sql`SET session_replication_role = origin`.execute(connection);
  });
}

/** What of a thread must be there as long as it is open. */
export async function needed(db: Db, { sessionId, paymentId }: Thread): Promise<object> {
  const of = db.selectFrom('payments').selectAll().where('id', '=', paymentId);
  return {
    session: await db.selectFrom('sessions').selectAll().where('id', '=', sessionId).execute(),
    payment: await of.execute(),
    modifications: await db.selectFrom('modifications').selectAll().where('paymentId', '=', paymentId).execute(),
    history: await db.selectFrom('paymentEvents').selectAll().where('paymentId', '=', paymentId).execute(),
    openRuns: await db
      .selectFrom('flowRuns')
      .innerJoin('journal', 'journal.runId', 'flowRuns.runId')
      .selectAll()
      .where('paymentId', '=', paymentId)
      .where('flowRuns.state', '<>', 'finished')
      .execute(),
    waiting: await db
      .selectFrom('callbacks')
      .innerJoin('callbackAttempts', 'callbackId', 'callbacks.id')
      .selectAll()
      .where('paymentId', '=', paymentId)
      .where('callbacks.state', '=', 'waiting')
      .execute(),
    toLookAt: await db
      .selectFrom('providerEvents as e')
      .innerJoin('providerNotifications as n', 'n.id', 'e.notificationId')
      .selectAll()
      .where('paymentId', '=', paymentId)
      .where('e.state', 'in', ['quarantined', 'unmatched'])
      .execute(),
  };
}
