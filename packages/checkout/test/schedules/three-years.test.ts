import { CATCH_UPS, daysAfter, termsSchema } from '@railyard/core/protocol';
import { expect, test } from 'vitest';
import { oracleCharges, oracleDays } from '../../../core/test/support/schedule-oracle.ts';
import type { Fields } from '../support/commands.ts';
import { useDatabase } from '../support/database.ts';
import { dyingProcess } from '../support/dying-process.ts';
import { scheduleRig } from '../support/schedule-rig.ts';

const database = useDatabase();

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const END = '2030-01-31';
/** It is the same day in all zones of the worlds then. */
const hour = (day: string, minute = '00') => `${day}T02:${minute}:00Z`;

/** The terms of a chain, the day on which its payer pays, and the day that the merchant chose for its first charge. */
interface Plan {
  readonly terms: Fields;
  readonly begins: string;
  readonly startDate?: string;
}

const often = { interval_length: '5', interval_unit: 'month', payments_count: '7' };
const plan = (begins: string, terms: Fields = {}, startDate?: string): Plan => ({
  terms: { name: 'Plan', ...often, ...terms },
  begins,
  ...(startDate !== undefined && { startDate }),
});
const days = (length: number) => ({ interval_length: String(length), interval_unit: 'day' });

const PLANS: readonly Plan[] = [
  ...WEEKDAYS.map((weekday, place) =>
    plan('2027-02-03', {
      ...days(140 + place),
      delayed_first_payment: 'day_of_week',
      first_payment_day_of_week: weekday,
    }),
  ),
  plan('2027-01-31', { interval_length: '1' }),
  plan('2027-01-31', { interval_length: '3' }),
  plan('2027-03-05', { day_of_month: '31' }),
  plan('2027-03-05', { day_of_month: '29', interval_length: '6' }),
  plan('2028-02-29', { interval_length: '12' }),
  plan('2028-02-29'),
  plan('2027-02-01', { ...days(1), payments_count: '5' }),
  plan('2027-01-31', { delayed_first_payment: 'delay_by_interval', ...firstAfter('1', 'month') }),
  plan('2027-02-03', { delayed_first_payment: 'delay_by_interval', ...firstAfter('14', 'day') }),
  plan('2027-01-31', { delayed_first_payment: 'day_of_month', first_payment_day_of_month: '31' }),
  plan('2028-02-01', { delayed_first_payment: 'day_of_month', first_payment_day_of_month: '29' }),
  plan('2027-02-03', {}, '2027-05-31'),
  plan('2027-02-03', days(200), '2028-02-29'),
];

function firstAfter(length: string, unit: string): Fields {
  return { first_payment_interval_length: length, first_payment_interval_unit: unit };
}

/** What the other program says of a plan: the days on which it is due. */
function dueDays({ terms, begins, startDate }: Plan): readonly string[] {
  return oracleDays(termsSchema.parse(terms), { began: begins, startDate }, END);
}

/** Days on which the service runs and has something to do; in between it is down for up to seven weeks at a time. */
function looksOf(seed: number): readonly string[] {
  const outages: (readonly [from: string, to: string])[] = [];
  for (let from = daysAfter('2027-03-10', seed % 20); from < END;) {
    const to = daysAfter(from, 3 + ((seed * 13 + outages.length * 17) % 47));
    outages.push([from, to]);
    from = daysAfter(to, 20 + ((seed * 7 + outages.length * 29) % 60));
  }
  const up = PLANS.flatMap(dueDays).filter((day) => !outages.some(([from, to]) => day >= from && day < to));
  const all = [...PLANS.map(({ begins }) => begins), ...up, ...outages.map(([, to]) => to)];
  return [...new Set(all)].filter((day) => day <= END).toSorted();
}

const WORLDS = CATCH_UPS.flatMap((catchUp, place) =>
  ['Pacific/Auckland', 'Asia/Kolkata'].map((timeZone, zone) => ({ catchUp, timeZone, seed: 1 + place * 2 + zone })),
);

test.each(WORLDS)(
  'three years by catchUp $catchUp in $timeZone, with outages and a process that dies in each look, charge what another program says',
  { timeout: 600_000 },
  async ({ catchUp, timeZone, seed }) => {
    const rig = scheduleRig(database.db, { catchUp, timeZone });
    const looks = looksOf(seed);
    const begun = new Map<Plan, string>();
    let deaths = 0;
    for (const [place, day] of looks.entries()) {
      rig.set(hour(day));
      for (const [at, each] of PLANS.entries()) {
        if (each.begins !== day) continue;
        const start = each.startDate === undefined ? undefined : { schedule_start_date: each.startDate };
        const amount = { payment_schedule_amount: `${at + 1}.00` };
        begun.set(each, (await rig.begin(await rig.plan(each.terms), { ...amount, ...start })).id);
      }
      // From its first point to far into the second charge of the look.
      const process = dyingProcess(rig.context, (place * 7 + seed) % 60);
      await process.do((context) => rig.work(hour(day, '01'), context));
      if (process.isDead()) deaths += 1;
      await rig.recover(hour(day, '10'));
    }
    for (const [at, each] of PLANS.entries()) {
      const { terms, begins } = each;
      const parsed = termsSchema.parse(terms);
      const chain = { history: [], beginning: { began: begins }, pauses: [], left: parsed.payments_count };
      const seen = looks.filter((day) => day >= begins);
      const { charged, skipped } = oracleCharges(chain, dueDays(each), seen, catchUp);
      const expected = [...charged.map((day) => `${day} settled`), ...skipped.map((day) => `${day} missed`)];
      expect([at, await rig.days(begun.get(each) ?? '')]).toEqual([at, expected.toSorted()]);
      const taken = rig.charges.filter(({ amount }) => amount === (at + 1) * 100);
      expect([at, taken.length]).toEqual([at, charged.length]);
    }
    expect(deaths).toBeGreaterThan(20);
    await rig.close();
  },
);
