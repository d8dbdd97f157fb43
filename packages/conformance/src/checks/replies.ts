import type { Outcome } from '@railyard/core';
import { type AnyEndpoint, isForFlow, knowsWord, tablesOf, TOO_MANY_REQUESTS } from '@railyard/core/driver';
import { modificationFlows } from '@railyard/core/payment';
import { type Check, NO_PROVIDER, notApplicable, NOTHING_PLAYED, over, type Verdict } from '../check.ts';
import type { Finding } from '../finding.ts';
import { afterwards, type Spoil } from '../host/faults.ts';
import type { Played } from '../host/scenario.ts';
import { baselines, firstOf, sameEnd, trouble } from '../play/judge.ts';
import { isDecline, refusalsOf } from '../play/refused-repeat.ts';
import { play } from '../play/story.ts';
import { endpointOf, recording } from '../play/traffic.ts';
import { everyWalk, outcomesOf, runsOf } from '../runs.ts';
import type { Subject } from '../subject.ts';
import type { ProviderDouble } from '../provider/double.ts';
import { inProcess } from '../provider/network.ts';
import { answering, textOfBody, walk } from '../walk.ts';
import type { HttpRequest, Transport } from '@railyard/runtime';

/** Stories in which replies are spoilt: without modifications once more, because their requests were in the stories before. */
async function eachRequest(subject: Subject, spoils: readonly Spoil[], when: string): Promise<Verdict> {
  if (subject.provider === undefined) return NO_PROVIDER;
  const { all } = await baselines(subject);
  if (all.length === 0) return NOTHING_PLAYED;
  const found: Finding[] = [];
  for (const baseline of all)
    for (let at = firstOf(baseline, all); at <= baseline.played.sends; at += 1)
      for (const fault of spoils)
        found.push(...(await trouble(subject, baseline, { network: { at, fault } }, `${when} (request ${at})`)));
  return found;
}

const replyCheck = (id: string, title: string, when: string, spoils: readonly Spoil[]): Check => ({
  id,
  level: 'required',
  title,
  run: (subject) => eachRequest(subject, spoils, when),
});

/** Variants with statuses of which no flow is given a reply. */
const notForFlows = ({ connector }: Subject, isOf: (status: number) => boolean, why: string): readonly Finding[] =>
  connector.endpoints.flatMap(({ name, variants }) =>
    Object.entries(variants).flatMap(([reply, variant]): Finding[] => {
      const statuses = [variant.status].flat().filter((each) => isOf(each) && !isForFlow(variant, each));
      const says = `The reply "${reply}" has the status ${statuses.join(', ')}. ${why}, so no flow is given such a reply: leave these statuses out, or quote the provider's documentation with \`refuses: { says: '…' }\` where it says that nothing was taken.`;
      return statuses.length === 0 ? [] : [{ path: `endpoints.${name}`, says }];
    }),
  );

const describedFailures = (subject: Subject): readonly Finding[] =>
  notForFlows(subject, (status) => status >= 500, 'The provider may have acted before it failed');

/** Replies of 429: those of which no flow is given one, and those that a flow takes for a decline. */
function describedLimits(subject: Subject): readonly Finding[] {
  const undescribed = notForFlows(
    subject,
    (status) => status === TOO_MANY_REQUESTS,
    'The provider took nothing, and the request is sent again later',
  );
  const declined = subject.cases
    .flatMap((one) => runsOf(one))
    .flatMap(({ name, run, options }) =>
      [...new Set(walk(run, options).requests.map(({ endpoint }) => endpoint))].flatMap((endpoint) =>
        limitsOf(endpoint)
          .filter((at) => outcomesOf(walk(run, answering(options, endpoint, { at }))).some(isDeclined))
          .map(() => ({
            path: `endpoints.${endpoint.name}`,
            says: `${name}: a reply of 429 is a decline. The provider took nothing and takes the request later: leave the status out.`,
          })),
      ),
    );
  return [...undescribed, ...declined];
}

const isDeclined = ({ status }: Outcome) => status === 'declined';

/** The examples of an endpoint's replies of 429, or of a variant that has this status among others. */
const limitsOf = ({ examples, variants }: AnyEndpoint): readonly number[] =>
  [...examples.keys()].filter((at) => {
    const variant = variants[examples[at]?.is ?? Object.keys(variants)[0] ?? ''];
    return variant !== undefined && [variant.status].flat().includes(TOO_MANY_REQUESTS);
  });

/** The provider turns one request away, in its own words where the endpoint has them. */
const turnedAway =
  (subject: Subject): Spoil =>
  async (request) => {
    const endpoint = endpointOf(subject, request);
    const [at] = endpoint === undefined ? [] : limitsOf(endpoint);
    const shown = at === undefined ? undefined : endpoint?.examples[at]?.body;
    const body = endpoint === undefined || shown === undefined ? '{}' : textOfBody(endpoint.codec, shown);
    return { kind: 'reply', status: TOO_MANY_REQUESTS, headers: { 'retry-after': '1' }, body };
  };

