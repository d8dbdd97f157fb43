import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { LeaseLostError, runsStore } from '../../src/storage/index.ts';
import { journalsStore, sqlJournal } from '../../src/storage/runs.ts';
import { testClock, useDatabase } from '../support/database.ts';
import { insertPayment } from '../support/rows.ts';

const database = useDatabase();

/** How the beginning of a step is written. */
const WAYS = {
  alone: sqlJournal,
  'with others': (...[db, clock, lease]: Parameters<typeof sqlJournal>) => journalsStore(db, clock).of(lease),
} as const;

async function setUp(way: keyof typeof WAYS = 'with others') {
  const time = testClock();
  const { payment, lease } = await insertPayment(database.db, time.clock);
  const runs = runsStore(database.db, time.clock);
  const journalOf = WAYS[way];
  /** Another process has found that the holder is gone. */
  const abandon = async () => {
    const held = (await runs.held()).filter(({ runId }) => runId === lease.runId);
    expect(await runs.abandon(held)).toBe(1);
  };
  return {
    ...time,
    payment,
    lease,
    runs,
    abandon,
    journal: journalOf(database.db, time.clock, lease),
    journalOf,
  };
}

describe.each(['alone', 'with others'] as const)('the journal in the database, whose steps are written %s', (way) => {
  it('keeps steps in the order in which they began, and their replies as JSON', async () => {
    const { lease, journal } = await setUp(way);
    await journal.begin(lease.runId, 'token', 'call');
    await journal.begin(lease.runId, 'charge', 'call');
    const reply = { z: 1, a: [1.5, null, 'é\u0000\ud800'], nested: { yes: true } };
    expect(await journal.finish(lease.runId, 'charge', reply)).toEqual(reply);
    const steps = await journal.load(lease.runId);
    expect(steps).toEqual([
      { step: 'token', kind: 'call', state: 'begun', sends: 1, begunAt: expect.any(String) },
      { step: 'charge', kind: 'call', state: 'done', sends: 1, begunAt: expect.any(String), reply },
    ]);
    expect(JSON.stringify(steps[1]?.reply)).toBe(JSON.stringify(reply));
  });

  it('keeps when a step first began, whenever it begins again', async () => {
    const { lease, journal, advance } = await setUp(way);
    await journal.begin(lease.runId, 'charge', 'call');
    const [first] = await journal.load(lease.runId);
    expect(new Date(first?.begunAt ?? '').toISOString()).toBe(first?.begunAt);
    advance(3_600_000);
    await journal.begin(lease.runId, 'charge', 'call');
    expect(await journal.load(lease.runId)).toEqual([{ ...first, sends: 2 }]);
  });

  it('leaves the time until which its run is kept, which is in an index, as it is', async () => {
    const { lease, journal, runs, advance } = await setUp(way);
    const before = await runs.find(lease.runId);
    advance(3_600_000);
    await journal.begin(lease.runId, 'charge', 'call');
    const { leaseUntil } = (await runs.find(lease.runId)) ?? expect.fail();
    expect(leaseUntil).toEqual(before?.leaseUntil);
  });

  it('numbers the steps of each run by itself, and takes no number from a sequence, which connections may cache', async () => {
    const [one, other] = [await setUp(way), await setUp(way)];
    for (const { journal, lease } of [one, other, one]) {
      const started = await journal.load(lease.runId);
      await journal.begin(lease.runId, `step-${started.length}`, 'call');
    }
    await one.journal.begin(one.lease.runId, 'step-0', 'call');
    await one.journal.begin(one.lease.runId, 'last', 'call');
    const steps = await one.journal.load(one.lease.runId);
    expect(steps.map(({ step }) => step)).toEqual(['step-0', 'step-1', 'last']);
    const sequences = await sql`SELECT sequencename FROM pg_sequences`.execute(database.db);
    expect(sequences.rows).toEqual([]);
  });

  it('counts how often a step may have been sent, until it is done', async () => {
    const { lease, journal } = await setUp(way);
    await journal.begin(lease.runId, 'charge', 'call');
    await journal.notSent(lease.runId, 'charge');
    expect(await journal.load(lease.runId)).toMatchObject([{ state: 'not-sent', sends: 1 }]);
    await journal.begin(lease.runId, 'charge', 'call');
    expect(await journal.load(lease.runId)).toMatchObject([{ state: 'begun', sends: 1 }]);
    await journal.begin(lease.runId, 'charge', 'call');
    expect(await journal.load(lease.runId)).toMatchObject([{ state: 'begun', sends: 2 }]);
    await journal.finish(lease.runId, 'charge', 'paid');
    await journal.begin(lease.runId, 'charge', 'call');
    await journal.notSent(lease.runId, 'charge');
    expect(await journal.load(lease.runId)).toMatchObject([{ state: 'done', sends: 2, reply: 'paid' }]);
  });

  it('does not hear from a process that lost the run that a step was not sent', async () => {
    const { clock, abandon, runs, lease, journal, journalOf } = await setUp(way);
    await journal.begin(lease.runId, 'charge', 'call');
    await abandon();
    const [taken] = await runs.claimAbandoned('process-2', 30_000, 1);
    if (taken === undefined) throw new Error('The run was not abandoned.');
    await journalOf(database.db, clock, taken.lease).begin(lease.runId, 'charge', 'call');
    await journal.notSent(lease.runId, 'charge');
    expect(await journal.load(lease.runId)).toMatchObject([{ state: 'begun', sends: 2 }]);
  });

  it('lets the first reply stand', async () => {
    const { lease, journal } = await setUp(way);
    await journal.begin(lease.runId, 'visit', 'visit');
    const replies = await Promise.all([
      journal.finish(lease.runId, 'visit', { by: 'browser' }),
      journal.finish(lease.runId, 'visit', { by: 'provider' }),
    ]);
    expect(replies[0]).toEqual(replies[1]);
    expect(await journal.load(lease.runId)).toMatchObject([{ state: 'done', reply: replies[0] }]);
  });

  it('refuses the reply of a step that was never begun', async () => {
    const { lease, journal } = await setUp(way);
    await expect(journal.finish(lease.runId, 'charge', null)).rejects.toThrow(/never begun/);
  });

  it('lets a process that lost the run start nothing, but record what it learnt', async () => {
    const { lease, journal, journalOf, runs, clock, abandon } = await setUp(way);
    await journal.begin(lease.runId, 'charge', 'call');
    await abandon();
    // Before another one has it, too.
    await expect(journal.begin(lease.runId, 'capture', 'call')).rejects.toBeInstanceOf(LeaseLostError);
    const [other] = await runs.claimAbandoned('process-2', 30_000, 1);
    await expect(journal.begin(lease.runId, 'capture', 'call')).rejects.toBeInstanceOf(LeaseLostError);
    await expect(journal.begin(lease.runId, 'charge', 'call')).rejects.toBeInstanceOf(LeaseLostError);
    await journal.finish(lease.runId, 'charge', 'paid');
    const next = journalOf(database.db, clock, other?.lease ?? lease);
    expect(await next.load(lease.runId)).toMatchObject([{ step: 'charge', state: 'done', sends: 1, reply: 'paid' }]);
  });

  it.each(['pending', 'settled'])('begins no step of a payment that is decided: it is %s', async (state) => {
    const { lease, journal, payment } = await setUp(way);
    await sql`UPDATE payments SET state = ${state}, version = version + 1 WHERE id = ${payment.id}::uuid`.execute(
      database.db,
    );
    const started = journal.begin(lease.runId, 'charge', 'call');
    if (state === 'pending') return expect(started).resolves.toBeUndefined();
    return expect(started).rejects.toBeInstanceOf(LeaseLostError);
  });

  it.each(['unknown', 'failed'])('begins no step of a modification that has ended: it is %s', async (state) => {
    const { lease, journal, payment } = await setUp(way);
    const { db } = database;
    await sql`UPDATE flow_runs SET purpose = 'refund' WHERE run_id = ${lease.runId}::uuid`.execute(db);
    await sql`INSERT INTO modifications (id, payment_id, mid_id, kind, amount_text, amount_minor, currency, state, created_at, updated_at)
      VALUES (${lease.runId}::uuid, ${payment.id}::uuid, 'mid-1', 'refund', '1.00', 100, 'BRL', 'requested', now(), now())`.execute(
      db,
    );
    await journal.begin(lease.runId, 'refund', 'call');
    await sql`UPDATE modifications SET state = ${state} WHERE id = ${lease.runId}::uuid`.execute(db);
    const again = journal.begin(lease.runId, 'refund', 'call');
    if (state === 'unknown') return expect(again).resolves.toBeUndefined();
    return expect(again).rejects.toBeInstanceOf(LeaseLostError);
  });

  it('is the journal of one run', async () => {
    const { journal } = await setUp(way);
    const another = await setUp(way);
    await expect(journal.load(another.lease.runId)).rejects.toThrow(/not of/);
  });
});

