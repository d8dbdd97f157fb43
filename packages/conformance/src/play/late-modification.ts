import type { ProviderEvent } from '@railyard/core';
import type { ArrivedNotification } from '@railyard/core/driver';
import { memoryJournal } from '@railyard/runtime';
import type { ModificationRecord, Disk } from '../host/disk.ts';
import { crashAt } from '../host/faults.ts';
import { TinyHost } from '../host/tiny-host.ts';
import { BEGINNING } from '../host/world.ts';
import { inProcess } from '../provider/network.ts';
import { isSimulated } from '../provider/simulated.ts';
import { readProven } from '../proof.ts';
import type { Subject } from '../subject.ts';
import { payerOf, type Story } from './story.ts';

/** A modification whose end comes later than its reply, step by step. */
export interface LateModification {
  /** After the reply, and a lookup where it was not final. */
  readonly first: ModificationRecord['status'];
  /** After it failed at the provider and was asked for again. */
  readonly last: ModificationRecord['status'];
  /** The events in the notification of the failure. */
  readonly events: readonly ProviderEvent[];
}

/** Plays a story whose modification is pending, or settled at first, and then fails; nothing where the provider knows no such thing. */
export async function playLateModification(
  subject: Subject,
  story: Story,
  scenario: 'pending-modification' | 'undone-modification',
): Promise<LateModification | undefined> {
  const provider = subject.provider?.(story.pays);
  if (provider === undefined || !isSimulated(provider) || story.modification === undefined) return undefined;
  const { simulator } = provider;
  const disk: Disk = { payment: undefined, journal: '[]' };
  const world = { ...story.case.deployment, disk, points: crashAt([]), log: [], now: BEGINNING };
  const host = new TinyHost(world, { journal: memoryJournal(), transport: subject.through(inProcess(provider)) });
  await host.pay(payerOf(story, provider));
  provider.settle?.();
  for (const raw of simulator.outbox.splice(0)) await host.receive(raw);
  if (host.payment.state.state === 'pending') await host.poll();
  for (const { reference } of simulator.payments()) simulator.setRule({ reference, scenario });
  const { status: first } = await host.act('1', story.modification);
  const [made] = simulator.modifications();
  if (made === undefined) return undefined;
  simulator.outbox.splice(0);
  simulator.declineModification(made.id);
  const arrived = simulator.outbox.splice(0);
  const { status: last } = await host.act('1', story.modification);
  return { first, last, events: arrived.flatMap((raw) => eventsOf(subject, raw)) };
}

function eventsOf({ connector, settings, machinery }: Subject, raw: ArrivedNotification): readonly ProviderEvent[] {
  const received = readProven({ connector, settings, machinery }, raw, BEGINNING);
  return received.kind === 'events' ? received.events : [];
}
