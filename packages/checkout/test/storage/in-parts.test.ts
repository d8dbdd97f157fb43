import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lookAtChain, takeChains } from '../../src/payments/scheduled.ts';
import { sessionsStore } from '../../src/storage/index.ts';
import { connectionOf, copyPayments } from '../support/copied-payments.ts';
import { useDatabase } from '../support/database.ts';
import { newSession } from '../support/rows.ts';
import { type ScheduleRig, scheduleRig } from '../support/schedule-rig.ts';
import { merchant } from '../support/service.ts';

const database = useDatabase();
let rig: ScheduleRig;

beforeEach(() => {
  rig = scheduleRig(database.db);
});
afterEach(() => rig.close());

const HOUR = 3_600_000;
const FAR = 10 * 366 * 24 * HOUR;
/** More than two parts, and none whole at the end. */
const MANY = { moved: 1200, woken: 2300 };

/** Subscriptions of one schedule: one that a payer has begun, and copies of it. @returns the schedule's id */
async function subscriptions(count: number) {
  const plan = await rig.plan();
  await rig.begin(plan);
  await database.db.connection().execute((db) => copyPayments(connectionOf(db), count - 1));
  return plan;
}

/** How many chains were made due how often since they were there. */
async function wakes(): Promise<string[]> {
  const { rows } = await sql<{ wakes: number; chains: number }>`
    SELECT wakes, count(*)::integer AS chains FROM chains GROUP BY wakes ORDER BY wakes`.execute(database.db);
  return rows.map(({ wakes: each, chains }) => `${chains} × ${each}`);
}

describe('a move of a test clock', () => {
  const { moved } = MANY;

  beforeEach(async () => {
    await subscriptions(moved);
    await database.db.connection().execute(async (db) => {
      await sql`SET session_replication_role = replica`.execute(db);
      await sql`UPDATE sessions SET test = true, state = 'open', closed_at = NULL`.execute(db);
      await sql`UPDATE callbacks SET state = 'waiting', next_try_at = created_at`.execute(db);
      await sql`UPDATE payments SET poll_at = created_at`.execute(db);
      await sql`UPDATE payment_references SET payable_until = created_at`.execute(db);
      await sql`INSERT INTO modifications
          (id, payment_id, mid_id, kind, amount_text, amount_minor, currency, state, created_at, updated_at, poll_at)
        SELECT gen_random_uuid(), id, mid_id, 'refund', '1.00', 100, currency, 'pending', created_at, created_at, created_at
        FROM payments`.execute(db);
      await sql`SET session_replication_role = origin`.execute(db);
    });
  });

  const movedBy = (minutes: number) =>
    ['code', 'end', 'lookup', 'refund', 'try'].map((what) => `${moved} × ${what} ${minutes}`);

  /** How far what waits was moved: ends of sessions and codes, lookups of payments and refunds, tries of callbacks. Each with its number of rows. */
  async function distances(): Promise<string[]> {
    const { rows } = await sql<{ what: string; by: number; count: number }>`
      SELECT what, by, count(*)::integer AS count FROM (
        SELECT 'end' AS what, 60 - round(extract(epoch FROM expires_at - created_at) / 60)::integer AS by FROM sessions
        UNION ALL SELECT 'try', round(extract(epoch FROM created_at - next_try_at) / 60)::integer FROM callbacks
        UNION ALL SELECT 'lookup', round(extract(epoch FROM created_at - poll_at) / 60)::integer FROM payments
        UNION ALL SELECT 'code', round(extract(epoch FROM created_at - payable_until) / 60)::integer FROM payment_references
        UNION ALL SELECT 'refund', round(extract(epoch FROM created_at - poll_at) / 60)::integer FROM modifications
      ) AS all_of_them GROUP BY what, by ORDER BY what, by`.execute(database.db);
    return rows.map(({ what, by, count }) => `${count} × ${what} ${by}`);
  }

  test('is done in parts, each row once, also where two do them at the same moment', async () => {
    const { testClocks } = rig.context.stores;
    await testClocks.advance(merchant.key, HOUR, randomUUID(), FAR);
    expect(await distances()).toEqual(movedBy(0));
    let parts = 0;
    for (let isMore = true; isMore; parts += 1)
      isMore = (await Promise.all([testClocks.moveSome(), testClocks.moveSome()])).includes(true);
    expect(parts).toBeGreaterThan(2);
    expect(await distances()).toEqual(movedBy(60));
    expect(await wakes()).toEqual([`${moved} × 1`]);
  });

  test('leaves alone what is made after it, and what other merchants have', async () => {
    const { testClocks } = rig.context.stores;
    const sessions = sessionsStore(database.db, rig.context.sqlClock);
    const other = { ...newSession({ test: true }), merchantKey: randomUUID() };
    await sessions.create(other);
    const move = randomUUID();
    await testClocks.advance(merchant.key, HOUR, move, FAR);
    await testClocks.moveSome(move);
    rig.set('2027-01-31T10:00:01Z');
    const later = Array.from({ length: 20 }, () => newSession({ test: true, merchantKey: merchant.key }));
    for (const each of later) await sessions.create(each);
    while (await testClocks.moveSome(move));
    expect((await distances()).toSorted()).toEqual([...movedBy(60), `${later.length + 1} × end 0`].toSorted());
  });

  test('adds to one that is not done yet', async () => {
    const { testClocks } = rig.context.stores;
    for (const hours of [1, 2]) {
      await testClocks.advance(merchant.key, hours * HOUR, randomUUID(), FAR);
      await testClocks.moveSome();
    }
    while (await testClocks.moveSome());
    expect(await distances()).toEqual(movedBy(180));
  });
});

