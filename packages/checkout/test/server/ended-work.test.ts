import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseClock, openDatabase, type Database, storesOf } from '../../src/storage/index.ts';
import { insertPayment, MERCHANT_KEY } from '../support/rows.ts';
import { serverDatabase, type ServerDatabase } from '../support/server-database.ts';

/** Runs and callbacks that were under way since a server has cleared its tables: an index of what is under way still has them. */
const ENDED = 20_000;
const UNDER_WAY = 12;
const LIVE = 12;
/** A table from beginning to end, or an index of all that is under way. */
const READS_TOO_MUCH =
  /^Seq Scan on (?:payments|sessions|flow_runs|journal|callbacks|payment_references) |^\w+ Scan(?: Backward)? (?:using|on) (?:flow_runs_to_resume|callbacks_due)/;
const URL = 'https://shop.example/callbacks';

let server: ServerDatabase;
let database: Database;

beforeAll(async () => {
  server = await serverDatabase();
  database = await openDatabase({ url: server.url, poolSize: 1, limits: { statementMs: 120_000, silenceMs: 120_000 } });
  const { db } = database;
  for (const table of ['flow_runs', 'callbacks'])
    await sql.raw(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`).execute(db);
  await insertPayment(db, databaseClock);
  // What their rows refer to is not looked at.
  await sql`SET session_replication_role = replica`.execute(db);
  await sql`INSERT INTO payments SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'session_id', gen_random_uuid(),
      'merchant_reference', gen_random_uuid()))).* FROM payments p, generate_series(1, ${ENDED}::integer)`.execute(db);
  await sql`INSERT INTO flow_runs (run_id, payment_id, purpose, connector_id, connector_version, state, started_at, input_text, lease_owner, lease_epoch, lease_until)
    SELECT gen_random_uuid(), gen_random_uuid(), 'purchase', 'test', '1.0.0', 'running', now(), '{}', 'process-1', 1, now()
    FROM generate_series(1, ${ENDED}::integer)`.execute(db);
  await sql`INSERT INTO callbacks (id, payment_id, merchant_key, seq, url, content_type, body, next_try_at, created_at)
    SELECT 'msg_' || n, gen_random_uuid(), ${MERCHANT_KEY}::text, 1, ${URL}, 'text/plain', 'body', now(), now()
    FROM generate_series(1, ${ENDED}::integer) AS n`.execute(db);
  // The server's numbers are of a moment at which some were under way.
  for (const ended of [ENDED - UNDER_WAY, ENDED]) {
    await sql`UPDATE flow_runs SET state = 'finished', lease_owner = NULL, lease_until = NULL, finished_at = now()
      WHERE state = 'running' AND run_id IN (SELECT run_id FROM flow_runs ORDER BY run_id LIMIT ${ended}::integer)`.execute(
      db,
    );
    await sql`UPDATE callbacks SET state = 'delivered', delivered_at = now()
      WHERE state = 'waiting' AND id IN (SELECT id FROM callbacks ORDER BY id LIMIT ${ended}::integer)`.execute(db);
    if (ended < ENDED) await sql`ANALYZE flow_runs, callbacks, payments`.execute(db);
  }
  await sql`SET session_replication_role = origin`.execute(db);
}, 120_000);
afterAll(async () => {
  await database.close();
  await server.remove();
});

const starting = () => Promise.all(Array.from({ length: LIVE }, () => insertPayment(database.db, databaseClock)));

/** Payments that begin together, with a step and a change each, and their callbacks, which are claimed and delivered. */
async function payTogether(): Promise<void> {
  const stores = storesOf(database.db, databaseClock);
  const started = await starting();
  await Promise.all(started.map(({ lease }) => stores.journals.of(lease).begin(lease.runId, 'charge', 'call')));
  const callbacks = () =>
    [1, 2].map(() => ({ id: `msg_${randomUUID()}`, url: URL, contentType: 'text/plain', body: 'b' }));
  await Promise.all(
    started.map(({ payment, lease }) =>
      stores.payments.applyTransition({
        paymentId: payment.id,
        expectedVersion: 1,
        change: { state: 'pending', unknown: false },
        event: { kind: 'outcome', data: {} },
        references: [{ providerReference: payment.id }],
        callbacks: callbacks(),
        run: { lease, next: { state: 'finished', outcome: {} } },
      }),
    ),
  );
  const claimed = await stores.callbacks.claimDue(LIVE, 60_000);
  expect(claimed).toHaveLength(LIVE);
  const result = { status: 200, durationMs: 1, next: { state: 'delivered' } } as const;
  await Promise.all(claimed.map((callback) => stores.callbacks.recordAttempt(callback, result, 60_000)));
}

test('what is written together, and a claim, finds each row by its key and reads nothing that has ended', async () => {
  // A statement is prepared from the third time on that it comes.
  for (let time = 0; time < 3; time += 1) await payTogether();
  const { rows } = await sql<{ statement: string }>`
    SELECT statement FROM pg_prepared_statements WHERE statement ~ '^\\s*WITH (given|addresses|t) AS'`.execute(
    database.db,
  );
  expect(rows.length).toBeGreaterThan(4);
  // By the simple protocol, in which a text with parameters needs no values.
  const client = new Client(server.url);
  await client.connect();
  for (const { statement } of rows) {
    const { rows: plan } = await client.query<object>(`EXPLAIN (GENERIC_PLAN) ${statement}`);
    const reads = plan.flatMap(
      (line) => /(\w+ Scan(?: Backward)? (?:using|on) .*) {2}\(/.exec(JSON.stringify(line))?.[1] ?? [],
    );
    expect(reads.length).toBeGreaterThan(0);
    expect(
      reads.filter((read) => READS_TOO_MUCH.test(read)),
      statement,
    ).toEqual([]);
  }
  await client.end();
});
