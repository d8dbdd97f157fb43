import { expect, test } from 'vitest';
import { checkConformance } from '../src/index.ts';
import { signedBank, signedBankOptions } from './support/signed-bank.ts';

test('a bank with signed requests, tokens at another host and an address that its console sets raises no alarm', async () => {
  const { results, level } = await checkConformance(signedBank, signedBankOptions);
  const failed = results.filter(({ status }) => status === 'failed').map(({ id, path, why }) => ({ id, path, why }));
  expect(failed).toEqual([]);
  expect(level).toBe('excellent');
  const forged = results.find(({ id }) => id === 'notification-forged');
  expect(forged?.status).toBe('passed');
});

test('a bank whose address is set in its console and that does not say so is refused by notification-address-is-declared', async () => {
  const { address: _address, ...notifications } = signedBank.notifications ?? raise();
  const silent = { ...signedBank, notifications };
  const { results } = await checkConformance(silent, signedBankOptions);
  expect(results.find(({ id }) => id === 'notification-address-is-declared')).toMatchObject({
    status: 'failed',
    path: 'notifications.address',
    why: expect.stringMatching(/Declare address: 'at-provider'/),
  });
});

function raise(): never {
  throw new Error('The bank takes no notifications.');
}
