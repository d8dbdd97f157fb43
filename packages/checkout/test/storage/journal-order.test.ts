import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../src/storage/database/open.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import { kyselyOver } from '../../src/storage/database/open.ts';
import type { Db } from '../../src/storage/database/sql.ts';

const LATER = '0090-journal-order';
const BEFORE = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < LATER));
const RUNS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;

let db: Db;

beforeAll(async () => {
  db = kyselyOver(await PGlite.create());
});
afterAll(() => db.destroy());

async function storeRun(runId: string): Promise<void> {
  await sql`INSERT INTO flow_runs (run_id, payment_id, action, connector_id, connector_version, state, started_at, finished_at, input_text)
    VALUES (${runId}, ${runId}, 'purchase', 'test', '1.0.0', 'finished', now(), now(), '{}')`.execute(db);
}

async function storeStep(runId: string, step: string): Promise<void> {
  await sql`INSERT INTO journal (run_id, step, kind, state, sends, begun_at)
    VALUES (${runId}, ${step}, 'call', 'begun', 1, now())`.execute(db);
}

it('keeps the order of steps that an earlier version wrote', async () => {
  await migrate(db, BEFORE);
  // The rows stand without their payments.
  await sql`SET session_replication_role = replica`.execute(db);
  for (const runId of RUNS) await storeRun(runId);
  for (const step of ['token', 'charge', 'capture']) for (const runId of RUNS) await storeStep(runId, step);
  await sql`SET session_replication_role = origin`.execute(db);
  expect(await migrate(db, migrations)).toContain(LATER);
  const steps = await db
    .selectFrom('journal')
    .select(['runId', 'step', 'position'])
    .orderBy('runId')
    .orderBy('position')
    .execute();
  const expected = ['token', 'charge', 'capture'].map((step, index) => ({ step, position: index + 1 }));
  expect(steps).toEqual(RUNS.flatMap((runId) => expected.map((each) => ({ runId, ...each }))));
  const runs = await db.selectFrom('flowRuns').select('begunSteps').execute();
  expect(runs).toEqual([{ begunSteps: 3 }, { begunSteps: 3 }]);
});
