import { signCommand } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AcquirerService, acquirerService } from '../support/acquirer-service.ts';
import { otherMerchant } from '../support/any-method-config.ts';
import { type Fields, refusalLines, sendCommand } from '../support/commands.ts';
import { trial } from '../support/pix-config.ts';
import { pixProvider } from '../support/pix-provider.ts';
import { scheduleCommands } from '../support/schedules.ts';
import { merchant, pixConfig, startOn } from '../support/service.ts';

let service: AcquirerService;

beforeAll(async () => {
  service = await acquirerService();
});

afterAll(() => service.stop());

type Signer = Pick<typeof merchant, 'key' | 'password'>;

const UNKNOWN = '57fddecf-17b9-4d38-9320-a670f0c29ec0';
const TERMS = { name: 'Gold', interval_length: '1', interval_unit: 'month', payments_count: '12' };
const READ_TERMS = { name: 'Gold', interval_length: 1, interval_unit: 'month', payments_count: 12 };

const create = (change: Fields = {}, { key, password }: Signer = merchant, headers: Fields = {}) =>
  sendCommand(
    service.url,
    {
      action: 'CREATE_SCHEDULE',
      client_key: key,
      ...TERMS,
      hash: signCommand('schedule', { schedule_id: '' }, password),
      ...change,
    },
    headers,
  );

const on = (action: string, schedule_id: string, change: Fields = {}, { key, password }: Signer = merchant) =>
  sendCommand(service.url, {
    action,
    client_key: key,
    schedule_id,
    hash: signCommand('schedule', { schedule_id }, password),
    ...change,
  });

const created = async (change: Fields = {}) => String((await create(change)).json['schedule_id']);

const info = async (id: string) => (await on('SCHEDULE_INFO', id)).json;

