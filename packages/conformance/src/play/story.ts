import type { Answer, Turn } from '@railyard/runtime';
import type { HostAction } from '../host/disk.ts';
import type { NetworkFault, Spoil } from '../host/faults.ts';
import { type Played, playThrough, type Scenario, type Stage } from '../host/scenario.ts';
import type { Payer } from '../host/tiny-host.ts';
import { inProcess } from '../provider/network.ts';
import type { ProviderDouble } from '../provider/double.ts';
import type { Case, Subject } from '../subject.ts';

/** A payment from its beginning to its end, and perhaps an action on it. */
export interface Story {
  readonly name: string;
  readonly case: Case;
  readonly pays: 'at-once' | 'later';
  readonly action?: HostAction;
  /** How what happens at the provider becomes known: by its notifications and a lookup, or by the lookup alone. */
  readonly told?: boolean;
}

export interface StoryFaults {
  readonly crashes?: readonly number[];
  readonly network?: { readonly at: number; readonly fault: NetworkFault | Spoil };
}

/** Plays a story once. @throws Error where the connector is at fault: a flow threw, a notification of the provider was refused */
export function play(subject: Subject, story: Story, faults: StoryFaults = {}): Promise<Played<ProviderDouble>> {
  return playThrough(scenarioOf(subject, story), {
    ...faults,
    transport: (provider) => subject.through(inProcess(provider)),
  });
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

async function perform(story: Story, stage: Stage<ProviderDouble>): Promise<void> {
  const { host, provider, once, deliver } = stage;
  await host.pay(payerOf(story, provider));
  once('the payer pays', () => provider.settle?.());
  if (story.told !== false) await deliver();
  if (story.case.flows.status !== undefined && !isDecided(host.payment)) await host.poll();
  const { action } = story;
  const { state } = host.payment.state;
  if (action !== undefined && (state === 'settled' || state === 'authorized')) await host.act('1', action);
}

function isDecided({ state: { state, unknown } }: Stage<ProviderDouble>['host']['payment']): boolean {
  return !unknown && state !== 'created' && state !== 'pending';
}

/** The payer of a sample. Asked the same again, the payer answers the same. */
export function payerOf({ case: { sample } }: Pick<Story, 'case'>, provider: ProviderDouble): Payer {
  return {
    ...(sample.payer && { fields: sample.payer }),
    turn(turn: Turn): Answer | undefined {
      const { step } = turn;
      const given = sample.turns?.[step];
      if (given !== undefined) return 'resend' in given ? { step, resend: true } : { step, values: given.values };
      const values = turn.kind === 'visit' ? provider.visit?.(turn) : undefined;
      return values && { step, values };
    },
  };
}

/** Stories of every sample, as far as the connector has flows for them. */
export function storiesOf({ cases }: Subject): readonly Story[] {
  return cases.flatMap((one) => {
    const story = (pays: Story['pays'], action?: HostAction): Story => ({
      name: `${one.path}, paid ${pays === 'later' ? 'later' : 'at once'}${action === undefined ? '' : `, then ${action}`}`,
      case: one,
      pays,
      ...(action && { action }),
    });
    // A provider that holds money does so at once.
    if (one.request.auth === true)
      return [story('at-once'), ...actionsOn(one).map((action) => story('at-once', action))];
    return [story('at-once'), story('later'), ...actionsOn(one).map((action) => story('at-once', action))];
  });
}

/** What can be done to the payment of a sample. Money that goes out is not given back. */
export function actionsOn({ flows, operation, request }: Case): readonly HostAction[] {
  if (operation !== 'purchase' && operation !== 'debit') return [];
  if (request.auth === true) return (['capture', 'void'] as const).filter((each) => flows[each] !== undefined);
  const all = [
    ...(request.recurring_init === true ? (['recurring'] as const) : []),
    'refund' as const,
    'void' as const,
  ];
  return all.filter((each) => flows[each] !== undefined);
}
