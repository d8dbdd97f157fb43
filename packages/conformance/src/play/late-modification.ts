import type { ProviderEvent } from '@railyard/core';
import type { ArrivedNotification } from '@railyard/core/driver';
import type { ModificationRecord } from '../host/disk.ts';
import { BEGINNING } from '../host/world.ts';
import { readProven } from '../proof.ts';
import type { Subject } from '../subject.ts';
import { playPaid } from './paid.ts';
import type { Story } from './story.ts';

/** A modification whose end comes later than its reply, step by step. */
export interface LateModification {
  /** After the reply, and a lookup where it was not final. */
  readonly first: ModificationRecord['status'];
  /** After the notification of its failure alone. */
  readonly reported: ModificationRecord['status'];
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
  if (story.modification === undefined) return undefined;
  const paid = await playPaid(subject, story);
  if (paid === undefined) return undefined;
  const { simulator } = paid.provider;
  for (const { reference } of simulator.payments()) simulator.setRule({ reference, scenario });
  const { status: first } = await paid.host.act('1', story.modification);
  const [made] = simulator.modifications();
  if (made === undefined) return undefined;
  simulator.outbox.splice(0);
  simulator.declineModification(made.id);
  const notified = simulator.outbox.splice(0);
  const hearing = paid.fork();
  for (const raw of notified) await hearing.receive(raw);
  const reported = hearing.payment.modifications.at(-1)?.status ?? 'unknown';
  const { status: last } = await paid.host.act('1', story.modification);
  return { first, reported, last, events: notified.flatMap((raw) => eventsOf(subject, raw)) };
}

function eventsOf({ connector, settings, machinery }: Subject, raw: ArrivedNotification): readonly ProviderEvent[] {
  const received = readProven({ connector, settings, machinery }, raw, BEGINNING);
  return received.kind === 'events' ? received.events : [];
}
