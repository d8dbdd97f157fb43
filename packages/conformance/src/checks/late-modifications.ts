import { modificationFlows } from '@railyard/core/payment';
import { cannotRun, type Check, notApplicable, type Verdict } from '../check.ts';
import type { Finding } from '../finding.ts';
import { baselines } from '../play/judge.ts';
import { type LateModification, playLateModification } from '../play/late-modification.ts';
import type { Story } from '../play/story.ts';
import type { Subject } from '../subject.ts';

const MODIFICATIONS: ReadonlySet<string> = new Set(modificationFlows());

/** Stories of a modification whose reply says how it stands; where it says nothing, the provider does all of it at once. */
async function storiesOf(subject: Subject): Promise<readonly Story[]> {
  const { simulation } = subject.options;
  const effects = new Set(
    Object.values(simulation?.endpoints ?? {}).flatMap(({ effect, reply }) =>
      reply.modificationStatus === undefined ? [] : [effect === 'cancel' ? 'void' : effect],
    ),
  );
  return (await baselines(subject)).all
    .map(({ story }) => story)
    .filter(
      ({ modification = '' }) =>
        MODIFICATIONS.has(modification) && [...effects].some((effect) => effect === modification),
    );
}

async function eachLate(
  subject: Subject,
  scenario: 'pending-modification' | 'undone-modification',
  judge: (late: LateModification, story: Story) => string | undefined,
): Promise<Verdict> {
  if (subject.options.simulation === undefined)
    return subject.options.provider === undefined
      ? cannotRun('Only a simulation plays modifications that end later. Give one.')
      : notApplicable('Only a simulation plays modifications that end later.');
  const found: Finding[] = [];
  let played = 0;
  for (const story of await storiesOf(subject)) {
    const late = await playLateModification(subject, story, scenario);
    if (late === undefined) continue;
    played += 1;
    const says = judge(late, story);
    if (says !== undefined) found.push({ path: `sessions.${story.case.path}`, says: `${story.name}: ${says}` });
  }
  return played === 0 ? notApplicable('No reply says that a capture, refund or void is pending.') : found;
}

/** Whether an event says that a modification took place, or that it failed. */
const isReportedAs = ({ events }: LateModification, status: 'settled' | 'declined') =>
  events.some((event) => event.kind !== 'payment' && 'outcome' in event && event.outcome.status === status);

const AS_FAILED =
  'Read the word of the modification by statuses.read, and report it as an event of its own kind with a declined outcome.';

export const lateModificationChecks: readonly Check[] = [
  {
    id: 'modifications-stay-pending',
    level: 'required',
    title: 'a capture, refund or void that is pending at the provider is neither settled nor declined before it is',
    run: (subject) =>
      eachLate(subject, 'pending-modification', ({ first }, { modification }) =>
        first === 'settled' || first === 'declined' || first === 'authorized'
          ? `the ${modification} is pending at the provider, and here it is ${first}. Read its word by statuses.read.`
          : undefined,
      ),
  },
  {
    id: 'modifications-fail-later',
    level: 'required',
    title: 'a pending capture, refund or void that fails is reported as failed, by its notification and by its lookup',
    run: (subject) => {
      // A hint moves nothing: the lookup is asked below.
      const isProven = subject.connector.notifications?.verify.confirm === undefined;
      return eachLate(subject, 'pending-modification', (late, { modification, case: { flows } }) => {
        if (isReportedAs(late, 'settled'))
          return `the ${modification} failed, and its notification says that it settled. ${AS_FAILED}`;
        if (isProven && isReportedAs(late, 'declined') && late.reported !== 'declined')
          return `the ${modification} failed, and its notification leaves it ${late.reported}. Give the outcome of the event the reference under which the ${modification} was answered.`;
        if (flows.modificationStatus === undefined || late.last === 'declined') return undefined;
        return `the ${modification} failed at the provider, and asking for it leaves it ${late.last}. Let the lookup of the modification read its word by statuses.read.`;
      });
    },
  },
  {
    id: 'modifications-are-undone',
    level: 'required',
    title: 'a capture, refund or void that settled and fails afterwards is not reported as settled again',
    run: (subject) =>
      eachLate(subject, 'undone-modification', (late, { modification }) =>
        isReportedAs(late, 'settled')
          ? `the ${modification} failed after it had settled, and its notification says that it settled. ${AS_FAILED}`
          : undefined,
      ),
  },
];
