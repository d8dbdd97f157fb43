import { daysAfter } from '@railyard/core/protocol';
import { expect, test } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { dyingProcess } from '../support/dying-process.ts';
import { scheduleRig } from '../support/schedule-rig.ts';

const database = useDatabase();

const DAILY = { interval_length: '1', interval_unit: 'day', payments_count: '1000' };
/** Each of its statements has two, and so has its call (docs/decisions/recurring-payments-and-schedules.md); fewer would be a fault of the test. */
const POINTS = { least: 12, most: 20 };

test('a process that dies at any point of a charge charges its day once, and loses none', async () => {
  const rig = scheduleRig(database.db);
  const { id } = await rig.begin(await rig.plan(DAILY));
  const expected: string[] = [];
  let isDead = true;
  // Each day is charged by a process that lives through one point more than that of the day before.
  for (let at = 0; isDead; at += 1) {
    const day = daysAfter('2027-02-01', at);
    const process = dyingProcess(rig.context, at);
    await process.do((context) => rig.work(`${day}T01:00:00Z`, context));
    await rig.recover(`${day}T01:10:00Z`);
    expected.push(`${day} settled`);
    expect([at, await rig.days(id)]).toEqual([at, expected]);
    expect([at, rig.charges.length]).toEqual([at, expected.length]);
    isDead = process.isDead();
  }
  expect(expected.length).toBeGreaterThan(POINTS.least);
  expect(expected.length).toBeLessThanOrEqual(POINTS.most + 1);
  await rig.close();
}, 60_000);
