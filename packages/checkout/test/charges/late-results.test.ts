import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { acquirerService, payOrder, told } from '../support/acquirer-service.ts';

let service: Awaited<ReturnType<typeof acquirerService>>;

beforeAll(async () => {
  service = await acquirerService();
});

afterAll(() => service.stop());

/** A payment of an order, at the service and at the acquirer. */
async function paid(change: Readonly<Record<string, unknown>> = {}, status = 'settled') {
  const number = await payOrder(service, change);
  const { id = '', order_amount: amount = '' } = await told(service, number, { type: 'sale', order_status: status });
  const held = service.simulator.payments().at(-1);
  return { number, id, amount, held: held?.id ?? '' };
}

const answer = z.object({ status: z.string() });
const state = async (id: string) => answer.parse(await service.status(id)).status;

async function lastModification(payment: string) {
  await expect
    .poll(() => service.simulator.modifications().filter((each) => each.payment === payment).length)
    .toBeGreaterThan(0);
  return service.simulator.modifications().findLast((each) => each.payment === payment)?.id ?? '';
}

/** What happens at the acquirer, by the control interface of its simulator. */
async function happens(held: string, end: 'dispute' | 'win-dispute' | 'lose-dispute' | 'expire-hold') {
  const reply = await fetch(`${service.simulator.url}/_simulator/payments/${held}/${end}`, { method: 'POST' });
  expect(reply.status).toBe(200);
}

test('a refund that was done and then fails is reported as failed, and its amount can be refunded again', async () => {
  const { number, id, amount, held } = await paid();
  await service.refund(id, amount);
  await told(service, number, { type: 'refund', status: 'success', order_status: 'refund' });
  expect(await state(id)).toBe('refund');
  service.simulator.declineModification(await lastModification(held));
  await told(service, number, { type: 'refund', status: 'fail', order_status: 'decline' });
  expect(await state(id)).toBe('settled');
  await service.refund(id, '1.50');
  expect(await told(service, number, { type: 'refund', status: 'success', order_status: 'settled' })).toMatchObject({
    refund_amount: '1.50',
  });
});

test('a capture that was done and then fails leaves the hold, which can be captured again', async () => {
  const { number, id, amount, held } = await paid({ auth: true }, 'pending');
  await service.capture(id, amount);
  await told(service, number, { type: 'capture', status: 'success', order_status: 'settled' });
  service.simulator.declineModification(await lastModification(held));
  await told(service, number, { type: 'capture', status: 'fail', order_status: 'pending' });
  expect(await state(id)).toBe('pending');
  await service.capture(id, '2.00');
  await expect.poll(() => state(id)).toBe('settled');
});

test('a capture whose reply was lost, and which the provider reports with the payment, fails late all the same', async () => {
  const { number, id, amount, held } = await paid({ auth: true }, 'pending');
  service.state.answer = ({ url }) => (url.endsWith('/captures') ? 'lost-after' : undefined);
  await service.capture(id, amount);
  await told(service, number, { type: 'capture', status: 'success', order_status: 'settled' });
  service.state.answer = () => undefined;
  await service.simulator.idle();
  service.simulator.declineModification(await lastModification(held));
  await told(service, number, { type: 'capture', status: 'fail', order_status: 'pending' });
  expect(await state(id)).toBe('pending');
});

test('a hold that was not captured in time is reported as reversed', async () => {
  const { number, id, held } = await paid({ auth: true }, 'pending');
  await happens(held, 'expire-hold');
  await told(service, number, { type: 'reversal', status: 'success', order_status: 'reversal' });
  expect(await state(id)).toBe('reversal');
});

test('a dispute that is won makes the payment settled again, and one that is lost leaves it charged back', async () => {
  const won = await paid();
  await happens(won.held, 'dispute');
  await told(service, won.number, { type: 'chargeback', status: 'success', order_status: 'chargeback' });
  await happens(won.held, 'win-dispute');
  await expect.poll(() => state(won.id)).toBe('settled');
  const lost = await paid();
  await happens(lost.held, 'dispute');
  await told(service, lost.number, { type: 'chargeback', status: 'success', order_status: 'chargeback' });
  await happens(lost.held, 'lose-dispute');
  await service.simulator.idle();
  expect(await state(lost.id)).toBe('chargeback');
  const callbacks = (number: string) =>
    service.shop.received.filter(({ fields }) => fields.order_number === number).map(({ fields }) => fields.type);
  expect(callbacks(won.number)).toEqual(['sale', 'chargeback', 'sale']);
  expect(callbacks(lost.number)).toEqual(['sale', 'chargeback']);
  // The money of a dispute that was won is there again, all of it and once.
  await service.refund(won.id, won.amount);
  expect(await told(service, won.number, { type: 'refund', status: 'success' })).toMatchObject({
    order_status: 'refund',
    refund_amount: won.amount,
  });
});
