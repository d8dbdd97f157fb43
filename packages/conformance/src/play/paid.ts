import { memoryJournal } from '@railyard/runtime';
import type { Disk } from '../host/disk.ts';
import { crashAt } from '../host/faults.ts';
import { TinyHost } from '../host/tiny-host.ts';
import { BEGINNING } from '../host/world.ts';
import { inProcess } from '../provider/network.ts';
import { isSimulated, type SimulatedProvider } from '../provider/simulated.ts';
import type { Subject } from '../subject.ts';
import { payerOf, type Story } from './story.ts';

/** A payment that is paid or held, for what happens to it afterwards. */
export interface Paid {
  readonly host: TinyHost;
  readonly provider: SimulatedProvider;
  /** Another host that knows what this one knows now, so that two ways can be gone from here. */
  fork(): TinyHost;
}

/**
 * Plays a story to where the payer was given something to pay, or further; nothing where only a double plays the provider.
 *
 * @param leaves the payer who is sent to a page of the provider does not come back from there
 */
export async function playBegun(subject: Subject, story: Story, leaves = false): Promise<Paid | undefined> {
  const provider = subject.provider?.(story.pays);
  if (provider === undefined || !isSimulated(provider)) return undefined;
  const disk: Disk = { payment: undefined, journal: '[]' };
  const transport = subject.through(inProcess(provider));
  const hostOn = (own: Disk) => {
    const world = { ...story.case.deployment, disk: own, points: crashAt([]), log: [], now: BEGINNING };
    return new TinyHost(world, { journal: memoryJournal(), transport });
  };
  const host = hostOn(disk);
  const payer = payerOf(story, provider);
  await host.pay(
    leaves ? { ...payer, signal: (next) => (next.kind === 'visit' ? undefined : payer.signal?.(next)) } : payer,
  );
  return { host, provider, fork: () => hostOn(structuredClone(disk)) };
}

/** Plays a story to where it is paid or held. */
export async function playPaid(subject: Subject, story: Story): Promise<Paid | undefined> {
  const begun = await playBegun(subject, story);
  if (begun === undefined) return undefined;
  const { host, provider } = begun;
  provider.settle?.(host.payment.show);
  for (const raw of provider.simulator.outbox.splice(0)) await host.receive(raw);
  if (host.payment.state.state === 'pending') await host.poll();
  return begun;
}
