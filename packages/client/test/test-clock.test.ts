import { afterAll, beforeAll, expect, test } from 'vitest';
import { acquirerService, type AcquirerService } from '../../checkout/test/support/acquirer-service.ts';
import { merchant, trial } from '../../checkout/test/support/service.ts';
import { createClient, isRailyardError } from '../src/index.ts';

let service: AcquirerService;
beforeAll(async () => {
  service = await acquirerService();
});
afterAll(() => service.stop());

const clientOf = ({ key, password }: typeof trial) =>
  createClient({ baseUrl: service.url, merchantKey: key, password });

test('moves the clock of test payments, each time from where it stands', async () => {
  const client = clientOf(trial);
  expect(await client.advanceTestClock({ advance: '6h' })).toMatchObject({ seconds_ahead: 21_600 });
  const { now, today, seconds_ahead } = await client.advanceTestClock({ advance: '40d' });
  expect(seconds_ahead).toBe(40 * 86_400 + 21_600);
  expect(now.slice(0, 10)).toBe(today);
});

test('says the words of the service where the key is the live one', async () => {
  const error = await clientOf(merchant)
    .advanceTestClock({ advance: '1d' })
    .catch((caught: unknown) => caught);
  expect(isRailyardError(error) && error.message).toContain('Send the test key');
});
