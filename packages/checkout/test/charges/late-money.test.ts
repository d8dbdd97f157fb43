import { createHmac, randomUUID } from 'node:crypto';
import type { HttpRequest } from '@railyard/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { type Answered, startMandate, told } from '../support/acquirer-service.ts';
import { cascadeService, type CascadeService } from '../support/cascade-service.ts';
import { errorOf } from '../support/merchant-acts.ts';

let service: CascadeService;
let answerOfAccounts: CascadeService['state']['answer'];

beforeAll(async () => {
  service = await cascadeService({ cascadingContext: true });
  answerOfAccounts = service.state.answer;
});
afterAll(() => service.stop());

const refusedSchema = z.object({
  id: z.string(),
  status: z.literal('DECLINED'),
  amount: z.int(),
  currency: z.string(),
});
type Refused = z.output<typeof refusedSchema>;

/** Keeps what the acquirer has refused; of each of them it says later, when it is asked, that it was paid. */
function changingItsMind(answer: (request: HttpRequest) => Answered | undefined): Refused[] {
  const refused: Refused[] = [];
  service.state.answer = (request) => {
    const asked = refused.find(({ id }) => request.url.endsWith(`/v1/payments/${id}`));
    if (asked !== undefined) return { status: 200, body: { ...asked, status: 'APPROVED' } };
    const given = answer(request);
    const read = typeof given === 'object' ? refusedSchema.safeParse(given.body) : undefined;
    if (read?.success === true) refused.push(read.data);
    return given;
  };
  return refused;
}

/** The acquirer tells that a payment which it had declined was paid after all. */
async function tellPaid(refused: Refused | undefined): Promise<void> {
  const body = JSON.stringify({
    event_id: randomUUID(),
    payment: { ...refused, status: 'APPROVED', reference: randomUUID() },
  });
  const time = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', 'a-secret-of-the-notifications').update(`${time}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-timestamp': time, 'x-signature': `sha256=${signature}` };
  const { status } = await fetch(`${service.url}/notify/first`, { method: 'POST', headers, body });
  expect(status).toBe(204);
}

const attention = (why: string) =>
  service.lines.filter((line) => line.includes('"needs-attention"') && line.includes(why));

test('a charge that was tried again and whose first try is paid after all is settled, and is not tried once more', async () => {
  service.answer({});
  service.state.answer = answerOfAccounts;
  const { mandate } = await startMandate(service);
  const refused = changingItsMind(({ url }) =>
    url.includes('/v1/agreements/')
      ? {
          status: 402,
          body: { id: randomUUID(), status: 'DECLINED', amount: 750, currency: 'USD', response_code: '51' },
        }
      : undefined,
  );
  const order = { number: `late-${process.pid}`, amount: '7.50', description: 'Second month' };
  const answer = await service.recurring(mandate, order);
  const { payment_id } = z.object({ payment_id: z.string() }).parse(answer.json);
  await service.retry(payment_id);
  expect(refused).toHaveLength(2);
  await tellPaid(refused[0]);
  expect(await told(service, order.number, { status: 'success' })).toMatchObject({ id: payment_id });
  // A merchant who keeps the latest version keeps this one.
  expect(service.calledBack(order.number).map(({ headers }) => headers['x-payment-version'])).toEqual(['1', '2', '3']);
  expect(await service.status(payment_id)).toMatchObject({ payment_id, status: 'settled' });
  expect(await service.byOrder(order.number, '5')).toMatchObject([{ payment_id, status: 'settled' }]);
  expect(errorOf(await service.retry(payment_id))).toContain('not softly declined');
  expect(refused).toHaveLength(2);
  expect((await service.refund(payment_id, '7.50')).json).toEqual({ payment_id, result: 'accepted' });
});

test('an account whose decline led to the next one and that has the money after all: a person is told, both are called back', async () => {
  service.answer({ first: 'soft' });
  const refused = changingItsMind(answerOfAccounts);
  const { number } = await service.pay();
  const { id: second = '' } = await told(service, number, { status: 'success' });
  await tellPaid(refused[0]);
  await service.shop.until(() => service.calledBack(number).length === 2);
  const first = service.calledBack(number)[1]?.fields.id ?? '';
  expect(service.calledBack(number).map(({ fields }) => [fields.id, fields.status])).toEqual([
    [second, 'success'],
    [first, 'success'],
  ]);
  expect(first).not.toBe(second);
  await expect.poll(() => attention(second)).toMatchObject([expect.stringContaining(first)]);
  expect((await service.refund(first, '10.00')).json).toEqual({ payment_id: first, result: 'accepted' });
});

test('a payer whose last account declined sees that the first one has the money after all', async () => {
  service.answer({ first: 'soft', second: 'hard' });
  const refused = changingItsMind(answerOfAccounts);
  const { page, number } = await service.pay();
  await told(service, number, { status: 'fail' });
  await tellPaid(refused[0]);
  const { id = '' } = await told(service, number, { status: 'success' });
  expect(await (await fetch(page)).text()).toContain('Payment complete');
  // Of its own id, also where a status lookup looks at the whole try.
  expect(await service.status(id)).toMatchObject({ payment_id: id, status: 'settled' });
});
