import { modificationFlows } from '@railyard/core/payment';
import type { Signal, Transport, NextAction } from '@railyard/runtime';
import type { HostModification } from '../host/disk.ts';
import type { NetworkFault, Spoil } from '../host/faults.ts';
import { type Played, playThrough, type Scenario, type Stage } from '../host/scenario.ts';
import type { Payer } from '../host/tiny-host.ts';
import { inProcess } from '../provider/network.ts';
import type { ProviderDouble } from '../provider/double.ts';
import type { Case, Subject } from '../subject.ts';

/** A payment from its beginning to its end, and perhaps a modification on it. */
export interface Story {
  readonly name: string;
  readonly case: Case;
  readonly pays: 'at-once' | 'later';
  readonly modification?: HostModification;
  /** How what happens at the provider becomes known: by its notifications and a lookup, or by the lookup alone. */
  readonly notified?: boolean;
}

export interface StoryFaults {
  readonly crashes?: readonly number[];
  readonly network?: { readonly at: number; readonly fault: NetworkFault | Spoil };
  /** Another way to the provider than in process. */
  readonly reach?: (provider: ProviderDouble) => Transport;
  /** As in a service that holds the card's code for as long as it tries. */
  readonly holdsCard?: boolean;
  /** How long the process is down after a crash. */
  readonly downMs?: number;
}

/** Plays a story once. @throws Error where the connector is at fault: a flow threw, a notification of the provider was refused */
export function play(subject: Subject, story: Story, faults: StoryFaults = {}): Promise<Played<ProviderDouble>> {
  const { reach = inProcess, ...rest } = faults;
  return playThrough(scenarioOf(subject, story), { ...rest, transport: reach, through: subject.through });
}

function scenarioOf(subject: Subject, story: Story): Scenario<ProviderDouble> {
  const { provider } = subject;
  if (provider === undefined) throw new Error('There is no provider to play with. Give a simulation.');
  return {
    deployment: story.case.deployment,
    provider: () => provider(story.pays),
    play: (stage) => perform(story, stage),
  };
}

/** Performs the steps of a story that were not done before. */
export async function perform(
  story: Story,
  { host, provider, deliver }: Pick<Stage<ProviderDouble>, 'host' | 'provider' | 'deliver'>,
): Promise<void> {
  await host.pay(payerOf(story, provider));
  provider.settle?.(host.payment.show);
  if (story.notified !== false) await deliver();
  if (story.case.flows.status !== undefined && !isDecided(host.payment)) await host.poll();
  const { modification } = story;
  const { state } = host.payment.state;
  if (modification !== undefined && (state === 'settled' || state === 'authorized')) {
    await host.act('1', modification);
    if (story.notified !== false) await deliver();
  }
}

function isDecided({ state: { state, unknown } }: Stage<ProviderDouble>['host']['payment']): boolean {
  return !unknown && state !== 'created' && state !== 'pending';
}

/** The payer of a sample. Asked the same again, the payer answers the same. */
export function payerOf({ case: { sample } }: Pick<Story, 'case'>, provider: ProviderDouble): Payer {
  return {
    ...(sample.payer && { fields: sample.payer }),
    signal(nextAction: NextAction): Signal | undefined {
      const { step } = nextAction;
      const given = sample.signals?.[step];
      if (given !== undefined) return 'resend' in given ? { step, resend: true } : { step, values: given.values };
      const values = nextAction.kind === 'visit' ? provider.visit?.(nextAction) : undefined;
      return values && { step, values };
    },
  };
}

/** Stories of every sample, as far as the connector has flows for them. */
export function storiesOf({ cases }: Subject): readonly Story[] {
  return cases.flatMap((one) => {
    const story = (pays: Story['pays'], modification?: HostModification): Story => ({
      name: `${one.path}, paid ${pays === 'later' ? 'later' : 'at once'}${modification === undefined ? '' : `, then ${modification}`}`,
      case: one,
      pays,
      ...(modification && { modification }),
    });
    // A provider that holds money does so at once.
    if (one.request.auth === true)
      return [story('at-once'), ...modificationsOn(one).map((modification) => story('at-once', modification))];
    return [
      story('at-once'),
      story('later'),
      ...modificationsOn(one).map((modification) => story('at-once', modification)),
    ];
  });
}

/** The modifications on a sample's payment. A payout is not refunded; modifications that every sale allows are tried on the first sample. */
export function modificationsOn({ flows, operation, request, isFirst }: Case): readonly HostModification[] {
  if (operation !== 'purchase' && operation !== 'debit') return [];
  const isHold = request.auth === true;
  const wanted: readonly HostModification[] = [
    ...(isHold || isFirst ? modificationFlows(({ from }) => from.includes(isHold ? 'authorized' : 'settled')) : []),
    ...(request.recurring_init === true ? (['recurring'] as const) : []),
  ];
  return wanted.filter((each) => flows[each] !== undefined);
}
