import type { AnyEndpoint } from '@railyard/core/driver';
import type { HttpRequest } from '@railyard/runtime';
import { askedBesidePayments } from '../asked-beside-payments.ts';
import { cannotRun, type Check, NO_PROVIDER, notApplicable, over, textOf, type Verdict } from '../check.ts';
import type { Finding } from '../finding.ts';
import { foundRequests, lookUpEveryWay } from '../finders.ts';
import { firstLookup } from '../first-lookup.ts';
import { afterwards } from '../host/faults.ts';
import { uuidOf } from '../host/world.ts';
import { asText, leavesOf } from '../leaves.ts';
import { baselines, trouble, wrongEnd } from '../play/judge.ts';
import { play } from '../play/story.ts';
import { doubling, endpointOf, recording } from '../play/traffic.ts';
import { runsOf } from '../runs.ts';
import type { Subject } from '../subject.ts';
import { walk, type WalkedRequest } from '../walk.ts';

const HOUR_MS = 3_600_000;
const LOST = afterwards(() => ({ kind: 'lost', why: 'The reply was lost.' }));

function declares(subject: Subject, repeat: AnyEndpoint['repeat']): boolean {
  const beside = askedBesidePayments(subject);
  return subject.connector.endpoints.some(
    (each) => each.repeat === repeat && each.lifetimeSeconds === undefined && !beside.has(each.name),
  );
}
const notMet = (repeat: string) => cannotRun(`No sample leads to an endpoint that is declared ${repeat}. Give one.`);
const none = (repeat: string) => notApplicable(`No endpoint of a payment is declared ${repeat}.`);

/** Requests of the walks to endpoints of one policy. */
function requestsOf({ cases }: Subject, repeat: AnyEndpoint['repeat']): readonly WalkedRequest[] {
  return cases
    .flatMap((one) => runsOf(one))
    .flatMap(({ run, options }) => walk(run, options).requests.filter(({ endpoint }) => endpoint.repeat === repeat));
}

/** Plays every story with some requests sent twice; the ledger must be as without. */
async function sentTwice(subject: Subject, repeat: 'keyed' | 'safe', advice: string): Promise<Verdict> {
  if (!declares(subject, repeat)) return none(repeat);
  if (subject.provider === undefined) return NO_PROVIDER;
  const found: Finding[] = [];
  let doubled = 0;
  for (const baseline of (await baselines(subject)).all) {
    // Lookups are made where no notification says how the payment stands.
    const story = repeat === 'safe' ? { ...baseline.story, notified: false } : baseline.story;
    const played = story === baseline.story ? baseline.played : await play(subject, story);
    const reach = doubling((request) => {
      const is = endpointOf(subject, request)?.repeat === repeat;
      if (is) doubled += 1;
      return is;
    });
    const problem = wrongEnd(played, await play(subject, story, { reach }));
    if (problem !== undefined)
      found.push({
        path: `sessions.${story.case.path}`,
        says: `${story.name}, every ${repeat} request sent twice: ${problem} ${advice}`,
      });
  }
  return doubled === 0 ? notMet(repeat) : found;
}

/** Loses the reply of each request to endpoints of one policy, and looks at what is sent afterwards. */
async function afterLoss(
  subject: Subject,
  repeat: 'keyed' | 'by-reference' | 'once',
  judge: (lost: HttpRequest, later: readonly HttpRequest[], endpoint: AnyEndpoint) => string | undefined,
): Promise<Verdict> {
  if (!declares(subject, repeat)) return none(repeat);
  if (subject.provider === undefined) return NO_PROVIDER;
  const found: Finding[] = [];
  let losses = 0;
  for (const { story, played } of (await baselines(subject)).all)
    for (let at = 1; at <= played.sends; at += 1) {
      const seen: HttpRequest[] = [];
      await play(subject, story, { network: { at, fault: LOST }, reach: recording(seen) }).catch(() => undefined);
      const lost = seen[at - 1];
      const endpoint = lost && endpointOf(subject, lost);
      if (lost === undefined || endpoint === undefined || endpoint.repeat !== repeat) continue;
      losses += 1;
      const says = judge(lost, seen.slice(at), endpoint);
      if (says !== undefined) found.push({ path: `endpoints.${endpoint.name}`, says: `${story.name}: ${says}` });
    }
  return losses === 0 ? notMet(repeat) : found;
}

