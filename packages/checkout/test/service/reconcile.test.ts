import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/log/log.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import { reconcile } from '../../src/work/upkeep.ts';
import { pollersOf } from '../../src/work/queues.ts';
import { useDatabase } from '../support/database.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { receiver } from '../support/receiver.ts';
import { insertPayment } from '../support/rows.ts';
import { serviceContext } from '../support/service-context.ts';
import { beginPix } from '../support/begin-pix.ts';
import { pixConfig } from '../support/service.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const database = useDatabase();
let at: number;
let provider: PixProvider;
let shop: Awaited<ReturnType<typeof receiver>>;
let made: ReturnType<typeof serviceContext>;
let lines: string[];
let woken: string[];
let context: ServiceDeps;

beforeAll(async () => {
  [provider, shop] = await Promise.all([pixProvider(), receiver()]);
});
beforeEach(() => {
  at = Date.parse('2026-11-21T12:00:00Z');
  [lines, woken] = [[], []];
  made = serviceContext(database.db, pixConfig(provider, shop.url, 0), () => at);
  context = {
    ...made.context,
    log: createLog({ write: (line) => lines.push(line) }),
    wake: (work) => woken.push(work),
  };
});
afterAll(async () => {
  await made.close();
  await shop.close();
  await provider.close();
});

const told = () =>
  lines
    .map((line): { event?: string; finding?: string; subject?: string } => JSON.parse(line))
    .filter(({ event }) => event === 'needs-attention')
    .map(({ finding, subject }) => [finding, subject]);

/** Everything that is due, as the jobs would have it looked for. */
async function work(): Promise<void> {
  for (const poller of pollersOf(context).all) {
    await poller.poll();
    await poller.stop();
  }
}

/** What a process that died may have left of a request is looked at each time. */
const wokenByFindings = () => woken.filter((name) => name !== 'remainders');

