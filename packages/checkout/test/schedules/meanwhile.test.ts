import type { Transport } from '@railyard/runtime';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBreakers } from '../../src/payments/runs/breakers.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import { useDatabase } from '../support/database.ts';
import { type ScheduleRig, scheduleRig } from '../support/schedule-rig.ts';

const database = useDatabase();
let rig: ScheduleRig;

beforeEach(() => {
  rig = scheduleRig(database.db);
});
afterEach(() => rig.close());

/** The service, where something happens while a call is on its way to the provider. */
function meanwhile(happens: () => Promise<unknown>): ServiceDeps {
  const transport: Transport = {
    async send(request) {
      await happens();
      return rig.context.transport.send(request);
    },
  };
  const { monotonic, log } = rig.context;
  return { ...rig.context, transport, breakers: createBreakers(transport, { monotonic, log }) };
}

describe('a charge that is on its way to the provider', () => {
  test.each([
    ['PAUSE', {}, ['2027-02-28 settled', '2027-03-31 paused']],
    ['RUN', {}, ['2027-02-28 settled', '2027-03-31 settled']],
    ['UPDATE_SCHEDULE', { interval_unit: 'day', interval_length: '30' }, ['2027-02-28 settled', '2027-03-30 settled']],
    ['UPDATE_SCHEDULE', { day_of_month: '15' }, ['2027-02-28 settled', '2027-03-15 settled']],
    ['UPDATE_SCHEDULE', { payments_count: '1' }, ['2027-02-28 settled']],
    ['DELETE_SCHEDULE', {}, ['2027-02-28 settled', '2027-03-31 settled']],
  ])('is made once though %s with %j comes meanwhile, which holds from then on', async (action, change, days) => {
    const plan = await rig.plan();
    const { id } = await rig.begin(plan);
    const answers: unknown[] = [];
    const by = meanwhile(async () => answers.push((await rig.schedule(action, plan, change)).status));
    await rig.work('2027-02-28T01:00:00Z', by);
    expect([answers, rig.charges.length]).toEqual([[action === 'DELETE_SCHEDULE' ? 400 : 200], 1]);
    for (const day of ['03-15', '03-30', '03-31']) await rig.work(`2027-${day}T01:00:00Z`);
    expect(await rig.days(id)).toEqual(days);
    expect(rig.charges).toHaveLength(days.filter((day) => day.endsWith('settled')).length);
  });

  test('ends as it was begun though its payer is taken out by DESCHEDULE meanwhile, and is the last', async () => {
    const plan = await rig.plan();
    const { id, token } = await rig.begin(plan);
    const by = meanwhile(() => rig.schedule('DESCHEDULE', plan, { recurring_token: token }));
    await rig.work('2027-02-28T01:00:00Z', by);
    await rig.work('2027-03-31T01:00:00Z');
    expect(await rig.days(id)).toEqual(['2027-02-28 settled']);
    expect(rig.charges).toHaveLength(1);
  });
});

describe('a change between two charges', () => {
  test('has the next on its new day of the month, and the amount stays the payment’s whatever a change of it says', async () => {
    const plan = await rig.plan();
    const { id } = await rig.begin(plan, { payment_schedule_amount: '9.00' });
    await rig.work('2027-02-28T01:00:00Z');
    await rig.schedule('UPDATE_SCHEDULE', plan, {
      day_of_month: '15',
      payment_schedule_amount: '1.00',
      order_amount: '1.00',
    });
    await rig.work('2027-03-15T01:00:00Z');
    expect(await rig.days(id)).toEqual(['2027-02-28 settled', '2027-03-15 settled']);
    expect(rig.charges.map(({ amount }) => amount)).toEqual([900, 900]);
  });
});
