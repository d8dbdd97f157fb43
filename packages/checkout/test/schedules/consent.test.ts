import { afterAll, beforeAll, expect, test } from 'vitest';
import { acquirerService, type AcquirerService, told } from '../support/acquirer-service.ts';
import { CARD, cardBody, payByCard } from '../support/card-service.ts';
import { scheduleCommands } from '../support/schedules.ts';
import { createPage } from '../support/service.ts';

let service: AcquirerService;

beforeAll(async () => {
  service = await acquirerService();
}, 60_000);
afterAll(() => service.stop());

async function asked() {
  const schedule_id = await scheduleCommands(service.url).create();
  const more = { payment_schedule_amount: '9.00', recurring_consent_required: true };
  const body = cardBody({ recurring_init: true, schedule_id, ...more });
  return { schedule_id, number: body.order.number, page: await createPage(service.url, body) };
}

test('a session with recurring_consent_required asks the payer, in words that say how much and how often', async () => {
  const { page } = await asked();
  const text = (await (await fetch(page)).text()).replaceAll('\u00a0', ' ');
  expect(text).toContain('I agree to 12 later payments of USD 9.00, every month.');
  expect(text).toContain('name="recurring_consent"');
});

test('a payer who agrees begins the schedule', async () => {
  const { page, number, schedule_id } = await asked();
  await payByCard(page, { ...CARD, recurring_consent: 'true' });
  const fields = await told(service, number, { order_status: 'settled' });
  expect(fields).toMatchObject({ schedule_id, recurring_token: expect.any(String) });
});

test('a payer who does not agree makes a one-time purchase: no token, no agreement asked of the provider', async () => {
  const { page, number } = await asked();
  const before = service.asked.length;
  await payByCard(page, CARD);
  const fields = await told(service, number, { order_status: 'settled' });
  expect(fields).not.toHaveProperty('recurring_token');
  expect(fields).not.toHaveProperty('schedule_id');
  expect(service.asked.slice(before).map(({ body }) => String(body))).not.toContainEqual(
    expect.stringContaining('stored_credential'),
  );
});