/** The provider acts, and answers another status with the body of a refusal of its own. */
const refusedAfterwards = (subject: Subject, status: number): Spoil =>
  afterwards((reply, request) => {
    const endpoint = endpointOf(subject, request);
    const [refusal] = endpoint === undefined ? [] : refusalsOf(endpoint, subject.connector);
    return { ...reply, status, body: refusal?.body ?? '{}' };
  });

/** The way to a provider that writes all its replies otherwise. */
const writing =
  (change: (body: string) => string) =>
  (provider: ProviderDouble): Transport => {
    const network = inProcess(provider);
    return {
      async send(request) {
        const result = await network.send(request);
        return result.kind === 'reply' ? { ...result, body: change(result.body) } : result;
      },
    };
  };

/** Every whole number of JSON with a fraction of zero, as languages write it that keep floats. */
const writingFractions = writing((body) => (/^\s*[[{]/.test(body) ? withFractions(JSON.parse(body)) : body));

const HOUR_MS = 3_600_000;
/**
 * Every point in time as a clock has it that is off, or that is local and says that it is in UTC.
 *
 * @param written takes each time as it is written then, in milliseconds since 1970
 */
const writingTimes = (hours: number, written: Set<number>) =>
  writing((body) =>
    body.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/g, (text) => {
      const at = Date.parse(text) + hours * HOUR_MS;
      written.add(at);
      return new Date(at).toISOString();
    }),
  );

/** The end of what the payer is shown, where it has one. */
const endOf = ({ payment: { show } }: Played<ProviderDouble>) =>
  show?.validUntil === undefined ? undefined : Date.parse(show.validUntil);

/** JSON whose whole numbers have a fraction of zero. */
function withFractions(value: unknown): string {
  if (typeof value === 'number' && Number.isInteger(value)) return `${value}.0`;
  if (Array.isArray(value)) return `[${value.map(withFractions).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}:${withFractions(each)}`);
  return `{${fields.join(',')}}`;
}

const json =
  (status: number, body: unknown): Spoil =>
  async () => ({ kind: 'reply', status, headers: {}, body: JSON.stringify(body) });
const UNKNOWN_BODY = { railyard_invented: true };

