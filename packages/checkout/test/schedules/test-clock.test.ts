import { signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acquirerService, type AcquirerService, startMandate, told } from '../support/acquirer-service.ts';
import { otherMerchant } from '../support/any-method-config.ts';
import { testKeyAt } from '../support/pix-config.ts';
import { scheduleCommands } from '../support/schedules.ts';
import { merchant, post, trial } from '../support/service.ts';
import { moveClock } from '../support/test-clock.ts';

const others = { key: '77777777-2222-4333-8444-555555555555', password: merchant.password };

let service: AcquirerService;

beforeAll(async () => {
  service = await acquirerService();
  const test = testKeyAt(service.shop.url);
  await service.configure((merchants = []) =>
    merchants.map((each) =>
      each.key === otherMerchant.key
        ? { ...each, testKey: others.key, test: { ...test, password: others.password } }
        : { ...each, test },
    ),
  );
}, 60_000);
afterAll(() => service.stop());

/** Begins a monthly subscription. */
async function subscribe(signer: typeof trial) {
  const schedule_id = await scheduleCommands(service.url, signer).create();
  const { number, fields } = await startMandate(service, { merchant_key: signer.key, schedule_id });
  return { schedule_id, number, first: fields['first_recurring_date'] ?? '' };
}

const chargesOf = (number: string) =>
  new Set(
    service.shop.received.flatMap(({ fields: { order_number = '', order_status } }) =>
      order_number.startsWith(`${number}-`) && order_status === 'settled' ? order_number : [],
    ),
  );

describe('the test clock of a merchant', () => {
  test('has a subscription charge once for each month that passes', async () => {
    const { schedule_id, number, first } = await subscribe(trial);
    const moved = await moveClock(service.url, '32d');
    expect(moved).toMatchObject({ status: 200, json: { today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) } });
    expect(await told(service, `${number}-${first}`, { order_status: 'settled' })).toMatchObject({
      type: 'recurring',
      schedule_id,
      test: 'true',
    });
    await moveClock(service.url, '31d');
    const second = await service.shop.until(
      ({ fields: { order_number = '', order_status } }) =>
        order_number.startsWith(`${number}-`) && order_number !== `${number}-${first}` && order_status === 'settled',
    );
    expect(chargesOf(number)).toEqual(new Set([`${number}-${first}`, second.fields['order_number']]));
  });

  test('moves nothing of another merchant and nothing live', async () => {
    const [own, live, other] = [await subscribe(trial), await subscribe(merchant), await subscribe(others)];
    await moveClock(service.url, '32d');
    await told(service, `${own.number}-${own.first}`, { order_status: 'settled' });
    // The clock of the other merchant wakes all work; what has not moved is not due then.
    await moveClock(service.url, '1min', others);
    const later = await subscribe(others);
    expect(later.first).toBe(other.first);
    expect([chargesOf(live.number), chargesOf(other.number)]).toEqual([new Set(), new Set()]);
  });

  test('begins a subscription on the day that it shows', async () => {
    const { json } = await moveClock(service.url, '1min');
    const { today } = Object(json);
    const schedule_id = await scheduleCommands(service.url, trial).create({ interval_unit: 'day' });
    const { fields } = await startMandate(service, { merchant_key: trial.key, schedule_id });
    expect(Date.parse(fields['first_recurring_date'] ?? '') - Date.parse(today)).toBe(86_400_000);
  });

  test('ends a pause on the day that it shows', async () => {
    const { number, schedule_id } = await subscribe(trial);
    const { on } = scheduleCommands(service.url, trial);
    await on('PAUSE', schedule_id);
    await moveClock(service.url, '32d');
    expect((await told(service, (await skippedOf(number)) ?? '', { order_status: 'skipped' }))['reason']).toBe(
      'Not charged: the schedule was paused on this day.',
    );
    await on('RUN', schedule_id);
    expect(chargesOf(number)).toEqual(new Set());
  });
});

const skippedOf = async (number: string) =>
  (
    await service.shop.until(
      ({ fields: { order_number = '', order_status } }) =>
        order_number.startsWith(`${number}-`) && order_status === 'skipped',
    )
  ).fields['order_number'];

describe('a request to move a clock is refused', () => {
  test('with the live key', async () => {
    const refused = await moveClock(service.url, '1d', merchant);
    expect(refused).toMatchObject({
      status: 400,
      json: { error_message: 'The clock is one of test payments. Send the test key.' },
    });
  });

  test.each(['0d', '1', '-1d', '1.5d', '1m', '1w', '01d', '1D', ' 1d', '1000000d'])(
    'for the length "%s"',
    async (advance) => {
      const { status, json } = await moveClock(service.url, advance);
      expect(status).toBe(400);
      expect(JSON.stringify(json)).toContain('advance: Give minutes, hours or days: 30min, 6h, 40d.');
    },
  );

  test('for a time more than ten years ahead', async () => {
    const { status, json } = await moveClock(service.url, '3661d');
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toContain(
      'advance: A test clock can be ten years ahead of the real time. Move it by less.',
    );
  });

  test('with a wrong hash, and with one of another length', async () => {
    const hash = signRequest('test_clock', { advance: '1d' }, trial.password);
    for (const wrong of ['0'.repeat(40), hash]) {
      const body = { merchant_key: trial.key, advance: '2d', hash: wrong };
      expect((await post(`${service.url}/api/v1/test/clock`, body)).status).toBe(400);
    }
  });
});
