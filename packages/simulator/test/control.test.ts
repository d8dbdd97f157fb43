import { describe, expect, it } from 'vitest';
import { books, rig } from './support/rig.ts';

type Rig = Awaited<ReturnType<typeof rig>>;

const call = async ({ simulator }: Rig, method: string, path: string, body?: unknown) => {
  const reply = await fetch(`${simulator.url}/_simulator/${path}`, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: await reply.json() };
};

async function open(description?: string) {
  const made = await rig({ scenario: 'manual' });
  await made.purchase('ref-1', description);
  return { made, id: made.simulator.payments()[0]?.id ?? '' };
}

describe('the control interface', () => {
  it('lists connectors, payments, effects and deliveries', async () => {
    const { made, id } = await open();
    made.simulator.settle(id);
    await made.simulator.idle();
    expect((await call(made, 'GET', 'connectors')).body).toEqual({
      connectors: [{ name: 'pix-instant', title: 'Pix, instant provider' }],
    });
    expect((await call(made, 'GET', 'payments')).body).toMatchObject({
      payments: [{ id, reference: 'ref-1', amount: '10.00', currency: 'BRL', state: 'settled', scenario: 'manual' }],
    });
    expect((await call(made, 'GET', 'ledger')).body).toEqual({
      ledger: [
        expect.objectContaining({ effect: 'charge', reference: 'ref-1', key: 'ref-1', at: '2026-11-21T12:00:00.000Z' }),
        expect.objectContaining({ effect: 'settled', reference: 'ref-1', amount: '10.00' }),
      ],
    });
    expect((await call(made, 'GET', 'deliveries')).body).toMatchObject({ deliveries: [{ payment: id, result: 204 }] });
    expect((await call(made, 'GET', 'ledger?connector=another')).body).toEqual({ ledger: [] });
  });

  it.each([
    ['settle', 'settled'],
    ['decline', 'declined'],
  ])('can %s an open payment, once', async (action, state) => {
    const { made, id } = await open();
    expect(await call(made, 'POST', `payments/${id}/${action}`)).toMatchObject({
      status: 200,
      body: { payment: { state } },
    });
    expect(await call(made, 'POST', `payments/${id}/${action}`)).toEqual({
      status: 409,
      body: { error: `The payment is ${state}, not pending.` },
    });
    expect(books(made.simulator)).toEqual(['charge 10.00 BRL', `${state} 10.00 BRL`]);
  });

  it('notifies of a payment again, also forged', async () => {
    const { made, id } = await open();
    await call(made, 'POST', `payments/${id}/notify`, { mode: 'forged' });
    await made.simulator.idle();
    expect(made.receiver.taken.map(({ why }) => why)).toEqual(['signature']);
    await call(made, 'POST', `payments/${id}/notify`);
    await made.simulator.idle();
    expect(made.receiver.taken[1]?.events[0]).toMatchObject({ outcome: { status: 'pending' } });
  });

  it('sets what happens next', async () => {
    const { made } = await open();
    expect(
      (await call(made, 'POST', 'scenario', { connector: 'pix-instant', scenario: 'declined', notifications: 'none' }))
        .status,
    ).toBe(200);
    expect(await made.purchase('ref-2')).toMatchObject({ outcome: { status: 'declined' } });
    expect(made.simulator.payments()[1]?.notifications).toBe('none');
  });

  it('pays the payment whose code is given', async () => {
    const made = await rig({ scenario: 'manual' });
    const first = await made.purchase('ref-1');
    await made.purchase('ref-2');
    const code =
      first.kind === 'done' && first.outcome.status === 'pending' && first.outcome.show?.kind === 'qr'
        ? first.outcome.show.content
        : '';
    expect(await call(made, 'POST', 'pay', { code: ` ${code}\n` })).toMatchObject({
      status: 200,
      body: { payment: { reference: 'ref-1' } },
    });
    expect(await call(made, 'POST', 'pay', { code })).toMatchObject({ status: 404 });
    expect((await call(made, 'POST', 'pay', { code: 'BRL' })).status).toBe(404);
  });

  it.each([
    ['POST', 'payments/nope/settle', undefined, 409],
    ['POST', 'payments/nope/notify', undefined, 409],
    ['POST', 'scenario', { scenario: 'nope' }, 400],
    ['POST', 'scenario', { connector: 'nope', scenario: 'settled' }, 404],
    ['POST', 'scenario', 'text', 400],
    ['POST', 'scenario', undefined, 400],
    ['POST', 'pay', {}, 400],
    ['GET', 'nothing', undefined, 404],
    ['DELETE', 'payments', undefined, 404],
  ])('answers %s %s with %j clearly', async (method, path, body, status) => {
    const { made } = await open();
    const answered = await call(made, method, path, body);
    expect([answered.status, typeof answered.body.error]).toEqual([status, 'string']);
  });

  it('refuses a body of more than a megabyte', async () => {
    const { made } = await open();
    const reply = await fetch(`${made.simulator.url}/_simulator/pay`, { method: 'POST', body: 'x'.repeat(1_100_000) });
    expect(reply.status).toBe(413);
  });
});