export const replyChecks: readonly Check[] = [
  replyCheck(
    'reply-html-502',
    'a gateway that answers 502 with a page is no decline and no second charge',
    'after a page with 502',
    [afterwards((reply) => ({ ...reply, status: 502, body: '<html><body><h1>502 Bad Gateway</h1></body></html>' }))],
  ),
  replyCheck('reply-empty', 'an empty 200 is no decline, no success and no second charge', 'after an empty 200', [
    afterwards((reply) => ({ ...reply, status: 200, body: '' })),
  ]),
  replyCheck('reply-truncated', 'a reply that breaks off is no decline and no second charge', 'after half a reply', [
    afterwards((reply) => ({ ...reply, body: reply.body.slice(0, Math.floor(reply.body.length / 2)) })),
  ]),
  replyCheck(
    'reply-oversized',
    'a reply without end is cut off, and is no decline and no second charge',
    'after a reply that was too large',
    [
      afterwards((_reply, { maxReplyBytes }) => ({
        kind: 'lost',
        why: `The reply is larger than ${maxReplyBytes} bytes.`,
      })),
    ],
  ),
  replyCheck(
    'reply-slow',
    'a reply after the deadline is no decline and no second charge',
    'after a reply that came too late',
    [afterwards((_reply, { timeoutMs }) => ({ kind: 'lost', why: `No complete reply within ${timeoutMs} ms.` }))],
  ),
  replyCheck(
    'reply-strange-json',
    'undescribed JSON is no decline, no success and no second charge',
    'after undescribed JSON',
    [
      afterwards((reply) => ({ ...reply, body: JSON.stringify(UNKNOWN_BODY) })),
      afterwards((reply) => ({ ...reply, body: '[]' })),
      afterwards((reply) => ({ ...reply, body: 'null' })),
    ],
  ),
  {
    id: 'reply-server-errors',
    level: 'required',
    title:
      'a server error after the provider acted is no decline and no second charge, and a reply that describes one quotes the provider',
    async run(subject) {
      const described = describedFailures(subject);
      if (described.length > 0) return described;
      const spoils = [refusedAfterwards(subject, 500), afterwards((reply) => ({ ...reply, status: 503, body: '' }))];
      return eachRequest(subject, spoils, 'after a server error');
    },
  },
  {
    id: 'reply-too-many-requests',
    level: 'required',
    title: 'a request that is answered 429 was not taken: it is sent again later, and ends as without the 429',
    async run(subject) {
      const described = describedLimits(subject);
      if (described.length > 0) return described;
      if (subject.provider === undefined) return NO_PROVIDER;
      const { all } = await baselines(subject);
      if (all.length === 0) return NOTHING_PLAYED;
      const found: Finding[] = [];
      for (const baseline of all)
        for (let at = firstOf(baseline, all); at <= baseline.played.sends; at += 1) {
          const faults = { network: { at, fault: turnedAway(subject) }, holdsCard: true };
          found.push(...(await trouble(subject, baseline, faults, `after a 429 (request ${at})`, sameEnd)));
        }
      return found;
    },
  },
  replyCheck('reply-unauthorized', 'a 401 after the provider acted is no decline and no second charge', 'after a 401', [
    afterwards((reply) => ({ ...reply, status: 401, body: '{}' })),
  ]),
  {
    id: 'reply-name-twice',
    level: 'required',
    title: 'JSON with a word twice under its name, the second time as a decline, is no decline and no second charge',
    async run(subject) {
      const { connector } = subject;
      const decline = tablesOf(connector).flatMap(({ rows }) =>
        Object.keys(rows).filter((word) => isDecline(rows[word])),
      )[0];
      if (decline === undefined) return notApplicable('The status table has no word for a decline.');
      const twice = (whole: string, name: string, word: string) =>
        knowsWord(connector, word) ? `${whole},"${name}":"${decline}"` : whole;
      const spoil = afterwards((reply) => ({ ...reply, body: reply.body.replace(/"([^"\\]+)":"([^"\\]+)"/g, twice) }));
      return eachRequest(subject, [spoil], 'after JSON with a name twice');
    },
  },
  {
    id: 'reply-zero-fractions',
    level: 'required',
    title: 'a provider that writes a fraction of zero behind every whole number is understood as without it',
    async run(subject) {
      if (subject.provider === undefined) return NO_PROVIDER;
      const { all } = await baselines(subject);
      if (all.length === 0) return NOTHING_PLAYED;
      const found: Finding[] = [];
      for (const { story, played: before } of all) {
        const { payment } = await play(subject, story, { reach: writingFractions });
        const [said, usual] = [payment, before.payment].map(({ state }) => (state.unknown ? 'unknown' : state.state));
        if (said !== usual)
          found.push({
            path: `sessions.${story.case.path}`,
            says: `${story.name}: with 1000.0 in place of 1000 in replies it ends as ${said}, and not as ${usual}. A number of JSON with a fraction of zero is whole.`,
          });
      }
      return found;
    },
  },
  {
    id: 'reply-clocks-off',
    level: 'required',
    title: 'times of the provider that are three hours off change nothing but the end that the provider itself says',
    async run(subject) {
      if (subject.provider === undefined) return NO_PROVIDER;
      const { all } = await baselines(subject);
      if (all.length === 0) return NOTHING_PLAYED;
      const found: Finding[] = [];
      for (const { story, played: before } of all)
        for (const hours of [-3, 3]) {
          const written = new Set<number>();
          const after = await play(subject, story, { reach: writingTimes(hours, written) });
          const [said, usual] = [after, before].map(({ payment: { state } }) =>
            state.unknown ? 'unknown' : state.state,
          );
          const when = `${story.name}: with times that are ${hours} hours off`;
          const path = `sessions.${story.case.path}`;
          if (said !== usual) found.push({ path, says: `${when} it ends as ${said}, and not as ${usual}.` });
          const [end, ours] = [endOf(after), endOf(before)];
          if (end !== undefined && ours !== undefined && end !== ours && !written.has(end))
            found.push({
              path,
              says: `${when} the end of what the payer is shown moves, although the provider does not say it. Count it from now.`,
            });
        }
      return found;
    },
  },
  replyCheck(
    'reply-refusals',
    'an undescribed refusal leaves no false success, and can be tried again',
    'after an undescribed refusal',
    [json(400, UNKNOWN_BODY), json(403, UNKNOWN_BODY), json(409, UNKNOWN_BODY)],
  ),
  replyCheck('request-not-sent', 'a request that never left is made again, once', 'after a request that never left', [
    async () => ({ kind: 'not-sent', why: 'refused' }),
  ]),
  {
    id: 'redirects-are-not-followed',
    level: 'required',
    title: 'a redirect is not followed: nothing reaches another host',
    async run(subject) {
      if (subject.provider === undefined) return NO_PROVIDER;
      const { all } = await baselines(subject);
      if (all.length === 0) return NOTHING_PLAYED;
      const found: Finding[] = [];
      for (const { story, played } of all)
        for (let at = 1; at <= played.sends; at += 1) {
          const seen: HttpRequest[] = [];
          const fault: Spoil = async () => ({
            kind: 'reply',
            status: 302,
            headers: { location: 'https://elsewhere.example/' },
            body: '',
          });
          await play(subject, story, { network: { at, fault }, reach: recording(seen) }).catch(() => undefined);
          const astray = seen.find((request) => endpointOf(subject, request) === undefined);
          if (astray !== undefined)
            found.push({
              path: `sessions.${story.case.path}`,
              says: `${story.name}: ${astray.method} ${new URL(astray.url).host} was asked, which is not the provider.`,
            });
        }
      return found;
    },
  },
  {
    id: 'timeout-after-charge',
    level: 'required',
    title: 'a payment that the provider took before the time ran out is never declined, and is found by asking',
    async run(subject) {
      if (subject.provider === undefined) return NO_PROVIDER;
      const lost = afterwards(() => ({ kind: 'lost', why: 'No complete reply in time.' }));
      const payments = (await baselines(subject)).all.filter(({ story }) => story.modification === undefined);
      if (payments.length === 0) return NOTHING_PLAYED;
      const { simulation } = subject.options;
      const found: Finding[] = [];
      for (const { story } of payments) {
        const alone = { ...story, notified: false };
        const before = await play(subject, alone);
        for (let at = 1; at <= before.sends; at += 1) {
          const path = `sessions.${story.case.path}`;
          const seen: HttpRequest[] = [];
          const after = await play(subject, alone, { network: { at, fault: lost }, reach: recording(seen) });
          // Nothing was taken: the token of a card moves no money.
          if (seen.every((request) => endpointOf(subject, request)?.repeat === 'safe')) continue;
          const { state, unknown } = after.payment.state;
          const when = `${story.name}, the reply to request ${at} lost`;
          if (state === 'declined' && before.payment.state.state !== 'declined')
            found.push({ path, says: `${when}: it is declined.` });
          const lostOne = seen[at - 1];
          const named = lostOne && endpointOf(subject, lostOne);
          // Found by nothing but the id of a reply that is gone, as `refused-repeat-is-no-decline` has it.
          const isFound = named === undefined || simulation?.endpoints[named.name]?.namedByReply !== true;
          const asked = story.case.flows.status !== undefined && isFound;
          const same = state === before.payment.state.state && unknown === before.payment.state.unknown;
          if (asked && !same)
            found.push({
              path,
              says: `${when}: asking leaves it ${unknown ? 'unknown' : state}; without the loss it is ${before.payment.state.state}. Let status find it by our own reference.`,
            });
        }
      }
      return found;
    },
  },
  {
    id: 'status-is-looked-up',
    level: 'recommended',
    title: 'the provider can be asked what became of a payment, by its reference and by ours',
    run({ connector }) {
      if (connector.lookups === 'none') return notApplicable('Its provider answers no lookups.');
      const moving = connector.endpoints.some(({ repeat }) => repeat !== 'safe');
      return over(moving ? connector.serves : [], 'No endpoint moves anything.', ({ method, flows }) =>
        flows.status !== undefined
          ? []
          : [
              {
                path: `serves.${method.key}.status`,
                says: 'There is no status flow: a payment whose reply was lost stays unknown until the provider reports it.',
              },
            ],
      );
    },
  },
  {
    id: 'modification-status-is-looked-up',
    level: 'recommended',
    title: 'a capture, refund or void that is never sent again can be asked for after its reply was lost',
    run({ cases }) {
      const modifying = cases.flatMap((one) =>
        runsOf(one)
          .filter(({ flow }) => modificationFlows().some((each) => each === flow))
          .map((each) => ({ ...each, one })),
      );
      if (modifying.length === 0) return notApplicable('No sample leads to a capture, refund or void.');
      const found = new Map<string, Finding>();
      for (const { one, flow, ...rest } of modifying) {
        if (one.flows.modificationStatus !== undefined) continue;
        const sent = everyWalk({ flow, ...rest }).flatMap(({ requests }) => requests);
        const lost = sent.find(({ endpoint: { repeat } }) => repeat === 'once')?.endpoint.name;
        const path = `serves.${one.method.key}.modificationStatus`;
        if (lost !== undefined)
          found.set(path, {
            path,
            says: `"${lost}" is sent once, and there is no modificationStatus flow: a ${flow} whose reply was lost stays unknown until a person asks the provider. Add the flow, or a policy by which the request can be repeated.`,
          });
      }
      return [...found.values()];
    },
  },
  {
    id: 'deadlines-fit',
    level: 'required',
    title: 'every endpoint waits for a reply between a tenth of a second and 45 seconds',
    run: ({ connector }) =>
      over(connector.endpoints, 'The connector declares no endpoint.', ({ name, timeoutMs }) =>
        timeoutMs >= 100 && timeoutMs <= 45_000
          ? []
          : [{ path: `endpoints.${name}.timeoutMs`, says: `${timeoutMs} ms is not between. Give a time in between.` }],
      ),
  },
];
