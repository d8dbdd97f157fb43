import { expect, test } from 'vitest';
import { callbackCounts } from './callback-counts.ts';

test('a callback is waited for until it is recorded how it went, but not one of a process that was killed', () => {
  let generation = 1;
  const counts = callbackCounts(
    () => generation,
    () => undefined,
  );
  const over = counts.connected();
  over();
  expect(counts.areWritten()).toBe(false);
  counts.recorded(1);
  expect(counts.areWritten()).toBe(true);
  generation = 2;
  const overNow = counts.connected();
  over();
  expect(counts.areWritten()).toBe(true);
  overNow();
  expect(counts.areWritten()).toBe(false);
  counts.recorded(1);
  expect(counts.areWritten()).toBe(true);
});
