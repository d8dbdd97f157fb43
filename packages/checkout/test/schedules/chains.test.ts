import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { lookAtChain, takeChains } from '../../src/payments/scheduled.ts';
import type { ServiceDeps } from '../../src/work/deps.ts';
import { chainsStore } from '../../src/storage/chains.ts';
import { saleFields } from '../support/card-commands.ts';
import { refusalLines } from '../support/commands.ts';
import { useDatabase } from '../support/database.ts';
import { type ScheduleRig, scheduleRig } from '../support/schedule-rig.ts';
import { merchant } from '../support/service.ts';

const database = useDatabase();
let rig: ScheduleRig;

beforeEach(() => {
  rig = scheduleRig(database.db);
});
afterEach(() => rig.close());

describe('a chain', () => {
  test('begins with the payment that its payer makes, and is answered with its first day', async () => {
    const plan = await rig.plan();
    const { json, trans_id } = await rig.begin(plan);
    expect(json).toMatchObject({ schedule_id: plan, first_recurring_date: '2027-02-28' });
    expect(trans_id).not.toBe('');
  });

  test('is charged each due day once, with the amount of later payments, in the words of its command', async () => {
    const plan = await rig.plan({ payments_count: '2' });
    const { id, number } = await rig.begin(plan, { payment_schedule_amount: '9.00' });
    for (const at of ['2027-02-27T23:59:59Z', '2027-02-28T00:00:00Z', '2027-02-28T12:00:00Z']) await rig.work(at);
    expect(await rig.days(id)).toEqual(['2027-02-28 settled']);
    await rig.work('2027-03-31T08:00:00Z');
    await rig.work('2027-04-30T08:00:00Z');
    expect(await rig.days(id)).toEqual(['2027-02-28 settled', '2027-03-31 settled']);
    expect(rig.charges.map(({ at, amount }) => `${at} ${amount}`)).toEqual([
      '2027-02-28T00:00:00.000Z 900',
      '2027-03-31T08:00:00.000Z 900',
    ]);
    expect(await rig.callbacks(`${number}-2027-02-28`)).toMatchObject([
      { action: 'RECURRING_SALE', result: 'SUCCESS', status: 'SETTLED', amount: '9.00', schedule_id: plan },
    ]);
  });

  test('begins on the chosen day, from which the later ones count', async () => {
    const { id, json } = await rig.begin(await rig.plan(), { schedule_start_date: '2027-02-10' });
    expect(json).toMatchObject({ schedule_start_date: '2027-02-10', first_recurring_date: '2027-02-10' });
    for (const day of ['2027-02-10', '2027-03-10']) await rig.work(`${day}T01:00:00Z`);
    expect(await rig.days(id)).toEqual(['2027-02-10 settled', '2027-03-10 settled']);
  });

  test('of a debit is charged as one', async () => {
    const { number } = await rig.begin(await rig.plan(), { action: 'DEBIT' });
    await rig.work('2027-02-28T01:00:00Z');
    expect(await rig.callbacks(`${number}-2027-02-28`)).toMatchObject([{ action: 'RECURRING_DEBIT' }]);
  });

  test('has days of its merchant’s time zone', async () => {
    const far = scheduleRig(database.db, { timeZone: 'Pacific/Auckland' });
    const { id } = await far.begin(await far.plan());
    await far.work('2027-02-27T10:59:59Z');
    expect(await far.days(id)).toEqual([]);
    await far.work('2027-02-27T11:00:00Z');
    expect(await far.days(id)).toEqual(['2027-02-28 settled']);
    await far.close();
  });

  test('is charged once where two look at it at the same moment', async () => {
    const { id } = await rig.begin(await rig.plan());
    rig.set('2027-02-28T01:00:00Z');
    await Promise.all([lookAtChain(rig.context, { id }), lookAtChain(rig.context, { id })]);
    expect(rig.charges).toHaveLength(1);
    expect(await rig.days(id)).toEqual(['2027-02-28 settled']);
  });
});

describe('days that passed while nothing charged them', () => {
  const DAYS = ['2027-02-28', '2027-03-31', '2027-04-30'];

  test.each([
    ['all', ['settled', 'settled', 'settled']],
    ['latest', ['missed', 'missed', 'settled']],
    ['none', ['missed', 'missed', 'missed']],
  ] as const)('are charged by catchUp %s, once and in order', async (catchUp, states) => {
    const late = scheduleRig(database.db, { catchUp });
    const { id, number, trans_id } = await late.begin(await late.plan());
    await late.work('2027-05-02T01:00:00Z');
    await late.work('2027-05-02T02:00:00Z');
    expect(await late.days(id)).toEqual(DAYS.map((day, index) => `${day} ${states[index]}`));
    expect(late.charges).toHaveLength(states.filter((state) => state === 'settled').length);
    const [first] = await late.callbacks(`${number}-2027-02-28`);
    if (catchUp !== 'all')
      expect(first).toMatchObject({ action: 'RECURRING_SALE', result: 'SKIPPED', trans_id, amount: '1.99' });
    await late.close();
  });
});

