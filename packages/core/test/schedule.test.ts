import { describe, expect, it, test } from 'vitest';
import * as fc from '../../../test/support/properties.ts';
import { daysAfter, monthsAfter, weekdayOf } from '../src/schedule/days.ts';
import { CATCH_UPS, type CatchUp, type Chain, decideDue, type Pause } from '../src/schedule/decide-due.ts';
import { type Beginning, dueDays, firstDueDay, type TermsSince } from '../src/schedule/due-days.ts';
import { changedTerms, type ScheduleTerms, termsIssues, termsSchema, WEEKDAYS } from '../src/schedule/terms.ts';
import { oracleCharges, oracleDays } from './support/schedule-oracle.ts';

const terms = (change: Record<string, unknown> = {}): ScheduleTerms =>
  termsSchema.parse({ name: 'Plan', interval_length: 1, interval_unit: 'month', payments_count: 12, ...change });

function days(count: number, beginning: Beginning, ...history: readonly TermsSince[]): string[] {
  const found: string[] = [];
  for (const day of dueDays(history, beginning)) {
    if (found.length === count) break;
    found.push(day);
  }
  return found;
}

describe('due days', () => {
  test.each([
    ['each month from 31 January', {}, '2027-01-31', ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']],
    ['each month from 31 December in a leap year', {}, '2027-12-31', ['2028-01-31', '2028-02-29', '2028-03-31']],
    [
      'each year from 29 February',
      { interval_length: 12 },
      '2028-02-29',
      ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
    ],
    ['each day', { interval_unit: 'day' }, '2028-02-27', ['2028-02-28', '2028-02-29', '2028-03-01']],
    ['each 30 days', { interval_unit: 'day', interval_length: 30 }, '2027-01-01', ['2027-01-31', '2027-03-02']],
    ['on the 20th of each month', { day_of_month: 20 }, '2027-01-25', ['2027-02-20', '2027-03-20']],
    ['on the 31st of each month', { day_of_month: 31 }, '2027-01-05', ['2027-02-28', '2027-03-31', '2027-04-30']],
    [
      'a month after two weeks',
      {
        delayed_first_payment: 'delay_by_interval',
        first_payment_interval_length: 14,
        first_payment_interval_unit: 'day',
      },
      '2027-01-20',
      ['2027-02-03', '2027-03-03'],
    ],
    [
      'a month after a month from 31 January',
      {
        delayed_first_payment: 'delay_by_interval',
        first_payment_interval_length: 1,
        first_payment_interval_unit: 'month',
      },
      '2027-01-31',
      ['2027-02-28', '2027-03-31'],
    ],
    [
      'from the next Monday, a week later where today is one',
      {
        delayed_first_payment: 'day_of_week',
        first_payment_day_of_week: 'monday',
        interval_unit: 'day',
        interval_length: 7,
      },
      '2027-01-04',
      ['2027-01-11', '2027-01-18'],
    ],
    [
      'from the next 31st, which is the last day of February',
      { delayed_first_payment: 'day_of_month', first_payment_day_of_month: 31 },
      '2027-01-31',
      ['2027-02-28', '2027-03-31'],
    ],
    [
      'from the 15th of this month',
      { delayed_first_payment: 'day_of_month', first_payment_day_of_month: 15 },
      '2027-01-14',
      ['2027-01-15', '2027-02-15'],
    ],
  ])('%s', (_title, change, began, expected) => {
    expect(days(expected.length, { began }, { terms: terms(change) })).toEqual(expected);
  });

  it('begin on the start date, whatever the delay, and count from it', () => {
    const delayed = terms({ delayed_first_payment: 'day_of_week', first_payment_day_of_week: 'friday' });
    const beginning = { began: '2027-01-02', startDate: '2027-01-31' };
    expect(days(3, beginning, { terms: delayed })).toEqual(['2027-01-31', '2027-02-28', '2027-03-31']);
    expect(firstDueDay([{ terms: delayed }], beginning)).toBe('2027-01-31');
  });

  it('count from the last one before a change of the interval', () => {
    const weekly = { after: '2027-03-10', terms: terms({ interval_unit: 'day', interval_length: 7 }) };
    expect(days(4, { began: '2027-01-31' }, { terms: terms() }, weekly)).toEqual([
      '2027-02-28',
      // What lies before the day of the change, 7 March, is left out.
      '2027-03-14',
      '2027-03-21',
      '2027-03-28',
    ]);
  });

  it('count from the first payment where a change comes before the first of them, and begin after the change', () => {
    const weekly = { after: '2027-01-20', terms: terms({ interval_unit: 'day', interval_length: 7 }) };
    expect(days(2, { began: '2027-01-04' }, { terms: terms() }, weekly)).toEqual(['2027-01-25', '2027-02-01']);
  });

  it('are those that another program finds by walking through the calendar', () => {
    fc.assert(
      fc.property(anyTerms, anyBeginning, (each, beginning) => {
        const until = daysAfter(beginning.began, 1200);
        const expected = oracleDays(each, beginning, until);
        const found: string[] = [];
        for (const day of dueDays([{ terms: each }], beginning)) {
          if (day > until) break;
          found.push(day);
        }
        expect(found).toEqual(expected);
      }),
    );
  });

  it('rise, and each lies after every change that came before it', () => {
    fc.assert(
      fc.property(anyTerms, anyTerms, anyBeginning, fc.nat(400), (one, two, beginning, offset) => {
        const after = daysAfter(beginning.began, offset);
        const found = days(20, beginning, { terms: one }, { after, terms: two });
        expect(found.toSorted()).toEqual(found);
        expect(new Set(found).size).toBe(found.length);
        const before = days(400, beginning, { terms: one }).filter((day) => day <= after);
        expect(found.filter((day) => day <= after)).toEqual(before.slice(0, 20));
      }),
    );
  });
});

const anyDay = fc.integer({ min: 0, max: 3000 }).map((offset) => daysAfter('2027-01-01', offset));
const anyBeginning: fc.Arbitrary<Beginning> = fc
  .record({ began: anyDay, later: fc.option(fc.nat(400)) })
  .map(({ began, later }) => (later === null ? { began } : { began, startDate: daysAfter(began, later) }));
const anyInterval = fc.oneof(
  fc.record({ interval_unit: fc.constant('day'), interval_length: fc.integer({ min: 1, max: 100 }) }),
  fc.record({
    interval_unit: fc.constant('month'),
    interval_length: fc.integer({ min: 1, max: 14 }),
    day_of_month: fc.option(fc.integer({ min: 1, max: 31 }), { nil: undefined }),
  }),
);
const anyDelay = fc.oneof(
  fc.constant({}),
  fc.record({
    delayed_first_payment: fc.constant('delay_by_interval'),
    first_payment_interval_length: fc.integer({ min: 1, max: 40 }),
    first_payment_interval_unit: fc.constantFrom('day', 'month'),
  }),
  fc.record({
    delayed_first_payment: fc.constant('day_of_week'),
    first_payment_day_of_week: fc.constantFrom(...WEEKDAYS),
  }),
  fc.record({
    delayed_first_payment: fc.constant('day_of_month'),
    first_payment_day_of_month: fc.integer({ min: 1, max: 31 }),
  }),
);
const anyTerms = fc.tuple(anyInterval, anyDelay).map(([interval, delay]) => terms({ ...interval, ...delay }));

describe('what becomes of due days', () => {
  const chain = (change: Partial<Chain> = {}): Chain => ({
    history: [{ terms: terms({ interval_unit: 'day' }) }],
    beginning: { began: '2027-01-01' },
    pauses: [],
    left: 10,
    ...change,
  });
  const results = (of: Chain, today: string, catchUp: CatchUp) =>
    decideDue(of, today, catchUp).due.map(({ day, result }) => `${day} ${result}`);

  test.each([
    ['all', ['2027-01-02 charged', '2027-01-03 charged', '2027-01-04 charged']],
    ['latest', ['2027-01-02 missed', '2027-01-03 missed', '2027-01-04 charged']],
    ['none', ['2027-01-02 missed', '2027-01-03 missed', '2027-01-04 charged']],
  ] as const)('%s: of three days that nothing charged, the last of them today', (catchUp, expected) => {
    expect(results(chain(), '2027-01-04', catchUp)).toEqual(expected);
  });

  it('latest charges a day that is over, none does not', () => {
    const weekly = chain({ history: [{ terms: terms({ interval_unit: 'day', interval_length: 7 }) }] });
    expect(results(weekly, '2027-01-10', 'latest')).toEqual(['2027-01-08 charged']);
    expect(results(weekly, '2027-01-10', 'none')).toEqual(['2027-01-08 missed']);
  });

  it('skips what lies within a pause, also with all', () => {
    const pauses = [{ after: '2027-01-01', until: '2027-01-03' }];
    expect(results(chain({ pauses }), '2027-01-04', 'all')).toEqual([
      '2027-01-02 paused',
      '2027-01-03 paused',
      '2027-01-04 charged',
    ]);
  });

  it('charges nothing while a pause holds, and leaves what came before it for its end', () => {
    const pauses = [{ after: '2027-01-02' }];
    expect(decideDue(chain({ pauses }), '2027-01-04', 'all')).toEqual({ due: [], next: '2027-01-05' });
    expect(results(chain({ pauses, handled: '2027-01-02' }), '2027-01-04', 'all')).toEqual([
      '2027-01-03 paused',
      '2027-01-04 paused',
    ]);
  });

  it('ends with the last payment, and says no next day then', () => {
    expect(decideDue(chain({ left: 2 }), '2027-01-09', 'all')).toEqual({
      due: [
        { day: '2027-01-02', result: 'charged' },
        { day: '2027-01-03', result: 'charged' },
      ],
    });
    expect(decideDue(chain({ left: 0 }), '2027-01-09', 'all')).toEqual({ due: [] });
  });

  it('is what another program says, for any looks, pauses and catch-up', () => {
    const anyPauses = fc
      .uniqueArray(fc.nat(300), { maxLength: 4 })
      .map((offsets) => offsets.toSorted((left, right) => left - right))
      .map((offsets) =>
        offsets.flatMap((offset, place): Pause[] => {
          const until = offsets[place + 1];
          if (place % 2 === 1 || until === undefined) return [];
          return [{ after: daysAfter('2027-01-01', offset), until: daysAfter('2027-01-01', until) }];
        }),
      );
    fc.assert(
      fc.property(
        fc.record({
          each: anyTerms,
          offsets: fc.uniqueArray(fc.nat(400), { minLength: 1, maxLength: 30 }),
          left: fc.integer({ min: 1, max: 20 }),
          catchUp: fc.constantFrom(...CATCH_UPS),
          pauses: anyPauses,
        }),
        ({ each, offsets, left, catchUp, pauses }) => {
          const beginning = { began: '2027-01-01' };
          const looks = offsets.toSorted((a, b) => a - b).map((offset) => daysAfter('2027-01-01', offset));
          const whole: Chain = { history: [{ terms: each }], beginning, pauses, left };
          const charged: string[] = [];
          const skipped: string[] = [];
          let handled: string | undefined;
          for (const today of looks) {
            const { due } = decideDue({ ...whole, handled, left: left - charged.length }, today, catchUp);
            for (const { day, result } of due) {
              (result === 'charged' ? charged : skipped).push(day);
              handled = day;
            }
          }
          const days = oracleDays(each, beginning, looks.at(-1) ?? '');
          expect({ charged, skipped }).toEqual(oracleCharges(whole, days, looks, catchUp));
        },
      ),
    );
  });
});

describe('days', () => {
  it('have weekdays and months', () => {
    expect([weekdayOf('2027-01-03'), weekdayOf('2027-01-04')]).toEqual([7, 1]);
    expect([monthsAfter('2027-12-15', 2, 15), monthsAfter('2027-11-30', 27, 31)]).toEqual(['2028-02-15', '2030-02-28']);
  });
});

describe('the parameters of a schedule', () => {
  const lines = (change: Record<string, unknown>) =>
    termsIssues(terms(change)).map(({ path, message }) => `${path}: ${message}`);

  test.each([
    [{ interval_unit: 'day', day_of_month: 3 }, ['day_of_month: This value is only allowed with interval_unit month.']],
    [
      { delayed_first_payment: 'delay_by_interval' },
      [
        'first_payment_interval_length: This value should not be blank.',
        'first_payment_interval_unit: This value should not be blank.',
      ],
    ],
    [
      { first_payment_day_of_week: 'monday' },
      ['first_payment_day_of_week: This value is only allowed with delayed_first_payment day_of_week.'],
    ],
    [{ delayed_first_payment: 'day_of_month', first_payment_day_of_month: '31' }, []],
  ])('%j', (change, expected) => expect(lines(change)).toEqual(expected));

  test.each([
    { interval_length: 0 },
    { interval_unit: 'week' },
    { payments_count: 0 },
    { first_payment_day_of_week: 1 },
    { day_of_month: 32 },
    { retry_days: '3,1' },
    { retry_days: '' },
    { name: 'x'.repeat(101) },
  ])('refuses %j', (change) => expect(() => terms(change)).toThrow(/path/));

  it('try again on the days 1, 3, 5 and 7 unless they say otherwise', () => {
    expect([
      terms().retry_days,
      terms({ retry_days: '2, 4' }).retry_days,
      terms({ retry_days: 'none' }).retry_days,
    ]).toEqual([[1, 3, 5, 7], [2, 4], []]);
  });

  it('lose what only the delay before a change had', () => {
    const before = terms({ delayed_first_payment: 'day_of_week', first_payment_day_of_week: 'monday' });
    const { first_payment_day_of_week: gone } = changedTerms(before, { delayed_first_payment: 'none' });
    expect(gone).toBeUndefined();
    const { day_of_month: none } = changedTerms(terms({ day_of_month: 3 }), { interval_unit: 'day' });
    expect(none).toBeUndefined();
  });
});
