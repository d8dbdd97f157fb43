import { expect, it } from 'vitest';
import { manualTime } from '../src/index.ts';

it('manual time runs what falls due in the order of its time, also what is planned on the way', () => {
  const time = manualTime(1000);
  const seen: string[] = [];
  const note = (name: string) => () => void seen.push(`${name} at ${time.clock()}`);
  time.scheduler.after(20, note('late'));
  time.scheduler.after(10, () => {
    note('early')();
    time.scheduler.after(5, note('between'));
  });
  time.scheduler.after(30, note('never'));
  time.scheduler.after(15, note('taken off'))();
  time.advance(29);
  expect(seen).toEqual(['early at 1010', 'between at 1015', 'late at 1020']);
  expect(time.clock()).toBe(1029);
});