describe('a pause', () => {
  test('skips the days within it, which do not count, and its end charges nothing by itself', async () => {
    const plan = await rig.plan({ payments_count: '1' });
    const { id } = await rig.begin(plan);
    await rig.schedule('PAUSE', plan);
    await rig.work('2027-03-01T01:00:00Z');
    expect(await rig.days(id)).toEqual(['2027-02-28 paused']);
    await rig.schedule('RUN', plan);
    await rig.work('2027-03-01T02:00:00Z');
    expect(rig.charges).toEqual([]);
    await rig.work('2027-03-31T01:00:00Z');
    expect(await rig.days(id)).toEqual(['2027-02-28 paused', '2027-03-31 settled']);
  });

  test('of one payer leaves the others alone', async () => {
    const plan = await rig.plan();
    const [one, two] = [await rig.begin(plan), await rig.begin(plan)];
    expect((await rig.schedule('PAUSE', plan, { recurring_token: one.token })).json).toMatchObject({
      result: 'SUCCESS',
    });
    await rig.work('2027-02-28T01:00:00Z');
    expect([await rig.days(one.id), await rig.days(two.id)]).toEqual([['2027-02-28 paused'], ['2027-02-28 settled']]);
    await rig.schedule('RUN', plan, { recurring_token: one.token });
    await rig.work('2027-03-31T01:00:00Z');
    expect(await rig.days(one.id)).toContain('2027-03-31 settled');
  });

  test.each(['PAUSE', 'DESCHEDULE', 'UPDATE_SCHEDULE'] as const)(
    'a charge that was decided before %s was acknowledged does not begin after it',
    async (action) => {
      const plan = await rig.plan();
      const { id, token } = await rig.begin(plan);
      const chains = chainsStore(database.db, rig.context.sqlClock);
      const { beginCharge } = chains;
      let acknowledged = false;
      chains.beginCharge = async (...of) => {
        if (!acknowledged) {
          acknowledged = true;
          const more = action === 'UPDATE_SCHEDULE' ? { interval_length: '2' } : { recurring_token: token };
          const { json } = await rig.schedule(action, plan, more);
          expect(json).toMatchObject({ result: 'SUCCESS' });
          const begun = await beginCharge.apply(chains, of);
          expect(begun).toBeUndefined();
          return begun;
        }
        return beginCharge.apply(chains, of);
      };
      const late: ServiceDeps = { ...rig.context, stores: { ...rig.context.stores, chains } };
      await rig.work('2027-02-28T01:00:00Z', late);
      expect(acknowledged).toBe(true);
      // Of an update the due days of the same day stay.
      expect(await rig.days(id)).toEqual(action === 'UPDATE_SCHEDULE' ? ['2027-02-28 settled'] : []);
      expect(rig.charges).toHaveLength(action === 'UPDATE_SCHEDULE' ? 1 : 0);
    },
  );

  test('that began and ended since a charge was decided has it decided again, and its day is charged once', async () => {
    const plan = await rig.plan();
    const { id, token } = await rig.begin(plan);
    const chains = chainsStore(database.db, rig.context.sqlClock);
    const { beginCharge } = chains;
    const begun: boolean[] = [];
    chains.beginCharge = async (...of) => {
      if (begun.length === 0)
        for (const action of ['PAUSE', 'RUN'] as const)
          expect((await rig.schedule(action, plan, { recurring_token: token })).json).toMatchObject({
            result: 'SUCCESS',
          });
      const started = await beginCharge.apply(chains, of);
      begun.push(started !== undefined);
      return started;
    };
    await rig.work('2027-02-28T01:00:00Z', { ...rig.context, stores: { ...rig.context.stores, chains } });
    expect(begun).toEqual([false, true]);
    expect(rig.charges).toHaveLength(1);
    expect(await rig.days(id)).toEqual(['2027-02-28 settled']);
  });
});

