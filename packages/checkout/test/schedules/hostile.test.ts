import { signRequest } from '@railyard/core/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acquirerService, type AcquirerService } from '../support/acquirer-service.ts';
import { otherMerchant } from '../support/any-method-config.ts';
import { saleFields } from '../support/card-commands.ts';
import { cardBody } from '../support/card-service.ts';
import { type Fields, refusalLines, sendCommand } from '../support/commands.ts';
import { scheduleCommands, settableClock } from '../support/schedules.ts';
import { post, trial } from '../support/service.ts';
import { moveClock } from '../support/test-clock.ts';

const time = settableClock('2027-01-31T11:30:00Z');
let service: AcquirerService;
let own: ReturnType<typeof scheduleCommands>;

beforeAll(async () => {
  // In Auckland it is 1 February.
  service = await acquirerService({ timeZone: 'Pacific/Auckland' }, undefined, { clock: time.clock });
  own = scheduleCommands(service.url);
}, 60_000);
afterAll(() => service.stop());

function lines({ json }: { readonly json: unknown }): string[] {
  const errors: unknown = Object(json).errors;
  const all: readonly unknown[] = Array.isArray(errors) ? errors : [json];
  return all.map((each) => String(Object(each).error_message));
}

/** The same in a hosted session and in a sale by command, neither of which begins anything. */
async function refusals(schedule_id: string, change: Readonly<Record<string, unknown>>): Promise<string[]> {
  const before = service.asked.length;
  const body = cardBody({ recurring_init: true, schedule_id, ...change });
  const hosted = await post(`${service.url}/api/v1/session`, body);
  const texts = Object.entries(change).filter(
    (each): each is [string, string] => typeof each[1] === 'string' && each[1] !== '',
  );
  const form = new URLSearchParams(saleFields({ recurring_init: 'Y', schedule_id }));
  for (const [name, value] of texts) form.set(name, value);
  const sale = texts.length === 0 ? hosted : await sendCommand(service.url, form);
  expect([hosted.status, sale.status]).toEqual([400, 400]);
  expect(service.asked.length).toBe(before);
  return [...new Set([...lines(hosted), ...lines(sale)])];
}

const DAY_TEXT = /^schedule_start_date: /;
const AMOUNT_TEXT = /^payment_schedule_amount: /;

describe('a payment begins no schedule', () => {
  test.each([
    ['that is over', '2027-01-30'],
    ['that is over where the merchant is', '2027-01-31'],
    ['of the year 9999', '9999-12-31'],
    ['in more than twenty years', '2047-02-01'],
    ['that a year has not which is no leap year', '2027-02-29'],
    ['of no month', '2027-13-01'],
    ['with a time', '2027-03-01T00:00:00Z'],
    ['in other digits', '２０２７-03-01'],
    ['before all', '0000-00-00'],
    ['that is a number', 20_270_301],
    ['that is a list', ['2027-03-01']],
  ])('on a day %s', async (_what, schedule_start_date) => {
    for (const line of await refusals(await own.create(), { schedule_start_date })) expect(line).toMatch(DAY_TEXT);
  });

  test.each(['0', '0.00', '-1.00', '1.999', '1e3', 'NaN', ' 1.00', '+1.00', '1,00', '9'.repeat(400), '１.00', 1, {}])(
    'with the later amount %j',
    async (payment_schedule_amount) => {
      const found = await refusals(await own.create(), { payment_schedule_amount });
      for (const line of found) expect(line).toMatch(AMOUNT_TEXT);
    },
  );

  test('of another merchant, of tests by the live key, or of none', async () => {
    const others = await scheduleCommands(service.url, otherMerchant).create();
    const tests = await scheduleCommands(service.url, trial).create();
    for (const id of [others, tests, 'x', '00000000-0000-0000-0000-000000000000', `${others}'--`])
      expect(await refusals(id, { schedule_start_date: '2027-03-01' })).toEqual([
        'schedule_id: This value is not correct.',
      ]);
  });

  test('on a day that is over by the test clock', async () => {
    const schedule_id = await scheduleCommands(service.url, trial).create();
    await moveClock(service.url, '40d');
    const body = cardBody({
      merchant_key: trial.key,
      recurring_init: true,
      schedule_id,
      schedule_start_date: '2027-03-01',
    });
    const { order } = body;
    const hash = signRequest('session', order, trial.password);
    expect(lines(await post(`${service.url}/api/v1/session`, { ...body, hash }))).toEqual([
      'schedule_start_date: This value should be greater than or equal to 2027-03-13.',
    ]);
  });
});

test('a payment may begin a schedule on the day that it is where the merchant is, and on a leap day', async () => {
  for (const schedule_start_date of ['2027-02-01', '2028-02-29']) {
    const body = cardBody({ recurring_init: true, schedule_id: await own.create(), schedule_start_date });
    expect((await post(`${service.url}/api/v1/session`, body)).status).toBe(200);
  }
});