const isOneOf = (endpoints: readonly AnyEndpoint[] = [], asked: AnyEndpoint | undefined) =>
  asked !== undefined && endpoints.includes(asked);

export const repeatChecks: readonly Check[] = [
  {
    id: 'keys-are-on-the-wire',
    level: 'required',
    title: 'a keyed request carries the key of its step: the same on every repeat, another for every step',
    run(subject) {
      if (!declares(subject, 'keyed')) return none('keyed');
      const requests = requestsOf(subject, 'keyed');
      return over(
        requests,
        notMet('keyed'),
        ({ endpoint, input, step, key, wire, settings, credential }): readonly Finding[] => {
          const path = `endpoints.${endpoint.name}`;
          const other = uuidOf(`another ${key}`);
          if (!asText(wire).includes(key))
            return [
              {
                path,
                says: `"${step}" is declared keyed, and its request carries no key. Put the context's key into the provider's header or field, or declare it by-reference or once.`,
              },
            ];
          const again = asText(endpoint.request(input, { settings, key: other, credential }));
          return again.includes(other) && !again.includes(key)
            ? []
            : [{ path, says: `"${step}" carries another key than the one of its step.` }];
        },
      );
    },
  },
  {
    id: 'keys-keep-one-effect',
    level: 'required',
    title: 'a keyed request that is sent twice has one effect at the provider',
    run: (subject) =>
      sentTwice(
        subject,
        'keyed',
        'The provider keeps no key for it: declare it by-reference or once, or name the key in the simulation.',
      ),
  },
  {
    id: 'keys-are-stable',
    level: 'required',
    title: 'a keyed request whose reply was lost is repeated with the same key',
    run: (subject) =>
      afterLoss(subject, 'keyed', (lost, later, endpoint) => {
        const again = later.filter((each) => endpointOf(subject, each) === endpoint && each.url === lost.url);
        const other = again.find((each) => each.body === lost.body && keyOf(each) !== keyOf(lost));
        return other === undefined
          ? undefined
          : 'The repeat of a keyed request has another key. Take the key from the context, and nothing that changes.';
      }),
  },
  {
    id: 'keys-are-not-outlived',
    level: 'required',
    title: 'a keyed request without a reply is never sent again once the provider has forgotten its key',
    async run(subject) {
      const forgotten = subject.connector.endpoints.flatMap(({ keyed }) =>
        keyed === undefined ? [] : [keyed.forHours],
      );
      if (forgotten.length === 0) return notApplicable('No endpoint says how long the provider keeps its key.');
      if (subject.provider === undefined) return NO_PROVIDER;
      const hours = Math.max(...forgotten);
      const found: Finding[] = [];
      for (const { story, played } of (await baselines(subject)).all)
        for (const [index, point] of played.points.entries())
          if (/^after [A-Z]+ /.test(point))
            found.push(
              ...(await trouble(
                subject,
                // A notification that was kept for so long is stale.
                { story: { ...story, notified: false }, played },
                { crashes: [index + 1], downMs: hours * HOUR_MS },
                `after a crash at ${index + 1}, ${point}, and ${hours} hours`,
                // The result of a capture, for example, is told by its notification alone.
                (before, after) =>
                  after.provider.ledger.length > before.provider.ledger.length
                    ? 'the key was sent again, and the provider did the same twice. Let the runtime decide about repeats.'
                    : undefined,
              )),
            );
      return found;
    },
  },
  {
    id: 'references-are-on-the-wire',
    level: 'required',
    title: 'a request that is found by reference carries the reference by which it is found',
    run(subject) {
      if (!declares(subject, 'by-reference')) return none('by-reference');
      const requests = requestsOf(subject, 'by-reference').filter(({ endpoint: { find } }) => find !== undefined);
      return over(
        requests,
        notMet('by-reference'),
        ({ endpoint, input, step, key, wire, settings, credential }): readonly Finding[] => {
          const { find } = endpoint;
          if (find === undefined) return [];
          const context = { settings, key, credential };
          const asked = textsOf(firstLookup(find, input, context));
          const secrets = new Set(leavesOf(settings).map(({ value }) => value));
          const carried = new Set(textsOf(wire));
          const shared = asked.some((text) => carried.has(text) && !secrets.has(text) && text.length >= 4);
          return shared
            ? []
            : [
                {
                  path: `endpoints.${endpoint.name}`,
                  says: `"${step}" and "${find.endpoints.map(({ name }) => name).join(', ')}" have no reference in common. Send our reference, and look for the same.`,
                },
              ];
        },
      );
    },
  },
  {
    id: 'look-ups-read-every-reply',
    level: 'required',
    title: 'the look-up of a lost request reads each example of the endpoints that it calls',
    run(subject) {
      const { cases } = subject;
      const lost = cases
        .flatMap((one) => runsOf(one))
        .flatMap((each) => foundRequests(each).map((request) => ({ request, adapt: each.options.adapt })));
      return over(lost, none('by-reference'), ({ request, adapt }): readonly Finding[] => {
        try {
          lookUpEveryWay(request, adapt);
          return [];
        } catch (error) {
          return [{ path: `endpoints.${request.endpoint.name}`, says: `find throws: ${textOf(error)}` }];
        }
      });
    },
  },
  {
    id: 'references-are-looked-up-first',
    level: 'required',
    title: 'a request that is found by reference is looked up before it is sent again',
    run: (subject) =>
      afterLoss(subject, 'by-reference', (_lost, later, endpoint) => {
        const again = later.findIndex((each) => endpointOf(subject, each) === endpoint);
        const looked = later.findIndex((each) => isOneOf(endpoint.find?.endpoints, endpointOf(subject, each)));
        return again >= 0 && (looked < 0 || looked > again)
          ? 'It was sent again without having been looked up.'
          : undefined;
      }),
  },
  {
    id: 'safe-requests-change-nothing',
    level: 'required',
    title: "a request that is declared safe leaves the provider's ledger alone",
    run: (subject) => sentTwice(subject, 'safe', 'It is declared safe: declare how it may be repeated.'),
  },
  {
    id: 'once-is-once',
    level: 'required',
    title: 'a request that is declared once is never sent again after its reply was lost',
    run: (subject) =>
      afterLoss(subject, 'once', (lost, later, endpoint) => {
        const again = later.some(
          (each) => endpointOf(subject, each) === endpoint && each.url === lost.url && each.body === lost.body,
        );
        return again ? 'It was sent again.' : undefined;
      }),
  },
  {
    id: 'moving-money-is-not-safe',
    level: 'required',
    title: 'no endpoint that moves money by the simulation is declared safe',
    run({ connector, options: { simulation } }) {
      if (simulation === undefined) return notApplicable('There is no simulation.');
      const moving = connector.endpoints.flatMap(({ name, repeat }) => {
        const { effect = 'read', prepares = false } = simulation.endpoints[name] ?? {};
        return prepares || MOVES_NOTHING.has(effect) ? [] : [{ name, repeat, effect }];
      });
      return over(moving, 'By the simulation no endpoint moves money.', ({ name, repeat, effect }) => {
        return repeat === 'safe'
          ? [
              {
                path: `endpoints.${name}`,
                says: `It brings about "${effect}" and is declared safe. Declare it keyed, by-reference or once.`,
              },
            ]
          : [];
      });
    },
  },
];

/** The effects that may take place twice. */
const MOVES_NOTHING: ReadonlySet<string> = new Set(['read', 'credential', 'withdraw']);

function textsOf(wire: unknown): readonly string[] {
  return leavesOf(wire).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
}

/** The header that holds the key of a step; keys have the form of a UUID of version 8. Credentials may change from one send to the next. */
function keyOf({ headers }: HttpRequest): string | undefined {
  return Object.values(headers).find((value) =>
    /[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}/.test(value),
  );
}