describe('runs', () => {
  it('gives an abandoned run to one claimer, and none that a process holds, whatever the clock says', async () => {
    const { runs, lease, advance, abandon } = await setUp();
    advance(86_400_000);
    expect(await runs.claimAbandoned('process-2', 30_000, 10)).toEqual([]);
    await abandon();
    const claims = await Promise.all([
      runs.claimAbandoned('process-2', 30_000, 10),
      runs.claimAbandoned('process-3', 30_000, 10),
    ]);
    expect(claims.flat()).toMatchObject([
      { midId: 'mid-1', run: { runId: lease.runId, state: 'running' }, lease: { epoch: 3 } },
    ]);
  });

  it('leaves a run to a holder who gave a sign of life after it was looked at', async () => {
    const { runs, lease } = await setUp();
    const held = await runs.held();
    await runs.beat('process-1', [lease.runId], 30_000);
    expect(await runs.abandon(held)).toBe(0);
    await runs.beat('process-2', [lease.runId], 30_000);
    expect(await runs.held()).toMatchObject([{ runId: lease.runId, leaseOwner: 'process-1', beats: 1 }]);
  });

  it('is executed once more by its holder, and by no process that lost it', async () => {
    const { runs, lease, abandon } = await setUp();
    const again = await runs.again(lease, 30_000);
    expect(again).toMatchObject({ run: { tries: 1 }, lease: { epoch: 2 } });
    expect(await runs.again(lease, 30_000)).toBeUndefined();
    await abandon();
    expect(await runs.again(again?.lease ?? lease, 30_000)).toBeUndefined();
  });

  it('counts how often it was taken up again, but not the answers of the payer', async () => {
    const { runs, lease, abandon } = await setUp();
    await runs.suspend(lease, 'code', {});
    for (let answer = 0; answer < 3; answer += 1) {
      const claimed = await runs.claim(lease.runId, 'process-1', 1000);
      if (claimed === undefined) throw new Error('Nobody else executes it.');
      await runs.suspend(claimed.lease, 'code', {});
    }
    await runs.claim(lease.runId, 'process-1', 1000);
    expect(await runs.find(lease.runId)).toMatchObject({ tries: 0, leaseEpoch: 5 });
    await abandon();
    expect(await runs.claimAbandoned('process-2', 1000, 10)).toMatchObject([{ run: { tries: 1 } }]);
  });

  it('leaves the runs of a busy account, and those that the caller has under way, to later', async () => {
    const { runs, lease, abandon } = await setUp();
    await abandon();
    expect(await runs.claimAbandoned('process-3', 0, 10, { mids: ['mid-1'] })).toEqual([]);
    expect(await runs.claimAbandoned('process-3', 0, 10, { runs: [lease.runId] })).toEqual([]);
    expect(await runs.claimAbandoned('process-3', 0, 10, { mids: ['another'], runs: ['another'] })).toHaveLength(1);
  });

  it('takes the lease from its former holder', async () => {
    const { runs, lease, abandon } = await setUp();
    await runs.renew(lease, 60_000);
    await abandon();
    const [claimed] = await runs.claimAbandoned('process-2', 1000, 1);
    await expect(runs.renew(lease, 1000)).rejects.toBeInstanceOf(LeaseLostError);
    await expect(runs.suspend(lease, 'visit', {})).rejects.toBeInstanceOf(LeaseLostError);
    await expect(runs.finish(lease, {})).rejects.toBeInstanceOf(LeaseLostError);
    await runs.finish(claimed?.lease ?? lease, { status: 'settled' });
    expect(await runs.find(lease.runId)).toMatchObject({ state: 'finished', outcomeText: '{"status":"settled"}' });
  });

  it('leaves a suspended run alone until a process claims it', async () => {
    const { runs, lease, advance } = await setUp();
    await runs.suspend(lease, 'code', { fields: ['code'] });
    advance(86_400_000);
    expect(await runs.claimAbandoned('process-2', 1000, 10)).toEqual([]);
    expect(await runs.find(lease.runId)).toMatchObject({
      state: 'suspended',
      suspendedStep: 'code',
      suspendedText: '{"fields":["code"]}',
    });
    const claims = await Promise.all([
      runs.claim(lease.runId, 'process-2', 1000),
      runs.claim(lease.runId, 'process-3', 1000),
    ]);
    expect(claims.filter((each) => each !== undefined)).toMatchObject([
      { run: { state: 'running', suspendedStep: null }, lease: { epoch: 2 } },
    ]);
  });

  it('is not executed again once it has ended', async () => {
    const { runs, lease, advance } = await setUp();
    await runs.finish(lease, null);
    advance(86_400_000);
    expect(await runs.claim(lease.runId, 'process-2', 1000)).toBeUndefined();
    expect(await runs.claimAbandoned('process-2', 1000, 10)).toEqual([]);
  });

  it('gives what a process gave back to the process that asks next', async () => {
    const { runs } = await setUp();
    await runs.releaseAll('process-2');
    expect(await runs.claimAbandoned('process-2', 1000, 10)).toEqual([]);
    await runs.releaseAll('process-1');
    expect(await runs.claimAbandoned('process-2', 1000, 10)).toHaveLength(1);
  });

  it('allows many modifications on a payment, but one operation', async () => {
    const { runs, payment } = await setUp();
    const run = {
      paymentId: payment.id,
      connectorId: 'test',
      connectorVersion: '1',
      input: {},
      owner: 'process-1',
      leaseMs: 1000,
    };
    await runs.create({ ...run, runId: crypto.randomUUID(), purpose: 'status' });
    await runs.create({ ...run, runId: crypto.randomUUID(), purpose: 'status' });
    await expect(runs.create({ ...run, runId: crypto.randomUUID(), purpose: 'purchase' })).rejects.toThrow(
      /duplicate key/,
    );
    expect(await runs.ofPayment(payment.id)).toHaveLength(3);
  });

  it('begins one renewal of a payment at a time', async () => {
    const { runs, payment } = await setUp();
    const renewal = () =>
      runs.create({
        runId: crypto.randomUUID(),
        paymentId: payment.id,
        purpose: 'renew',
        connectorId: 'test',
        connectorVersion: '1',
        input: {},
        owner: 'process-1',
        leaseMs: 1000,
      });
    const first = await renewal();
    expect(await renewal()).toEqual({ result: 'under-way' });
    if (first.result === 'created') await runs.finish(first.lease, { status: 'pending' });
    expect(await renewal()).toMatchObject({ result: 'created' });
  });
});
