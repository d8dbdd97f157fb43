import { MORE } from '@railyard/runtime';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type CheckoutConfig, createLog } from '../../src/index.ts';
import { openText, sealedAt } from '../../src/secrets/index.ts';
import { tidy } from '../../src/work/upkeep.ts';
import { useDatabase } from '../support/database.ts';
import { pixConfig } from '../support/pix-config.ts';
import { needed, OPENINGS, PAYER, reopen, storeSession, storeThread } from '../support/retention-threads.ts';
import { serviceContext } from '../support/service-context.ts';

const DAY = 86_400_000;
const database = useDatabase();
const provider = { url: 'http://127.0.0.1:1', apiKey: 'a', webhookSecret: 'b' };

function setUp(change: Partial<CheckoutConfig> = {}) {
  const time = { at: Date.parse('2026-01-01T12:00:00Z') };
  const config = { ...pixConfig(provider, 'http://127.0.0.1:1', 0), ...change };
  const made = serviceContext(database.db, config, () => time.at);
  const lines: string[] = [];
  return { ...made, time, lines, context: { ...made.context, log: createLog({ write: (line) => lines.push(line) }) } };
}

const rows = async (query: string): Promise<number> =>
  Number((await sql.raw<{ rows: string }>(`SELECT count(*) AS rows FROM ${query}`).execute(database.db)).rows[0]?.rows);

/** Rows that still have something of a payer, table by table. */
async function personalRows({ context }: ReturnType<typeof setUp>): Promise<Record<string, number>> {
  const sessions = await database.db.selectFrom('sessions').selectAll().execute();
  const named = sessions.filter(({ id, requestText }) =>
    openText(context.sealer, requestText, sealedAt.request(id)).includes(PAYER),
  );
  return {
    sessions: named.length,
    payments: await rows(`payments WHERE payer_ip IS NOT NULL OR provider_message IS NOT NULL OR card_id IS NOT NULL`),
    runs: await rows('flow_runs'),
    journal: await rows('journal'),
    notifications: await rows('provider_notifications'),
    events: await rows(`provider_events WHERE data_text <> '{}'`),
    callbacks: await rows('callbacks'),
    attempts: await rows('callback_attempts'),
    cards: await rows('cards'),
  };
}

const ALL = { payments: 3, runs: 3, journal: 3, notifications: 3, events: 3, callbacks: 3, attempts: 3, cards: 3 };
const NONE = {
  sessions: 0,
  payments: 0,
  runs: 0,
  journal: 0,
  notifications: 0,
  events: 0,
  callbacks: 0,
  attempts: 0,
  cards: 0,
};

describe('what is personal, by the defaults', () => {
  test.each([400, 1000])('is gone after %i days, and the money and its history are there', async (days) => {
    const rig = setUp();
    for (const _each of [1, 2, 3]) await storeThread(rig.context);
    await storeSession(rig.context);
    rig.time.at += 2 * 3_600_000;
    await rig.context.stores.sessions.expireDue(10);
    await tidy(rig.context, false);
    expect(await personalRows(rig)).toEqual({ sessions: 4, ...ALL });
    rig.time.at += days * DAY;
    await tidy(rig.context, false);
    expect(await personalRows(rig)).toEqual(NONE);
    expect(await rows('sessions')).toBe(3);
    expect(await rows(`payments WHERE state = 'settled' AND received_minor = 1000 AND amount_text = '10.00'`)).toBe(3);
    expect(await rows('payment_events')).toBe(6);
    expect(await rows(`provider_events WHERE state = 'ignored' AND provider_reference = 'tx'`)).toBe(3);
    await rig.close();
  });

  test('stays until the last millisecond of its period', async () => {
    const rig = setUp();
    const { sessionId } = await storeThread(rig.context);
    const erasedAt = async () => (await rig.context.stores.sessions.find(sessionId))?.erasedAt;
    rig.time.at += 400 * DAY - 1;
    await tidy(rig.context, false);
    expect(await erasedAt()).toBeNull();
    rig.time.at += 1;
    await tidy(rig.context, false);
    expect(await erasedAt()).toEqual(new Date(rig.time.at));
    await rig.close();
  });
});

