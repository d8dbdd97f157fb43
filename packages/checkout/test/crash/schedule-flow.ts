import { signCommand, signRequest } from '@railyard/core/protocol';
import { CARD } from '../support/card-service.ts';
import { trial } from '../support/service.ts';
import { enterCard, newCardBody } from './card-flows.ts';
import { postJson, told } from './client.ts';
import type { Deployment } from './deployment.ts';
import { expected, type Flow } from './flow.ts';

/** The order numbers of the charges, by those of the payments that their schedules began with. */
const charges = new Map<string, string>();

/** Makes a schedule that charges once, on the next day. @returns its id */
async function createSchedule(deployment: Deployment): Promise<string> {
  const { text } = await deployment.request('/post', {
    method: 'POST',
    body: new URLSearchParams({
      action: 'CREATE_SCHEDULE',
      client_key: trial.key,
      name: 'Tomorrow',
      interval_length: '1',
      interval_unit: 'day',
      payments_count: '1',
      hash: signCommand('schedule', { schedule_id: '' }, trial.password),
    }),
  });
  return String(Object(JSON.parse(text)).schedule_id);
}

/** A day passes by the merchant's test clock, and what is due then is charged. A request that died is sent again under its key. */
export const scheduled: Flow = {
  name: 'a charge of a schedule',
  readsOnce: true,
  body: () => newCardBody({ merchant_key: trial.key, recurring_init: true }),
  expects: (number) => [expected(number, ['money']), expected(charges.get(number) ?? '', ['money'])],
  async prepare(deployment, body) {
    const { number } = body.order;
    const schedule_id = await createSchedule(deployment);
    const withSchedule = { ...body, schedule_id };
    await enterCard(deployment, withSchedule, CARD);
    const { first_recurring_date } = await told(deployment, number, 'success');
    charges.set(number, `${number}-${first_recurring_date}`);
  },
  async pay(deployment, body) {
    const advance = '1d';
    const hash = signRequest('test_clock', { advance }, trial.password);
    const { headers, ...post } = postJson({ merchant_key: trial.key, advance, hash });
    const request = { ...post, headers: { ...headers, 'idempotency-key': body.order.number } };
    const isMoved = async () => (await deployment.request('/api/v1/test/clock', request)).status === 200;
    await deployment.until(isMoved, 'The answer to the move of the clock');
    await told(deployment, charges.get(body.order.number) ?? '', 'success');
  },
};
