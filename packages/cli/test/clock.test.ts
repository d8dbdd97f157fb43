import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acquirerService, type AcquirerService } from '../../checkout/test/support/acquirer-service.ts';
import { merchant, trial } from '../../checkout/test/support/service.ts';
import { jsonInPipe, runInPipe } from './support/memory-io.ts';

const folder = mkdtempSync(join(tmpdir(), 'railyard-clock-'));
let service: AcquirerService;
beforeAll(async () => {
  service = await acquirerService({}, undefined, { place: { dataDir: join(folder, 'data') } });
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const move = (...words: string[]) => ['clock', '--url', service.url, ...words];
const env = { RAILYARD_PASSWORD: trial.password };

describe('railyard clock', () => {
  test('moves the clock of test payments and says the time that it is then', async () => {
    const words = move('--advance', '40d', '--merchant', trial.key);
    const { code, said } = await runInPipe(words, { env });
    expect(said).toMatch(
      /^For test payments it is \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, and for schedules \d{4}-\d\d-\d\d\.\n$/,
    );
    expect(code).toBe(0);
    const again = await jsonInPipe(words, { env });
    expect(again.answer).toMatchObject({ seconds_ahead: 80 * 86_400 });
  });

  test('passes on what a length of time is', async () => {
    const { code, said } = await runInPipe(move('--advance', 'soon', '--merchant', trial.key), { env });
    expect([code, said]).toEqual([1, expect.stringContaining('advance: Give minutes, hours or days: 30min, 6h, 40d.')]);
  });

  test('passes on why the service refuses', async () => {
    const words = move('--advance', '1d', '--merchant', merchant.key);
    const { code, said } = await runInPipe(words, { env: { RAILYARD_PASSWORD: merchant.password } });
    expect([code, said]).toEqual([1, expect.stringContaining('Send the test key.')]);
  });

  test.each([
    [['--merchant', 'k'], 'Give --advance with minutes, hours or days: 30min, 6h, 40d.'],
    [['--advance', '1d'], 'Give --merchant with the test key.'],
    [
      ['--advance', '1d', '--merchant', 'k', '--url', 'http://127.0.0.1:1'],
      'Give the address of a running service with --url.',
    ],
  ])('called with %j says what is needed', async (words, needed) => {
    const { code, complained } = await runInPipe(['clock', ...words], { env });
    expect([code, complained]).toEqual([2, expect.stringContaining(needed)]);
  });
});
