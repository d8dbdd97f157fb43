import { HOST_MODIFICATIONS } from '../host/disk.ts';
import type { AnyEndpoint } from '@railyard/core/driver';
import type { HttpRequest, HttpResult } from '@railyard/runtime';
import { type Check, NO_PROVIDER, notApplicable, NOTHING_PLAYED, textOf, type Verdict } from '../check.ts';
import type { Finding } from '../finding.ts';
import { type Baseline, baselines, firstOf, wrongEnd } from '../play/judge.ts';
import { playRefused, refusalsOf, wrongDoubt } from '../play/refused-repeat.ts';
import { play } from '../play/story.ts';
import { endpointOf, recording } from '../play/traffic.ts';
import { LOST, type Refusal, UNAUTHORIZED } from '../provider/late.ts';
import type { Subject } from '../subject.ts';

/** A request of a story that moves something, and its number. */
interface Moving {
  readonly at: number;
  readonly endpoint: AnyEndpoint;
}

/** The story as it goes where nothing but lookups shows how it ends, with its requests that move something. */
async function withoutNotifications(
  subject: Subject,
  notified: Baseline,
  from: number,
): Promise<Baseline & { moving: readonly Moving[] }> {
  const seen: HttpRequest[] = [];
  const story = { ...notified.story, notified: false };
  const played = await play(subject, story, { reach: recording(seen) });
  const moving = seen.flatMap((request, index): Moving[] => {
    const endpoint = endpointOf(subject, request);
    const moves = endpoint !== undefined && endpoint.repeat !== 'safe' && index + 1 >= from;
    return moves ? [{ at: index + 1, endpoint }] : [];
  });
  return { story, played, moving };
}

/** Takes every moving request of some stories late, and refuses its repeat in every way. */
async function everyRefusal(subject: Subject, which: (baseline: Baseline) => boolean): Promise<Verdict> {
  if (subject.provider === undefined) return NO_PROVIDER;
  const { all } = await baselines(subject);
  if (all.length === 0) return NOTHING_PLAYED;
  const found: Finding[] = [];
  for (const notified of all.filter(which)) {
    const { moving, ...baseline } = await withoutNotifications(subject, notified, firstOf(notified, all));
    for (const { at, endpoint } of moving)
      for (const [refusal, first] of doubtsOf(endpoint, subject)) {
        const says = await judged(subject, baseline, { at, endpoint }, refusal, first);
        if (says === undefined) continue;
        const how = first.kind === 'reply' ? `taken late, answered ${first.status}` : 'taken late';
        const when = `${baseline.story.name}, ${endpoint.name} ${how} and refused with ${refusal.status} ${refusal.body}`;
        found.push({ path: `endpoints.${endpoint.name}`, says: `${when}: ${says}` });
      }
  }
  return found;
}

/** Each refusal of the repeat of a request whose reply was lost, and the first of them after a 401. */
function doubtsOf(endpoint: AnyEndpoint, { connector }: Subject): readonly (readonly [Refusal, HttpResult])[] {
  const refusals = refusalsOf(endpoint, connector);
  const after = (first: HttpResult) => (refusal: Refusal) => [refusal, first] as const;
  return [...refusals.map(after(LOST)), ...refusals.slice(0, 1).map(after(UNAUTHORIZED))];
}

async function judged(
  subject: Subject,
  baseline: Baseline,
  { at, endpoint }: Moving,
  refusal: Refusal,
  first: HttpResult,
): Promise<string | undefined> {
  const { story, played } = baseline;
  const { namedByReply, prepares } = subject.options.simulation?.endpoints[endpoint.name] ?? {};
  // Without the reply nothing finds it, or no payer knows the address at which to approve it.
  const isLeft = namedByReply === true || prepares === true;
  try {
    const { meanwhile, after } = await playRefused(subject, story, at, refusal, first);
    const wrong = wrongDoubt(meanwhile) ?? wrongEnd(played, after);
    return wrong ?? (isLeft ? undefined : notFound(baseline, after));
  } catch (error) {
    return textOf(error);
  }
}

/** Why a payment, or a modification on it, that the provider shows by now is not known; where it can be asked for. */
function notFound(
  { story, played }: Baseline,
  { payment, provider }: Pick<Baseline['played'], 'payment' | 'provider'>,
): string | undefined {
  // A payment in several steps whose later calls were never made stays in doubt for good.
  if (provider.ledger.length < played.provider.ledger.length) return undefined;
  const { flows } = story.case;
  const { state, unknown } = payment.state;
  const same = state === played.payment.state.state && unknown === played.payment.state.unknown;
  if (flows.status !== undefined && !same)
    return `asking leaves it ${unknown ? 'unknown' : state}; without the late reply it is ${played.payment.state.state}. Let status find it by our own reference.`;
  const asks = story.modification === 'recurring' ? flows.status : flows.modificationStatus;
  const open = payment.modifications.find(
    ({ status }, index) => status !== played.payment.modifications[index]?.status,
  );
  if (asks === undefined || open === undefined) return undefined;
  return `asking leaves the ${open.modification} ${open.status}. Let modificationStatus find it by our own reference.`;
}

export const refusedRepeatChecks: readonly Check[] = [
  {
    id: 'refused-repeat-is-no-decline',
    level: 'required',
    title:
      'a payment whose reply was lost, or was a 401, is not declined by the refusal of its repeat, and is found once the provider shows it',
    run: (subject) => everyRefusal(subject, ({ story }) => story.modification === undefined),
  },
  {
    id: 'refused-repeat-in-modifications',
    level: 'required',
    title: 'the same holds for a capture, refund, void and later charge',
    async run(subject) {
      const modifying = subject.cases.some(({ flows }) => HOST_MODIFICATIONS.some((name) => flows[name] !== undefined));
      if (!modifying) return notApplicable('The connector has no modifications.');
      return everyRefusal(subject, ({ story }) => story.modification !== undefined);
    },
  },
];
