import { signCommand, signRequest } from '@railyard/core/protocol';
import * as z from 'zod';
import { merchant } from './merchant.ts';

const createdSchema = z.object({ schedule_id: z.string() });

/** Plans charges of each month with the checkout. @returns the id of the schedule, or the checkout's error */
export async function createSchedule(
  checkoutUrl: string,
): Promise<{ readonly id: string } | { readonly error: string }> {
  const reply = await fetch(`${checkoutUrl}/post`, {
    method: 'POST',
    body: new URLSearchParams({
      action: 'CREATE_SCHEDULE',
      client_key: merchant.testKey,
      name: 'Coffee beans each month',
      interval_length: '1',
      interval_unit: 'month',
      payments_count: '12',
      hash: signCommand('schedule', { schedule_id: '' }, merchant.test.password),
    }),
  });
  const text = await reply.text();
  const created = createdSchema.safeParse(JSON.parse(text));
  return created.success ? { id: created.data.schedule_id } : { error: text };
}

/** Long enough for each month to pass. */
const MONTH = '31d';

/** Has a month pass for the test payments of the shop. @returns the checkout's error, if there is one */
export async function passMonth(checkoutUrl: string): Promise<string | undefined> {
  const reply = await fetch(`${checkoutUrl}/api/v1/test/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      merchant_key: merchant.testKey,
      advance: MONTH,
      hash: signRequest('test_clock', { advance: MONTH }, merchant.test.password),
    }),
  });
  return reply.ok ? undefined : await reply.text();
}

/** The order number without the day that the charge of a schedule adds to it. */
export const withoutDay = (orderNumber: string): string => orderNumber.replace(/-\d{4}-\d\d-\d\d$/, '');