describe('a change of a schedule', () => {
  const { woken } = MANY;

  test('has some of its chains looked at by its own statement, and the others part by part, each once', async () => {
    const plan = await subscriptions(woken);
    await rig.schedule('UPDATE_SCHEDULE', plan, { interval_length: '2' });
    expect(await wakes()).toEqual([`${woken - 1000} × 0`, '1000 × 1']);
    const { schedules } = rig.context.stores;
    while ((await Promise.all([schedules.wakeSome(), schedules.wakeSome()])).includes(true));
    expect(await wakes()).toEqual([`${woken} × 1`]);
  });

  test('of which two come one after the other leaves out no chain', async () => {
    const plan = await subscriptions(woken);
    const { schedules } = rig.context.stores;
    await rig.schedule('UPDATE_SCHEDULE', plan, { interval_length: '2' });
    await schedules.wakeSome();
    await rig.schedule('UPDATE_SCHEDULE', plan, { interval_length: '3' });
    while (await schedules.wakeSome());
    // The last chains wait for both changes, and are looked at once.
    expect(await wakes()).toEqual([`${woken - 2000} × 1`, '2000 × 2']);
  });

  test.each([
    ['PAUSE', 0],
    ['SCHEDULE_INFO', 1],
  ])(
    'holds for a charge that was decided before it, though its chain is one of the rest: after %s %i is charged',
    async (action, charges) => {
      const plan = await rig.plan();
      await rig.begin(plan);
      rig.set('2027-02-28T01:00:00Z');
      const [chain] = await takeChains(rig.context, 1, []);
      expect((await rig.schedule(action, plan)).json).toMatchObject({ result: 'SUCCESS' });
      // As if others had come first.
      await sql`UPDATE chains SET wakes = ${chain?.wakes ?? 0}::integer`.execute(database.db);
      await lookAtChain(rig.context, chain ?? expect.fail());
      expect(rig.charges).toHaveLength(charges);
    },
  );

  test('that two requests read and then delete is deleted by one of them', async () => {
    const { schedules } = rig.context.stores;
    const schedule =
      (await schedules.find({ merchantKey: merchant.key, test: false }, await rig.plan())) ?? expect.fail();
    const both = await Promise.all([schedules.delete(schedule), schedules.delete(schedule)]);
    expect(both.toSorted()).toEqual(['deleted', 'gone']);
  });

  test('takes its rest with it when it is deleted', async () => {
    const plan = await subscriptions(woken);
    await rig.schedule('UPDATE_SCHEDULE', plan, { interval_length: '2' });
    await sql`DELETE FROM chains`.execute(database.db);
    expect((await rig.schedule('DELETE_SCHEDULE', plan)).json).toMatchObject({ result: 'SUCCESS' });
    expect(await rig.context.stores.schedules.wakeSome()).toBe(false);
  });
});
