import { expect, test } from 'vitest';
import { stepKey } from '../src/step-key.ts';

test('the idempotency key of a step is the same each time, and another one for another step or run', () => {
  const key = stepKey('run-1', 'charge');
  expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(stepKey('run-1', 'charge')).toBe(key);
  expect(new Set([key, stepKey('run-1', 'confirm'), stepKey('run-2', 'charge')]).size).toBe(3);
});
