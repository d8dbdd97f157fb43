import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acquirerService, type AcquirerService, startMandate, told } from '../support/acquirer-service.ts';
import { onTransaction, saleFields } from '../support/card-commands.ts';
import { sendCommand } from '../support/commands.ts';
import { scheduleCommands, settableClock } from '../support/schedules.ts';

const time = settableClock('2027-01-31T10:00:00Z');
let service: AcquirerService;

beforeAll(async () => {
  service = await acquirerService({}, undefined, { clock: time.clock });
}, 60_000);
afterAll(() => service.stop());

const chosen = { schedule_start_date: '2027-02-10', payment_schedule_amount: '9.00' };
const plan = () => scheduleCommands(service.url).create();

describe('what is told of a schedule (protocol: Response echo)', () => {
  test.each(['purchase', 'debit'])('is in callback and status of a hosted %s', async (operation) => {
    const schedule_id = await plan();
    const { id, fields } = await startMandate(service, { operation, schedule_id, ...chosen });
    const echo = { schedule_id, ...chosen, first_recurring_date: '2027-02-10' };
    expect(fields).toMatchObject(echo);
    expect(await service.status(id)).toMatchObject(echo);
  });

  test.each(['SALE', 'DEBIT'])('is in answer, callback and status of a %s by command', async (action) => {
    const schedule_id = await plan();
    const echo = { schedule_id, ...chosen, first_recurring_date: '2027-02-10' };
    const fields = saleFields({ action, recurring_init: 'Y', schedule_id, ...chosen });
    const { json } = await sendCommand(service.url, fields);
    expect(json).toMatchObject({ result: 'SUCCESS', status: 'SETTLED', ...echo });
    const trans_id = String(json['trans_id']);
    const callback = await service.shop.until((each) => each.fields['trans_id'] === trans_id);
    expect(callback.fields).toMatchObject(echo);
    expect((await sendCommand(service.url, onTransaction('GET_TRANS_STATUS', trans_id))).json).toMatchObject(echo);
  });

  test.each(['purchase', 'debit'])(
    'names the days of a hosted %s that are charged as later charges',
    async (operation) => {
      time.set('2027-01-31T10:00:00Z');
      const schedule_id = await plan();
      const { number } = await startMandate(service, { operation, schedule_id, ...chosen });
      time.set('2027-02-10T00:00:01Z');
      await scheduleCommands(service.url).on('RUN', schedule_id);
      expect(await told(service, `${number}-2027-02-10`, { order_status: 'settled' })).toMatchObject({
        type: 'recurring',
        order_amount: '9.00',
        schedule_id,
      });
      time.set('2027-01-31T10:00:00Z');
    },
  );
});
