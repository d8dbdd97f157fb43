import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { acquirerService, type AcquirerService, startMandate, told } from '../support/acquirer-service.ts';
import { scheduleCommands, settableClock } from '../support/schedules.ts';

const time = settableClock('2027-01-31T10:00:00Z');
let service: AcquirerService;
let commands: ReturnType<typeof scheduleCommands>;
/** A change of it has the service look at what is due. */
let other: string;

beforeAll(async () => {
  service = await acquirerService({}, undefined, { clock: time.clock });
  commands = scheduleCommands(service.url);
  other = await commands.create();
}, 60_000);
afterAll(() => service.stop());
beforeEach(() => {
  time.set('2027-01-31T10:00:00Z');
  service.state.answer = () => undefined;
});

/** Sets the clock, and has the service look at what is due then. */
async function on(at: string): Promise<void> {
  time.set(at);
  await commands.on('RUN', other);
}

describe('a schedule', () => {
  test('charges on its due days, each under its own order number', async () => {
    const schedule_id = await commands.create();
    const { number, fields, mandate, id } = await startMandate(service, { schedule_id });
    expect(fields).toMatchObject({ schedule_id, first_recurring_date: '2027-02-28' });
    expect(await service.status(id)).toMatchObject({ schedule_id, first_recurring_date: '2027-02-28' });
    await on('2027-02-28T00:00:01Z');
    expect(await told(service, `${number}-2027-02-28`, {})).toMatchObject({
      type: 'recurring',
      order_status: 'settled',
      schedule_id,
      ...mandate,
    });
    await on('2027-03-31T00:00:01Z');
    expect(await told(service, `${number}-2027-03-31`, {})).toMatchObject({ order_status: 'settled' });
  });
});