describe('a declined charge', () => {
  test('is tried again by the plan after a soft decline, and settles', async () => {
    const { id, number } = await rig.begin(await rig.plan({ retry_days: '1,3' }));
    rig.state.charged = ({ at }) => (at < '2027-03-03' ? 'soft' : 'approved');
    for (const day of ['02-28', '03-01', '03-02', '03-03', '03-04']) await rig.work(`2027-${day}T01:00:00Z`);
    expect(rig.charges.map(({ at }) => at.slice(0, 10))).toEqual(['2027-02-28', '2027-03-01', '2027-03-03']);
    expect(await rig.days(id)).toEqual(['2027-02-28 settled']);
    expect(await rig.callbacks(`${number}-2027-02-28`)).toMatchObject([
      { action: 'RECURRING_SALE', result: 'DECLINED' },
      { action: 'RETRY', result: 'DECLINED' },
      { action: 'RETRY', result: 'SUCCESS' },
    ]);
  });

  test('is not tried again once the plan is over, and the next day is charged', async () => {
    const { id } = await rig.begin(await rig.plan({ retry_days: '2' }));
    rig.state.charged = () => 'soft';
    for (const day of ['02-28', '03-02', '03-10', '03-31']) await rig.work(`2027-${day}T01:00:00Z`);
    expect(rig.charges.map(({ at }) => at.slice(5, 10))).toEqual(['02-28', '03-02', '03-31']);
    expect(await rig.days(id)).toEqual(['2027-02-28 declined_soft', '2027-03-31 declined_soft']);
  });

  test('that the merchant tries again on a day of the plan is not tried by it on that day, and what is left of the plan stays', async () => {
    const { number, id } = await rig.begin(await rig.plan({ retry_days: '1,3' }));
    rig.state.charged = () => 'soft';
    await rig.work('2027-02-28T01:00:00Z');
    const [declined] = await rig.callbacks(`${number}-2027-02-28`);
    rig.set('2027-03-01T00:30:00Z');
    const hash = String(saleFields()['hash']);
    const again = { action: 'RETRY', client_key: merchant.key, trans_id: String(declined?.['trans_id']), hash };
    expect((await rig.send(again)).json).toMatchObject({ result: 'ACCEPTED' });
    await vi.waitFor(async () => expect(await rig.callbacks(`${number}-2027-02-28`)).toHaveLength(2));
    for (const day of ['03-01', '03-02', '03-03', '03-05']) await rig.work(`2027-${day}T01:00:00Z`);
    expect(rig.charges.map(({ at }) => at.slice(0, 16))).toEqual([
      '2027-02-28T01:00',
      '2027-03-01T00:30',
      '2027-03-03T01:00',
    ]);
    expect(await rig.days(id)).toEqual(['2027-02-28 declined_soft']);
  });

  test.each(['DESCHEDULE', 'PAUSE'] as const)('is not tried by the plan after %s', async (action) => {
    const plan = await rig.plan({ retry_days: '1' });
    const { token } = await rig.begin(plan);
    rig.state.charged = () => 'soft';
    await rig.work('2027-02-28T01:00:00Z');
    await rig.schedule(action, plan, { recurring_token: token });
    await rig.work('2027-03-01T01:00:00Z');
    expect(rig.charges).toHaveLength(1);
  });

  test('pauses its chain after a hard decline, says so, and goes on when the merchant runs it', async () => {
    const plan = await rig.plan();
    const { id, number, token } = await rig.begin(plan);
    rig.state.charged = () => 'hard';
    await rig.work('2027-02-28T01:00:00Z');
    await rig.work('2027-03-31T01:00:00Z');
    expect(rig.charges).toHaveLength(1);
    expect(await rig.days(id)).toEqual(['2027-02-28 declined_hard', '2027-03-31 paused']);
    expect(await rig.callbacks(`${number}-2027-02-28`)).toMatchObject([
      { result: 'DECLINED', schedule_paused: 'true' },
    ]);
    rig.state.charged = () => 'approved';
    await rig.schedule('RUN', plan, { recurring_token: token });
    await rig.work('2027-04-30T01:00:00Z');
    expect(await rig.days(id)).toContain('2027-04-30 settled');
  });
});

describe('a schedule that payments use', () => {
  test('is not deleted, and a paused one begins no payment', async () => {
    const plan = await rig.plan();
    await rig.begin(plan);
    expect(refusalLines(await rig.schedule('DELETE_SCHEDULE', plan))).toEqual(['Schedule is used by payments.']);
    await rig.schedule('PAUSE', plan);
    await expect(rig.begin(plan)).rejects.toThrow('schedule_id: The schedule is paused. Send RUN_SCHEDULE first.');
  });

  test('charges by its new interval from the last day on', async () => {
    const plan = await rig.plan();
    const { id } = await rig.begin(plan);
    await rig.work('2027-02-28T01:00:00Z');
    await rig.schedule('UPDATE_SCHEDULE', plan, { interval_length: '10', interval_unit: 'day' });
    for (const day of ['03-10', '03-20']) await rig.work(`2027-${day}T01:00:00Z`);
    expect(await rig.days(id)).toEqual(['2027-02-28 settled', '2027-03-10 settled', '2027-03-20 settled']);
  });

  test('charges nothing of a payer who was taken out by DESCHEDULE', async () => {
    const plan = await rig.plan();
    const { id, token } = await rig.begin(plan);
    const unknown = '57fddecf-17b9-4d38-9320-a670f0c29ec0';
    expect(refusalLines(await rig.schedule('DESCHEDULE', unknown, { recurring_token: token }))).toEqual([
      'Schedule not found',
    ]);
    expect(refusalLines(await rig.schedule('DESCHEDULE', plan, { recurring_token: unknown }))).toEqual([
      'Incorrect transaction',
    ]);
    expect((await rig.schedule('DESCHEDULE', plan, { recurring_token: token })).json).toEqual({
      action: 'DESCHEDULE',
      result: 'SUCCESS',
    });
    await rig.work('2027-02-28T01:00:00Z');
    expect([await rig.days(id), await takeChains(rig.context, 20, [])]).toEqual([[], []]);
  });
});
