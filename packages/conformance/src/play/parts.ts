import { memoryJournal } from '@railyard/runtime';
import { type Money, moneyOfMinor } from '@railyard/core';
import type { Disk, PaymentRecord } from '../host/disk.ts';
import { crashAt } from '../host/faults.ts';
import { TinyHost } from '../host/tiny-host.ts';
import { BEGINNING } from '../host/world.ts';
import type { LedgerLine, ProviderDouble } from '../provider/double.ts';
import { inProcess } from '../provider/network.ts';
import { isSimulated } from '../provider/simulated.ts';
import type { Subject } from '../subject.ts';
import { payerOf, type Story } from './story.ts';

export interface Parts {
  /** The requested amounts, in order. */
  readonly asked: readonly Money[];
  /** The amount paid or held. */
  readonly whole: Money;
  /** Our references of the modifications as the provider got them, where a simulation says so. */
  readonly ours: readonly string[];
  /** The payment afterwards, with its modifications. */
  readonly payment: PaymentRecord;
  /** The modification's lines in the provider's ledger. */
  readonly lines: readonly LedgerLine[];
}

/** Pays, then refunds or captures two fifths, and of a refund the rest too. */
export async function playParts(subject: Subject, story: Story, modification: 'refund' | 'capture'): Promise<Parts> {
  const { provider: make } = subject;
  if (make === undefined) throw new Error('There is no provider to play with.');
  const provider = make(story.pays);
  const disk: Disk = { payment: undefined, journal: '[]' };
  const world = { ...story.case.deployment, disk, points: crashAt([]), log: [], now: BEGINNING };
  const host = new TinyHost(world, { journal: memoryJournal(), transport: subject.through(inProcess(provider)) });
  await host.pay(payerOf(story, provider));
  provider.settle?.(host.payment.show);
  for (const raw of provider.outbox?.splice(0) ?? []) await host.receive(raw);
  if (host.payment.state.state === 'pending') await host.poll();
  const { received, held } = host.payment.state;
  const whole = received ?? held;
  if (whole === undefined)
    throw new Error(
      `${story.name}: nothing was paid, the payment is ${host.payment.state.state}. See the check plays-to-its-end.`,
    );
  const part = moneyOfMinor((whole.minor * 2n) / 5n, whole.currency);
  const rest = moneyOfMinor(whole.minor - part.minor, whole.currency);
  // Providers release what is not captured with the first capture.
  const asked = modification === 'refund' ? [part, rest] : [part];
  for (const [index, amount] of asked.entries()) await host.act(String(index), modification, amount);
  return {
    asked,
    whole,
    payment: host.payment,
    ours: oursOf(provider, modification),
    lines: provider.ledger.filter(({ effect }) => effect === modification),
  };
}

function oursOf(provider: ProviderDouble, modification: string): readonly string[] {
  if (!isSimulated(provider)) return [];
  const done = provider.simulator.modifications().filter(({ effect }) => effect === modification);
  return done.map(({ reference }) => reference).filter((reference) => reference !== '');
}
