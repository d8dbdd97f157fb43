import { cannotRun, type Check, notApplicable } from '../check.ts';
import type { Finding } from '../finding.ts';
import { type Paid, playBegun } from '../play/paid.ts';
import type { Story } from '../play/story.ts';
import type { Subject } from '../subject.ts';
import { baselines } from '../play/judge.ts';

const stateOf = ({ host }: Pick<Paid, 'host'>) => host.payment.state.state;

/** A payment whose payer is on the provider's page has only begun. */
const WAITS: ReadonlySet<string> = new Set(['created', 'pending']);
/** Payments that their payers can still pay, and those whose money the provider holds. */
const OPEN: ReadonlySet<string> = new Set(['pending', 'challenged', 'authenticated']);
const WITH_MONEY: ReadonlySet<string> = new Set(['settled', 'authorized']);
const isAny = ({ provider }: Paid, states: ReadonlySet<string>) =>
  provider.simulator.payments().some(({ state }) => states.has(state));

/** The fault of a story whose payer leaves, if it has one. A story that does not wait for its payer has none. */
async function leave(subject: Subject, asked: Story): Promise<string | undefined> {
  const story: Story = { ...asked, pays: 'later' };
  const left = await playBegun(subject, story, true);
  if (left === undefined || !WAITS.has(stateOf(left))) return undefined;
  await left.host.withdraw();
  if (isAny(left, OPEN))
    return 'the payer left, and what they were given can still be paid at the provider. Give the call that takes it back the effect "withdraw" in the simulation, and make it.';
  if (stateOf(left) !== 'declined')
    return `the provider took it back, and the payment is ${stateOf(left)}. Read the provider's word as declined.`;
  const raced = await playBegun(subject, story, true);
  if (raced === undefined) return undefined;
  for (const { id } of raced.provider.simulator.payments()) raced.provider.simulator.settle(id);
  await raced.host.withdraw();
  return stateOf(raced) === 'declined' && isAny(raced, WITH_MONEY)
    ? 'the payer paid a moment before it was taken back, and the payment is declined. Where the provider refuses to take it back, look the payment up.'
    : undefined;
}

export const withdrawalChecks: readonly Check[] = [
  {
    id: 'withdrawn-payments-cannot-be-paid',
    level: 'required',
    title:
      'a payment whose payer leaves is taken back at the provider, and one that was paid first is not told as declined',
    run: async (subject) => {
      const able = (await baselines(subject)).all
        .map(({ story }) => story)
        .filter(
          ({ case: { flows, operation }, modification }) =>
            flows.withdraw !== undefined && operation !== 'credit' && modification === undefined,
        )
        .filter((story, index, all) => all.findIndex((each) => each.case === story.case) === index);
      if (able.length === 0) return notApplicable('No method has a withdraw flow.');
      if (subject.options.simulation === undefined)
        return cannotRun('Only a simulation plays a payer who leaves. Give one.');
      const found: Finding[] = [];
      for (const story of able) {
        const says = await leave(subject, story);
        if (says !== undefined) found.push({ path: `sessions.${story.case.path}`, says: `${story.name}: ${says}` });
      }
      return found;
    },
  },
];