/** A subscription by command. */
async function begun(schedule_id: string): Promise<string> {
  const { json } = await sendCommand(service.url, saleFields({ recurring_init: 'Y', schedule_id }));
  return String(json['recurring_token']);
}

describe('a command on a schedule', () => {
  test('with the token of another schedule, of another merchant or of none changes nothing', async () => {
    const [one, two] = [await own.create(), await own.create()];
    const token = await begun(one);
    const others = scheduleCommands(service.url, otherMerchant);
    for (const action of ['PAUSE', 'RUN', 'DESCHEDULE']) {
      expect(refusalLines(await own.on(action, two, { recurring_token: token }))).toEqual(['Incorrect transaction']);
      expect(refusalLines(await others.on(action, one, { recurring_token: token }))).toEqual(['Schedule not found']);
      expect(refusalLines(await others.on(action, await others.create(), { recurring_token: token }))).toEqual([
        'Incorrect transaction',
      ]);
      // An empty one does not stand for all payers.
      expect((await own.on(action, one, { recurring_token: '' })).status).toBe(400);
    }
    expect((await own.on('SCHEDULE_INFO', one)).json).toMatchObject({ paused: 'N' });
  });

  test('twenty times at once is done or refused, and what comes of it is one of both', async () => {
    const [kept, gone] = [await own.create(), await own.create()];
    const many = <T>(work: (at: number) => Promise<T>) => Promise.all(Array.from({ length: 20 }, (_, at) => work(at)));
    const deleted = await many(() => own.on('DELETE_SCHEDULE', gone));
    expect(deleted.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(deleted.filter(({ status }) => status !== 200).flatMap(refusalLines))).toEqual(
      new Set(['Schedule not found']),
    );
    const mixed = await many((at) => own.on(at % 2 === 0 ? 'PAUSE' : 'RUN', kept));
    for (const { status } of mixed) expect([200, 400]).toContain(status);
    await own.on('RUN', kept);
    expect((await own.on('SCHEDULE_INFO', kept)).json).toMatchObject({ paused: 'N' });
    const token = await begun(kept);
    const ended = await many((at) => own.on(at % 2 === 0 ? 'DESCHEDULE' : 'PAUSE', kept, { recurring_token: token }));
    for (const { status } of ended) expect([200, 400]).toContain(status);
  });

  test('that deletes it in the moment in which payments begin by it is refused, or none of them has a schedule', async () => {
    const id = await own.create();
    const [deleted, ...payments] = await Promise.all([
      own.on('DELETE_SCHEDULE', id),
      ...Array.from({ length: 6 }, () =>
        sendCommand(service.url, saleFields({ recurring_init: 'Y', schedule_id: id })),
      ),
    ]);
    const isGone = deleted.status === 200;
    for (const { status } of payments) expect([200, 400]).toContain(status);
    if (!isGone) expect(refusalLines(deleted)).toEqual(['Schedule is used by payments.']);
    expect((await own.on('SCHEDULE_INFO', id)).status).toBe(isGone ? 400 : 200);
  });

  test.each<Fields>([
    { interval_length: '1.5' },
    { interval_length: '1e2' },
    { interval_length: '-1' },
    { interval_length: '٣' },
    { interval_length: '99999999999999999999' },
    { payments_count: '1001' },
    { retry_days: '1,1' },
    { retry_days: '1,,2' },
    { retry_days: '9'.repeat(5000) },
    { first_payment_day_of_week: 'Monday' },
    { name: 'x'.repeat(101) },
    { name: 'a\u0000b' },
    { day_of_month: '0' },
  ])('with %j is refused', async (change) => {
    const id = await own.create();
    for (const answer of [await own.on('UPDATE_SCHEDULE', id, change), await own.ask(change)]) {
      const [field] = Object.keys(change);
      expect([answer.status, refusalLines(answer).every((line) => line.startsWith(`${field}: `))]).toEqual([400, true]);
    }
  });
});

describe('a move of the test clock', () => {
  test.each([40, null, [], {}, true, ['1d'], '٣d', '1d ', '1d\n', '+1d', '1e2d', '0x1d', '99999999999999d'])(
    'by %j is refused',
    async (advance) => {
      const hash = signRequest('test_clock', { advance: String(advance) }, trial.password);
      const answer = await post(`${service.url}/api/v1/test/clock`, { merchant_key: trial.key, advance, hash });
      expect([answer.status, lines(answer).every((line) => line.startsWith('advance: '))]).toEqual([400, true]);
    },
  );

  test('many times at the same moment ends within ten years', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => moveClock(service.url, '1500d')));
    for (const { status } of answers) expect([200, 400]).toContain(status);
    const { json } = await moveClock(service.url, '1min');
    expect(Number(Object(json).seconds_ahead)).toBeLessThanOrEqual(3660 * 86_400);
  });
});
