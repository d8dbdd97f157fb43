import { describe, expect, it } from 'vitest';
import { rig } from './support/rig.ts';

type Rig = Awaited<ReturnType<typeof rig>>;

/** What arrived: the status of each event, or why it was refused. */
const arrived = ({ receiver }: Rig) =>
  receiver.taken.map(
    ({ why, events }) =>
      why ?? events.map((each) => (each.kind === 'payment' ? each.outcome.status : each.kind)).join(),
  );

const ids = ({ receiver }: Rig) => receiver.taken.flatMap(({ events }) => events.map(({ id }) => id));

async function paid(notifications: Parameters<typeof rig>[0]) {
  const made = await rig({ scenario: 'manual', ...notifications });
  await made.purchase('ref-1');
  await made.simulator.idle();
  made.simulator.settle(made.simulator.payments()[0]?.id ?? '');
  await made.simulator.idle();
  return made;
}

describe('a change is notified', () => {
  it('once, with a signature that holds and our own reference', async () => {
    const made = await paid({ notifications: 'once' });
    expect(arrived(made)).toEqual(['settled']);
    expect(made.receiver.taken[0]?.events[0]).toMatchObject({
      kind: 'payment',
      merchantReference: 'ref-1',
      outcome: { amount: { text: '10.00' } },
    });
  });

  it('twice: the same event again', async () => {
    const made = await paid({ notifications: 'twice' });
    expect(arrived(made)).toEqual(['settled', 'settled']);
    expect(new Set(ids(made)).size).toBe(1);
  });

  it('late: after a minute', async () => {
    const made = await paid({ notifications: 'late' });
    expect(arrived(made)).toEqual([]);
    made.time.advance(60_000);
    await made.simulator.idle();
    expect(arrived(made)).toEqual(['settled']);
  });

  it('shuffled: the older event after the newer one', async () => {
    const made = await paid({ notifications: 'shuffled' });
    expect(arrived(made)).toEqual(['settled', 'pending']);
    expect(new Set(ids(made)).size).toBe(2);
  });

  it('forged: a claim with a wrong signature while nothing is paid, and nothing when it is', async () => {
    const made = await rig({ scenario: 'manual', notifications: 'forged' });
    await made.purchase('ref-1');
    await expect.poll(() => arrived(made)).toEqual(['signature']);
    expect(made.simulator.payments()[0]?.state).toBe('pending');
    made.simulator.settle(made.simulator.payments()[0]?.id ?? '');
    await made.simulator.idle();
    expect(arrived(made)).toEqual(['signature']);
  });

  it('not at all', async () => {
    const made = await paid({ notifications: 'none' });
    expect(arrived(made)).toEqual([]);
    expect(made.simulator.deliveries()).toEqual([]);
  });

  it('after the answer that already says it', async () => {
    const made = await rig({ scenario: 'settled' });
    await made.purchase('ref-1');
    await expect.poll(() => arrived(made)).toEqual(['settled']);
  });

  it('again until the receiver takes it, signed anew each time', async () => {
    const made = await rig({ scenario: 'manual', times: { retryMs: [1000, 400_000] } });
    await made.purchase('ref-1');
    made.receiver.state.down = true;
    made.simulator.settle(made.simulator.payments()[0]?.id ?? '');
    await made.simulator.idle();
    made.time.advance(1000);
    await made.simulator.idle();
    made.receiver.state.down = false;
    // Longer than the signature of the first try would be accepted.
    made.time.advance(400_000);
    await made.simulator.idle();
    expect(arrived(made)).toEqual(['settled']);
    expect(made.simulator.deliveries().map(({ result }) => result)).toEqual([503, 503, 204]);
  });
});
