import type { ArrivedNotification } from '@railyard/core/driver';
import { memoryJournal } from '@railyard/runtime';
import { type Disk, type PaymentRecord } from '../host/disk.ts';
import { crashAt } from '../host/faults.ts';
import { type Payer, TinyHost } from '../host/tiny-host.ts';
import { BEGINNING, type World } from '../host/world.ts';
import type { ProviderDouble } from '../provider/double.ts';
import { inProcess } from '../provider/network.ts';
import type { Case, Subject } from '../subject.ts';
import { payerOf } from './story.ts';

/** A payment that waits for its payer, and the host that hears of it. */
export interface Heard {
  readonly one: Case;
  readonly host: TinyHost;
  readonly provider: ProviderDouble;
  readonly world: World;
  payment(): PaymentRecord;
}

/** Whether a payer who is sent to another page comes back from it. */
type Visits = 'ends' | 'stays';

/** Begins the payment of a sample and leaves it to the payer; nothing where it does not wait. */
async function waiting(subject: Subject, one: Case, visits: Visits): Promise<Heard | undefined> {
  const { provider: make } = subject;
  if (make === undefined) return undefined;
  const provider = make('later');
  const disk: Disk = { payment: undefined, journal: '[]' };
  const world: World = { ...one.deployment, disk, points: crashAt([]), log: [], now: BEGINNING };
  const host = new TinyHost(world, { journal: memoryJournal(), transport: subject.through(inProcess(provider)) });
  await host.pay(visits === 'ends' ? payerOf({ case: one }, provider) : staying(one, provider));
  const { state, nextAction } = host.payment;
  const isAway = visits === 'stays' && nextAction?.kind === 'visit';
  return state.state === 'pending' || isAway ? { one, host, provider, world, payment: () => host.payment } : undefined;
}

/** A payer who pays on the provider's page and closes it. */
function staying(one: Case, provider: ProviderDouble): Payer {
  const payer = payerOf({ case: one }, provider);
  return { ...payer, signal: (nextAction) => (nextAction.kind === 'visit' ? undefined : payer.signal?.(nextAction)) };
}

/** Every sample whose payment waits for its payer, each at a provider of its own. */
export async function everyWaiting(subject: Subject): Promise<readonly Heard[]> {
  const heard = await allWaiting(subject, 'ends');
  // Where every payer is sent to a page, its end is known at once unless the payer stays there.
  return heard.length > 0 ? heard : allWaiting(subject, 'stays');
}

async function allWaiting(subject: Subject, visits: Visits): Promise<readonly Heard[]> {
  const heard: Heard[] = [];
  for (const one of subject.cases) {
    const each = await waiting(subject, one, visits).catch(() => undefined);
    if (each !== undefined) heard.push(each);
  }
  return heard;
}

/** A notification that a payment was paid, with the payment that waits for it. */
export interface Notified extends Heard {
  readonly raw: ArrivedNotification;
}

/** Lets the payer of every waiting payment pay, and takes the notification of it out of the outbox. */
export async function notifiedOf(subject: Subject): Promise<readonly Notified[]> {
  const heard = await everyWaiting(subject);
  return heard.flatMap((each) => {
    const { nextAction, show } = each.payment();
    each.provider.settle?.(show);
    // A payment that this side has to finish is paid by approving it on the provider's page.
    if (each.provider.outbox?.length === 0 && nextAction?.kind === 'visit') each.provider.visit?.(nextAction);
    const raw = each.provider.outbox?.at(-1);
    return raw === undefined ? [] : [{ ...each, raw }];
  });
}
