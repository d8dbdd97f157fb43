import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWatch, LEASE_MS, pulse, PULSE_MS } from '../../src/payments/runs/lease.ts';
import { takeAbandoned } from '../../src/payments/runs/again.ts';
import { runsUnderWay } from '../../src/payments/runs/deps.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import { clockFrom, storesOf } from '../../src/storage/index.ts';
import { useDatabase } from '../support/database.ts';
import { pixConfig } from '../support/pix-config.ts';
import { pixProvider, type PixProvider } from '../support/pix-provider.ts';
import { insertPayment } from '../support/rows.ts';
import { serviceContext } from '../support/service-context.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.parse('2026-11-21T12:00:00Z');

const database = useDatabase();
let provider: PixProvider;
let made: ReturnType<typeof serviceContext>;

beforeAll(async () => {
  provider = await pixProvider();
  made = serviceContext(database.db, pixConfig(provider, 'https://shop.example/callbacks', 1), () => START);
});

afterAll(async () => {
  await made.close();
  await provider.close();
});

let names = 0;

/** A process with clocks of its own: one on the wall that may be set, and one that goes on by a pulse at a time. */
function aProcess() {
  names += 1;
  const time = { wall: START, passed: 0 };
  const sqlClock = clockFrom(() => new Date(time.wall));
  const monotonic = () => time.passed;
  const context: ServiceDeps = {
    ...made.context,
    sqlClock,
    now: () => time.wall,
    monotonic,
    stores: storesOf(database.db, sqlClock),
    owner: `process-${names}`,
    underWay: runsUnderWay(monotonic),
  };
  const watch = createWatch(monotonic);
  return {
    context,
    time,
    async pulse() {
      time.passed += PULSE_MS;
      time.wall += PULSE_MS;
      await pulse(context, watch);
    },
    take: async () => (await takeAbandoned(context, 10, [])).map(({ lease }) => lease.runId),
  };
}

/** A run that this process executes until `end` is called. */
async function executed({ context }: ReturnType<typeof aProcess>) {
  const { runId } = (await insertPayment(database.db, context.sqlClock)).lease;
  await database.db.updateTable('flowRuns').set({ leaseOwner: context.owner }).where('runId', '=', runId).execute();
  let end = () => {};
  const over = new Promise<void>((resolve) => (end = resolve));
  const drive = context.underWay.during(runId, () => over);
  return {
    runId,
    async end() {
      end();
      await drive;
    },
  };
}

const PULSES = (2 * LEASE_MS) / PULSE_MS;

describe('a run that a process executes', () => {
  test.for([
    ['an hour ahead', HOUR, 0],
    ['an hour back', -HOUR, 0],
    ['to summer time and back, which moves no clock that counts seconds', 0, 0],
    ['by a leap second', 1000, 0],
    ['apart by five minutes from the start', 0, 5 * MINUTE],
    ['apart by five minutes, the other way round', 0, -5 * MINUTE],
  ] as const)('is left to it by another one: clocks go %s', async ([, step, apart]) => {
    const [driver, other] = [aProcess(), aProcess()];
    other.time.wall += apart;
    const run = await executed(driver);
    for (let at = 0; at < PULSES; at += 1) {
      if (at === 3) driver.time.wall += step;
      if (at === 6) other.time.wall += step;
      if (at === 9) driver.time.wall -= 2 * step;
      await driver.pulse();
      await other.pulse();
      expect([...(await other.take()), ...(await driver.take())]).toEqual([]);
    }
    await run.end();
  });

  test.for([0, HOUR, -HOUR])(
    'is taken over a minute after its last sign of life, with clocks %d ms apart',
    async (apart) => {
      const [driver, other] = [aProcess(), aProcess()];
      other.time.wall += apart;
      const run = await executed(driver);
      await driver.pulse();
      await other.pulse();
      let silent = 0;
      while ((await other.take()).length === 0) {
        await other.pulse();
        silent += PULSE_MS;
        expect(silent).toBeLessThanOrEqual(LEASE_MS);
      }
      expect(silent).toBe(LEASE_MS);
      await run.end();
    },
  );

  test('is not taken from the process that still executes it, after another one took it for gone', async () => {
    const [driver, other] = [aProcess(), aProcess()];
    const run = await executed(driver);
    await other.pulse();
    for (let silent = 0; silent < LEASE_MS; silent += PULSE_MS) await other.pulse();
    expect(await driver.take()).toEqual([]);
    expect(await other.take()).toEqual([run.runId]);
    await run.end();
  });

  test('is not taken by a process that was paused itself, or whose database was away', async () => {
    const [driver, other] = [aProcess(), aProcess()];
    const run = await executed(driver);
    await other.pulse();
    other.time.passed += HOUR;
    await other.pulse();
    expect(await other.take()).toEqual([]);
    await driver.pulse();
    await other.pulse();
    expect(await other.take()).toEqual([]);
    await run.end();
  });

  test('is taken again by its own process when its execution failed for a reason of ours', async () => {
    const driver = aProcess();
    const { runId } = (await insertPayment(database.db, driver.context.sqlClock)).lease;
    await driver.pulse();
    for (let silent = 0; silent < LEASE_MS; silent += PULSE_MS) await driver.pulse();
    expect(await driver.take()).toEqual([runId]);
  });

  test('is free at once when its process ends in good order', async () => {
    const [driver, other] = [aProcess(), aProcess()];
    const run = await executed(driver);
    await driver.context.stores.runs.releaseAll(driver.context.owner);
    expect(await other.take()).toEqual([run.runId]);
    await run.end();
  });
});

describe('a run that waits for its next try', () => {
  test.for([HOUR, -HOUR])('waits neither shorter nor longer for a clock that goes by %d ms', async (step) => {
    const [driver, other] = [aProcess(), aProcess()];
    const started = await insertPayment(database.db, driver.context.sqlClock);
    const { runId } = started.lease;
    await database.db
      .updateTable('flowRuns')
      .set({ leaseOwner: driver.context.owner })
      .where('runId', '=', runId)
      .execute();
    const lease = { ...started.lease, owner: driver.context.owner };
    driver.context.underWay.keep({ lease, midId: 'mid-1' }, 120_000);
    driver.time.wall += step;
    driver.time.passed += 119_999;
    expect(await driver.take()).toEqual([]);
    driver.time.passed += 1;
    // Only its own process has the card's security code.
    other.time.wall += HOUR;
    expect(await other.take()).toEqual([]);
    expect(await takeAbandoned(driver.context, 10, ['mid-1'])).toEqual([]);
    const taken = await takeAbandoned(driver.context, 10, ['another']);
    expect(taken).toMatchObject([{ midId: 'mid-1', run: { runId, tries: 1 }, lease: { epoch: 2 } }]);
    expect(await driver.take()).toEqual([]);
  });

  test('is left alone where another process has it by now', async () => {
    const [driver, other] = [aProcess(), aProcess()];
    const { lease } = await insertPayment(database.db, driver.context.sqlClock);
    driver.context.underWay.keep({ lease, midId: 'mid-1' }, 0);
    const held = (await other.context.stores.runs.held()).filter(({ runId }) => runId === lease.runId);
    await other.context.stores.runs.abandon(held);
    expect(await other.take()).toEqual([lease.runId]);
    expect(await driver.take()).toEqual([]);
  });
});