describe('reconciliation', () => {
  test('has what a process that died has left of a request done, whatever it finds', async () => {
    for (let run = 0; run < 2; run += 1) await reconcile(context);
    expect(woken).toEqual(['remainders', 'remainders']);
  });

  test('has a forgotten payment looked up, so that it ends when its provider has an answer', async () => {
    provider.beforeReply = (entry) => {
      entry.status = 'SOMETHING_NEW';
      return true;
    };
    const id = await beginPix(context);
    await sql`UPDATE payments SET poll_at = NULL`.execute(database.db);
    const charge = provider.ledger.at(-1);
    if (charge === undefined) throw new Error('The provider was not called.');
    charge.status = 'PAID';
    at += 9 * MINUTE;
    await reconcile(context);
    expect(told()).toEqual([['outcome-unknown', id]]);
    at += MINUTE;
    await reconcile(context);
    await work();
    expect(await context.stores.payments.find(id)).toMatchObject({ state: 'settled', unknown: false });
    expect(told()).toEqual([
      ['outcome-unknown', id],
      ['payment-without-lookup', id],
    ]);
    expect(woken).toContain('lookups');
  });

  test('asks once a day about unknown results, and reports them once', async () => {
    provider.beforeReply = (entry) => {
      entry.status = 'SOMETHING_NEW';
      return true;
    };
    const id = await beginPix(context);
    await work();
    const polls: number[] = [];
    for (let day = 0; day < 3; day += 1) {
      await sql`UPDATE payments SET poll_at = NULL, polls = 50`.execute(database.db);
      at += DAY;
      for (let run = 0; run < 3; run += 1) {
        await reconcile(context);
        await work();
        at += MINUTE;
      }
      polls.push((await context.stores.payments.find(id))?.polls ?? 0);
    }
    expect(polls).toEqual([51, 51, 51]);
    expect(told()).toEqual([
      ['outcome-unknown', id],
      ['payment-without-lookup', id],
    ]);
  });

  test('reports an unknown outcome in the first minute, while its lookups go on, and a known one never', async () => {
    provider.beforeReply = (entry) => {
      entry.status = 'SOMETHING_NEW';
      return true;
    };
    const id = await beginPix(context);
    provider.beforeReply = () => true;
    await beginPix(context);
    await reconcile(context);
    expect(told()).toEqual([['outcome-unknown', id]]);
    expect((await context.stores.payments.left(10)).map((each) => each.id)).toEqual([id]);
    at += MINUTE;
    await reconcile(context);
    expect(told()).toHaveLength(1);
  });

  test('leaves alone what waits for its payer, what is planned and what has ended', async () => {
    const { lease } = await insertPayment(database.db, context.sqlClock);
    await context.stores.runs.suspend(lease, 'otp', {});
    const planned = await insertPayment(database.db, context.sqlClock);
    await context.stores.payments.schedulePoll(planned.payment.id, DAY);
    await context.stores.runs.finish(planned.lease, {});
    at += 2 * 60 * MINUTE;
    await reconcile(context);
    expect(told()).toEqual([]);
  });

  test('reports a run that no process executes, once, and again when it comes back after it was gone', async () => {
    const { lease } = await insertPayment(database.db, context.sqlClock);
    at += 2 * 60 * MINUTE;
    for (let run = 0; run < 3; run += 1) await reconcile(context);
    expect(told()).toEqual([['run-overdue', lease.runId]]);
    expect(wokenByFindings()).toEqual(['runs']);
    await context.stores.runs.renew(lease, 2 * DAY);
    at += DAY + MINUTE;
    await reconcile(context);
    at += 2 * DAY;
    await reconcile(context);
    expect(told()).toHaveLength(2);
  });

  test('reports a modification with an unknown outcome in the first minute, while its lookups go on', async () => {
    const { payment, lease } = await insertPayment(database.db, context.sqlClock);
    await context.stores.runs.finish(lease, {});
    await context.stores.payments.schedulePoll(payment.id, DAY);
    const id = randomUUID();
    const [now, next] = [context.sqlClock(), new Date(at + DAY)];
    await sql`INSERT INTO modifications (id, payment_id, mid_id, kind, amount_text, amount_minor, currency, state, poll_at, created_at, updated_at)
      VALUES (${id}, ${payment.id}, 'mid-1', 'refund', '1.00', 100, 'BRL', 'requested', ${next}, ${now}, ${now})`.execute(
      database.db,
    );
    await sql`UPDATE modifications SET state = 'unknown' WHERE id = ${id}`.execute(database.db);
    for (let run = 0; run < 2; run += 1) await reconcile(context);
    expect(told()).toEqual([['modification-unknown', id]]);
    expect(wokenByFindings()).toEqual([]);
  });

  test('has a modification looked up whose automatic checks have stopped', async () => {
    const { payment, lease } = await insertPayment(database.db, context.sqlClock);
    await context.stores.runs.finish(lease, {});
    await context.stores.payments.schedulePoll(payment.id, DAY);
    const id = randomUUID();
    await sql`INSERT INTO modifications (id, payment_id, mid_id, kind, amount_text, amount_minor, currency, state, created_at, updated_at)
      VALUES (${id}, ${payment.id}, 'mid-1', 'capture', '1.00', 100, 'BRL', 'requested', ${context.sqlClock()}, ${context.sqlClock()})`.execute(
      database.db,
    );
    at += 10 * MINUTE;
    for (let run = 0; run < 2; run += 1) await reconcile(context);
    expect((await context.stores.modifications.find(id))?.pollAt).toEqual(new Date(at));
    expect(told()).toEqual([['modification-without-lookup', id]]);
    expect(wokenByFindings()).toEqual(['modification-lookups']);
  });

  test('wakes and reports callbacks, lookups and notifications that are overdue, and reports events that match nothing', async () => {
    const { payment, lease } = await insertPayment(database.db, context.sqlClock);
    await context.stores.payments.applyTransition({
      paymentId: payment.id,
      expectedVersion: 1,
      change: { state: 'pending', unknown: false, pollInMs: 1000 },
      event: { kind: 'told', data: {} },
      callbacks: [{ id: 'msg-1', url: 'https://shop.example/c', contentType: 'text/plain', body: '' }],
      run: { lease, next: { state: 'finished', outcome: {} } },
    });
    const id = randomUUID();
    const whose = { connectorId: 'test', midId: 'mid-1' };
    await context.stores.notifications.keep({ id, ...whose, request: '{}', body: new Uint8Array(), holdMs: 1000 });
    await context.stores.notifications.recordUnapplied({
      ...whose,
      eventId: 'e-1',
      kind: 'payment',
      providerReference: 'tx-1',
      data: {},
      state: 'unmatched',
      reason: 'No payment has this reference.',
    });
    at += 31 * MINUTE;
    // Two processes at once: each finding is told by one.
    await Promise.all([reconcile(context), reconcile(context)]);
    expect(told().toSorted()).toEqual([
      ['callback-overdue', 'msg-1'],
      ['event-unmatched', 'test mid-1 e-1'],
      ['lookup-overdue', payment.id],
      ['notification-overdue', id],
    ]);
    expect([...new Set(wokenByFindings())].toSorted()).toEqual(['callbacks', 'lookups', 'notifications']);
  });
});
