import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSecurityCodes } from '../../src/cards/index.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('security codes', () => {
  test('are held for their run until they are forgotten', () => {
    const codes = createSecurityCodes();
    codes.hold('run-1', { cvv: '123' });
    codes.hold('run-2', { cvv: '456' });
    expect([codes.of('run-1')?.cvv, codes.of('run-2')?.cvv, codes.of('run-3')?.cvv]).toEqual(['123', '456', undefined]);
    codes.forget('run-1');
    expect([codes.of('run-1')?.cvv, codes.of('run-2')?.cvv]).toEqual([undefined, '456']);
    codes.clear();
    expect(codes.of('run-2')?.cvv).toBe(undefined);
  });

  test('are gone after two minutes, counted from the last time one was entered', () => {
    const codes = createSecurityCodes();
    codes.hold('run-1', { cvv: '123' });
    vi.advanceTimersByTime(119_999);
    expect(codes.of('run-1')?.cvv).toBe('123');
    codes.hold('run-1', { cvv: '124' });
    vi.advanceTimersByTime(119_999);
    expect(codes.of('run-1')?.cvv).toBe('124');
    vi.advanceTimersByTime(1);
    expect(codes.of('run-1')?.cvv).toBe(undefined);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('are handed on to the run of the next account for what is left of their time', () => {
    const codes = createSecurityCodes();
    codes.hold('run-1', { cvv: '123' });
    vi.advanceTimersByTime(100_000);
    expect([codes.handOver('run-1', 'run-2'), codes.handOver('run-3', 'run-4')]).toEqual([true, false]);
    expect([codes.of('run-1')?.cvv, codes.of('run-2')?.cvv]).toEqual([undefined, '123']);
    vi.advanceTimersByTime(20_000);
    expect(codes.of('run-2')?.cvv).toBe(undefined);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('never grow beyond their bound: the oldest goes', () => {
    const codes = createSecurityCodes(1000, 2);
    for (const run of ['run-1', 'run-2', 'run-3']) codes.hold(run, { cvv: '123' });
    expect(['run-1', 'run-2', 'run-3'].map((run) => codes.of(run)?.cvv)).toEqual([undefined, '123', '123']);
    expect(vi.getTimerCount()).toBe(2);
  });
});