test('what replies had beside their description is kept for its period after it was last seen, however long ago it was first seen', async () => {
  const rig = setUp({ retention: { drift: 30 } });
  const { drift } = rig.context.stores;
  const at = rig.time.at;
  const count = { connector: 'c', version: '1.0.0', endpoint: 'pay', reply: 'ok', status: 0, form: 'number', seen: 1 };
  const fee = { ...count, kind: 'unnamed-field' as const, place: 'fee', firstSeen: at, lastSeen: at };
  await drift.add([fee, { ...fee, place: 'tax' }], MORE);
  rig.time.at += 30 * DAY - 1;
  await tidy(rig.context, false);
  expect(await drift.list()).toHaveLength(2);
  await drift.add([{ ...fee, firstSeen: rig.time.at, lastSeen: rig.time.at }], MORE);
  rig.time.at += 1;
  await tidy(rig.context, false);
  expect(await drift.list()).toEqual([{ ...fee, seen: 2, lastSeen: rig.time.at - 1 }]);
  await rig.close();
});

describe('what is open', () => {
  test.each([...OPENINGS])('%s keeps all that it needs for 10,000 days', async (_name, opening) => {
    const rig = setUp({
      retention: { sessions: 30, payments: 120, runs: 30, notifications: 30, events: 30, callbacks: 30 },
    });
    const thread = await storeThread(rig.context);
    const done = await storeThread(rig.context);
    await reopen(database.db, opening, thread);
    const before = await needed(database.db, thread);
    rig.time.at += 10_000 * DAY;
    await tidy(rig.context, false);
    expect(await needed(database.db, thread)).toEqual(before);
    expect(await rig.context.stores.sessions.find(done.sessionId)).toHaveProperty('erasedAt', new Date(rig.time.at));
    await rig.close();
  });

  test('a saved card keeps its payment, and an open session its request', async () => {
    const rig = setUp();
    const thread = await storeThread(rig.context, { saves: true });
    const open = await storeSession(rig.context);
    const before = await needed(database.db, thread);
    rig.time.at += 10_000 * DAY;
    await tidy(rig.context, false);
    expect(await needed(database.db, thread)).toEqual(before);
    expect(await rows(`cards WHERE number_text IS NOT NULL`)).toBe(1);
    expect(await rig.context.stores.sessions.find(open.id)).toMatchObject({ state: 'open', erasedAt: null });
    await rig.close();
  });
});

test('deletes and erases at most 1,000 rows in a statement, and goes on until nothing is left', async () => {
  const rig = setUp();
  const { paymentId } = await storeThread(rig.context);
  await sql.raw(`CREATE TABLE statement_rows (rows integer)`).execute(database.db);
  await sql
    .raw(
      `CREATE FUNCTION count_rows() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO statement_rows SELECT count(*) FROM gone; RETURN NULL; END $$`,
    )
    .execute(database.db);
  await sql
    .raw(
      `CREATE TRIGGER counted AFTER DELETE ON provider_notifications REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION count_rows()`,
    )
    .execute(database.db);
  await sql
    .raw(
      `INSERT INTO provider_notifications (id, connector_id, mid_id, request_text, body, state, next_try_at, received_at)
        SELECT gen_random_uuid(), 'c', 'm', '{}', '', 'handled', received_at, received_at
        FROM provider_notifications, generate_series(1, 2499)`,
    )
    .execute(database.db);
  rig.time.at += 400 * DAY;
  await tidy(rig.context, false);
  const { rows: statements } = await sql<{ rows: number }>`SELECT rows FROM statement_rows`.execute(database.db);
  await sql.raw('DROP FUNCTION count_rows CASCADE').execute(database.db);
  await sql.raw('DROP TABLE statement_rows').execute(database.db);
  expect(statements.map((each) => each.rows)).toEqual([1000, 1000, 500]);
  expect(await rig.context.stores.payments.find(paymentId)).toHaveProperty('erasedAt', new Date(rig.time.at));
  await rig.close();
});
