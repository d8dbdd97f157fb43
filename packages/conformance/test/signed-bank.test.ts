import { expect, test } from 'vitest';
import { checkConformance } from '../src/index.ts';
import { signedBank, signedBankOptions } from './support/signed-bank.ts';

test('a bank with signed requests, tokens at another host and an address that its console sets raises no alarm', async () => {
  const { results, level } = await checkConformance(signedBank, signedBankOptions);
  const failed = results.filter(({ status }) => status === 'failed').map(({ id, path, why }) => ({ id, path, why }));
  expect(failed).toEqual([]);
  expect(level).toBe('excellent');
  const told = results.find(({ id }) => id === 'notification-forged');
  expect(told?.status).toBe('passed');
});