describe('a schedule', () => {
  test('is made, shown, changed in part and deleted', async () => {
    const made = await create();
    expect(made).toEqual({
      status: 200,
      json: { action: 'CREATE_SCHEDULE', result: 'SUCCESS', schedule_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
    const id = String(made.json['schedule_id']);
    const whole = { action: 'SCHEDULE_INFO', result: 'SUCCESS', schedule_id: id, ...READ_TERMS };
    const usual = { delayed_first_payment: 'none', retry_days: '1,3,5,7', delays: null, paused: 'N' };
    expect(await info(id)).toEqual({ ...whole, ...usual });
    const changed = await on('UPDATE_SCHEDULE', id, { name: 'Silver', retry_days: '2' });
    expect(changed.json).toEqual({ action: 'UPDATE_SCHEDULE', result: 'SUCCESS' });
    expect(await info(id)).toEqual({ ...whole, ...usual, name: 'Silver', retry_days: '2' });
    expect((await on('DELETE_SCHEDULE', id)).json).toEqual({ action: 'DELETE_SCHEDULE', result: 'SUCCESS' });
    expect(refusalLines(await on('SCHEDULE_INFO', id))).toEqual(['Schedule not found']);
  });

  test.each([
    ['PAUSE_SCHEDULE', 'RUN_SCHEDULE'],
    ['PAUSE', 'RUN'],
  ])('is paused by %s and runs again by %s, also when that is said twice', async (pause, run) => {
    const id = await created();
    for (const [action, paused] of [
      [pause, 'Y'],
      [pause, 'Y'],
      [run, 'N'],
      [run, 'N'],
    ] as const) {
      expect((await on(action, id)).json).toEqual({ action, result: 'SUCCESS' });
      expect(await info(id)).toMatchObject({ paused });
    }
  });

  test('keeps every change of many at the same moment', async () => {
    const id = await created();
    const changes = [{ name: 'Other' }, { payments_count: '7' }, { interval_length: '3' }, { day_of_month: '31' }];
    await Promise.all(changes.map((change) => on('UPDATE_SCHEDULE', id, change)));
    expect(await info(id)).toMatchObject({ name: 'Other', payments_count: 7, interval_length: 3, day_of_month: 31 });
  });

  test('is made once by a request that is repeated with its key', async () => {
    const headers = { 'idempotency-key': 'schedule-once' };
    const [one, two] = [await create({}, merchant, headers), await create({}, merchant, headers)];
    expect(two).toEqual(one);
  });

  test('loses what belonged to a delay that it has no more', async () => {
    const id = await created({ delayed_first_payment: 'day_of_week', first_payment_day_of_week: 'friday' });
    expect(await info(id)).toMatchObject({ first_payment_day_of_week: 'friday' });
    await on('UPDATE_SCHEDULE', id, { delayed_first_payment: 'none' });
    expect(await info(id)).not.toHaveProperty('first_payment_day_of_week');
  });
});

test('a merchant whose payers pay on the hosted page alone has schedules by command, too', async () => {
  const provider = await pixProvider();
  const hosted = await startOn((port) => pixConfig(provider, 'http://127.0.0.1:9', port));
  const { create: plan, on: ask } = scheduleCommands(hosted.url);
  const id = await plan();
  for (const action of [
    'PAUSE',
    'RUN',
    'PAUSE_SCHEDULE',
    'RUN_SCHEDULE',
    'UPDATE_SCHEDULE',
    'SCHEDULE_INFO',
    'DELETE_SCHEDULE',
  ])
    expect((await ask(action, id)).json).toMatchObject({ action, result: 'SUCCESS' });
  await Promise.all([hosted.stop(), provider.close()]);
});

describe('is refused', () => {
  test('a live schedule by the test key, and a schedule of tests by the live key', async () => {
    const live = await created();
    const tried = await create({}, trial);
    expect(tried.json).toMatchObject({ result: 'SUCCESS', test: true });
    expect(refusalLines(await on('PAUSE', live, {}, trial))).toEqual(['Schedule not found']);
    expect(refusalLines(await on('PAUSE', String(tried.json['schedule_id'])))).toEqual(['Schedule not found']);
  });

  test.each([
    [{ name: '' }, ['name: This value should not be blank.']],
    [{ interval_length: '0' }, ['interval_length: This value should be between 1 and 366.']],
    [{ interval_unit: 'week' }, ['interval_unit: The value you selected is not a valid choice.']],
    [
      { interval_unit: 'day', day_of_month: '3' },
      ['day_of_month: This value is only allowed with interval_unit month.'],
    ],
    [{ delayed_first_payment: 'day_of_week' }, ['first_payment_day_of_week: This value should not be blank.']],
    [{ delays: '1' }, ['Parameter is deprecated.']],
  ])('a new schedule with %j', async (change: Fields, lines) => {
    const refused = await create(change);
    expect([refused.status, refusalLines(refused)]).toEqual([400, lines]);
  });

  test('a change that does not fit what stays', async () => {
    const id = await created();
    expect(refusalLines(await on('UPDATE_SCHEDULE', id, { first_payment_day_of_month: '3' }))).toEqual([
      'first_payment_day_of_month: This value is only allowed with delayed_first_payment day_of_month.',
    ]);
    expect(refusalLines(await on('UPDATE_SCHEDULE', id, { delays: '2' }))).toEqual(['Parameter is deprecated.']);
  });

  test.each(['UPDATE_SCHEDULE', 'DELETE_SCHEDULE', 'PAUSE_SCHEDULE', 'RUN_SCHEDULE', 'SCHEDULE_INFO', 'PAUSE', 'RUN'])(
    '%s of an unknown schedule, of one that is none, and of another merchant’s',
    async (action) => {
      const mine = await created();
      const answers = await Promise.all([
        on(action, UNKNOWN),
        on(action, 'no-id'),
        on(action, mine, {}, otherMerchant),
      ]);
      const notFound = { result: 'ERROR', error_code: 100_000, error_message: 'Schedule not found' };
      for (const { status, json } of answers) expect({ status, json }).toMatchObject({ status: 400, json: notFound });
      expect(await info(mine)).toMatchObject({ paused: 'N', name: 'Gold' });
    },
  );

  test.each(['CREATE_SCHEDULE', 'SCHEDULE_INFO', 'PAUSE'])('%s with a wrong hash', async (action) => {
    const hash = 'f'.repeat(32);
    const refused = action === 'CREATE_SCHEDULE' ? await create({ hash }) : await on(action, await created(), { hash });
    expect(refusalLines(refused)).toEqual(['hash: Hash is not valid.']);
  });
});
