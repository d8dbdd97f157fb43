import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deadline } from '../src/deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a deadline aborts at its time, and not before', () => {
  const { signal } = deadline(100);
  vi.advanceTimersByTime(99);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.aborted).toBe(true);
});

test('a deadline whose work is done aborts nothing and leaves no timer', () => {
  const { signal, done } = deadline(100);
  done();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(1000);
  expect(signal.aborted).toBe(false);
});
