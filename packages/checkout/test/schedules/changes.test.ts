import { daysAfter, decideDue, termsSchema } from '@railyard/core/protocol';
import { expect, test } from 'vitest';
import * as fc from '../../../../test/support/properties.ts';
import { paused, resumed, termsOf, withTerms } from '../../src/schedules.ts';
import { isPaused, type Schedule } from '../../src/storage/index.ts';

const daily = termsSchema.parse({ name: 'Plan', interval_length: 1, interval_unit: 'day', payments_count: 1000 });
const fresh: Schedule = { id: 'a', merchantKey: 'm', test: false, version: 1, history: [{ terms: daily }], pauses: [] };
const dayOf = (offset: number) => daysAfter('2027-01-01', offset);

/** The days that a chain is charged on which began on 1 January, looked at once at the end. */
const chargedBy = ({ history, pauses }: Schedule, today: string) =>
  decideDue({ history, pauses, beginning: { began: '2027-01-01' }, left: 1000 }, today, 'all').due.flatMap(
    ({ day, result }) => (result === 'charged' ? [day] : []),
  );

test('a pause leaves out the days that begin in it: not its first, and its last', () => {
  const pauses = resumed(paused([], '2027-01-03'), '2027-01-05');
  expect(chargedBy({ ...fresh, pauses }, '2027-01-07')).toEqual([
    '2027-01-02',
    '2027-01-03',
    '2027-01-06',
    '2027-01-07',
  ]);
});

test('a pause that ends on its first day leaves none out, and is not kept', () => {
  expect(resumed(paused([], '2027-01-03'), '2027-01-03')).toEqual([]);
});

test('pauses and ends of pauses, in any order, leave the same days out as a day-by-day account', () => {
  const anySteps = fc.array(fc.record({ wait: fc.nat(5), stops: fc.boolean() }), { maxLength: 20 });
  fc.assert(
    fc.property(anySteps, (steps) => {
      let pauses: Schedule['pauses'] = [];
      let offset = 0;
      let holds = false;
      const left = new Set<string>();
      const pass = (days: number) => {
        // A day begins: within a pause it is left out.
        for (let day = 1; day <= days; day += 1) if (holds) left.add(dayOf(offset + day));
        offset += days;
      };
      for (const { wait, stops } of steps) {
        pass(wait);
        pauses = stops ? paused(pauses, dayOf(offset)) : resumed(pauses, dayOf(offset));
        holds = stops;
        expect(isPaused(pauses)).toBe(holds);
      }
      pass(3);
      pauses = resumed(pauses, dayOf(offset));
      const all = Array.from({ length: offset }, (_, index) => dayOf(index + 1));
      expect(chargedBy({ ...fresh, pauses }, dayOf(offset))).toEqual(all.filter((day) => !left.has(day)));
    }),
  );
});

test('of several changes on one day the last holds, from the next day on, and what it leaves alone stays', () => {
  const once = withTerms(fresh, { interval_length: 2 }, '2027-01-03');
  const twice = withTerms(once, { interval_length: 3, name: 'Other' }, '2027-01-03');
  expect(twice.history).toHaveLength(2);
  expect(termsOf(twice)).toEqual({ ...daily, interval_length: 3, name: 'Other' });
  expect(chargedBy(twice, '2027-01-10')).toEqual(['2027-01-02', '2027-01-03', '2027-01-06', '2027-01-09']);
});
