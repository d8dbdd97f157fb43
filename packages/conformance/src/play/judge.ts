import type { Finding } from '../finding.ts';
import { textOf } from '../check.ts';
import type { Played } from '../host/scenario.ts';
import type { ProviderDouble } from '../provider/double.ts';
import type { Subject } from '../subject.ts';
import { play, storiesOf, type Story, type StoryFaults } from './story.ts';

/** A story that went well, to compare troubled ones with. */
export interface Baseline {
  readonly story: Story;
  readonly played: Played<ProviderDouble>;
}

interface Baselines {
  readonly all: readonly Baseline[];
  readonly problems: readonly Finding[];
}

/** Every story without trouble, played once for all checks. */
export async function baselines(subject: Subject): Promise<Baselines> {
  return shared(subject, 'baselines', async () => {
    const all: Baseline[] = [];
    const problems: Finding[] = [];
    for (const story of storiesOf(subject)) {
      try {
        all.push({ story, played: await play(subject, story) });
      } catch (error) {
        problems.push({ path: `sessions.${story.case.path}`, says: `${story.name}: ${textOf(error)}` });
      }
    }
    return { all, problems };
  });
}

/** Work that several checks need, done once. */
export function shared<T>(subject: Subject, name: string, work: () => Promise<T>): Promise<T> {
  const known = subject.shared.get(name);
  // The map holds what this function put there under the same name.
  if (known !== undefined) return known as Promise<T>;
  const made = work();
  subject.shared.set(name, made);
  return made;
}

/** Plays a story in trouble and says what is wrong with its end. */
export async function trouble(
  subject: Subject,
  { story, played: before }: Baseline,
  faults: StoryFaults,
  when: string,
  judge: (before: End, after: End) => string | undefined = wrongEnd,
): Promise<readonly Finding[]> {
  const path = `sessions.${story.case.path}`;
  try {
    const problem = judge(before, await play(subject, story, faults));
    return problem === undefined ? [] : [{ path, says: `${story.name}, ${when}: ${problem}` }];
  } catch (error) {
    return [{ path, says: `${story.name}, ${when}: ${textOf(error)}` }];
  }
}

/** A modification's story begins as the one without it: the number of its own first request. */
export function firstOf({ story, played }: Baseline, all: readonly Baseline[]): number {
  if (story.modification === undefined) return 1;
  const plain = all.find(
    (each) => each.story.case === story.case && each.story.pays === story.pays && each.story.modification === undefined,
  );
  return Math.min(played.sends, (plain?.played.sends ?? 0) + 1);
}

type End = Pick<Played<ProviderDouble>, 'payment' | 'provider'>;

/** Compares the end of a play with the provider's ledger and with how the story ends without trouble. */
export function wrongEnd(before: End, after: End): string | undefined {
  const usual = counted(before);
  const effects = counted(after);
  for (const [effect, count] of effects)
    if (count > (usual.get(effect) ?? 0))
      return `The provider did "${effect}" ${count} times, ${usual.get(effect) ?? 0} times would be right.`;
  const { state, unknown } = after.payment.state;
  const whole = [...usual].every(([effect, count]) => effects.get(effect) === count);
  if (whole && unknown === false && state !== before.payment.state.state && state !== 'pending' && state !== 'created')
    return `The payment ends as ${state}, although the provider did the same as for one that ends as ${before.payment.state.state}.`;
  if (whole && isPaid(before) && state === 'declined')
    return 'The payment is declined, although the provider took the money.';
  if (!whole && state === 'settled' && !ownEffects(after).length)
    return 'The payment is settled, although the provider took no money.';
  return undefined;
}

/** The same for a trouble after which everything ends as without it. */
export function sameEnd(before: End, after: End): string | undefined {
  const wrong = wrongEnd(before, after);
  if (wrong !== undefined) return wrong;
  const [usual, now] = [before, after].map(({ payment: { state, modifications } }) =>
    [
      state.unknown ? 'unknown' : state.state,
      ...modifications.map(({ modification, status }) => `${modification} ${status}`),
    ].join(', '),
  );
  return now === usual ? undefined : `It ends as ${now}, and not as ${usual}.`;
}

const isPaid = ({ payment: { state } }: End) => state.state === 'settled' || state.state === 'authorized';
const ownEffects = ({ provider }: End) => provider.ledger;

function counted({ provider }: End): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { effect, reference, amount } of provider.ledger) {
    const name = `${effect} ${reference} ${amount}`.trim();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
