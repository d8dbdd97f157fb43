import { type HttpRequest, isSecretSetting, preview, type Run } from '@railyard/runtime';
import { cannotRun, type Check, NO_PROVIDER, notApplicable, NOTHING_PLAYED, textOf, type Verdict } from '../check.ts';
import type { Finding } from '../finding.ts';
import { afterwards, type Spoil } from '../host/faults.ts';
import type { Played } from '../host/scenario.ts';
import { asText, leavesOf, withoutItems } from '../leaves.ts';
import { baselines, shared } from '../play/judge.ts';
import { play } from '../play/story.ts';
import { endpointOf, recording } from '../play/traffic.ts';
import type { ProviderDouble } from '../provider/double.ts';
import { runsOf } from '../runs.ts';
import type { Subject } from '../subject.ts';
import { answering, walk, type WalkOptions } from '../walk.ts';

/** Shorter values stand in everyday texts. */
const SHORTEST = 6;

interface Secret {
  readonly name: string;
  readonly value: string;
}

/** The secrets of the account, as far as they are long enough to be searched for. */
function settingSecrets({ connector, settings }: Subject): readonly Secret[] {
  return leavesOf(settings).flatMap(({ place, value }) =>
    isSecretSetting(connector, place) && typeof value === 'string' ? [{ name: `settings.${place}`, value }] : [],
  );
}

function cardSecrets({ cases }: Subject): readonly Secret[] {
  return cases.flatMap(({ path, sample: { card, wallet, authentication, payeeCard } }) => [
    ...(card === undefined ? [] : [{ name: `the card number of ${path}`, value: card.number }]),
    ...(card?.cvv === undefined ? [] : [{ name: `the code of the card of ${path}`, value: card.cvv }]),
    ...(wallet?.token === undefined ? [] : [{ name: `the wallet’s token of ${path}`, value: wallet.token }]),
    ...(authentication === undefined ? [] : [{ name: `the cryptogram of ${path}`, value: authentication.cryptogram }]),
    ...(payeeCard === undefined ? [] : [{ name: `the payee's card number of ${path}`, value: payeeCard }]),
  ]);
}

/** Credentials that endpoints give out: everything in their replies that is not an everyday word. */
function tokens({ connector }: Subject): readonly Secret[] {
  return connector.endpoints
    .filter(({ lifetimeSeconds }) => lifetimeSeconds !== undefined)
    .flatMap(({ name, examples }) =>
      examples.flatMap(({ body }) =>
        leavesOf(body).flatMap(({ place, value }) =>
          typeof value === 'string' && value.length >= SHORTEST + 1 ? [{ name: `${place} of ${name}`, value }] : [],
        ),
      ),
    );
}

interface Written {
  readonly story: string;
  readonly path: string;
  readonly journal: string;
  readonly log: string;
  readonly record: string;
}

/** A gateway that repeats what it was sent, credentials and all. */
const echo: Spoil = afterwards((reply, request) => ({
  ...reply,
  status: 502,
  body: JSON.stringify({
    error: request.body ?? '',
    message: asText(request.headers),
    id: request.body ?? '',
    status: asText(request.headers),
  }),
}));

/** Everything that is written down while every story is played, also with a provider that repeats what it was sent. */
function written(subject: Subject): Promise<readonly Written[]> {
  return shared(subject, 'written', async () => {
    const found: Written[] = [];
    const add = (story: string, path: string, { journal, world, payment }: Played<ProviderDouble>) =>
      found.push({ story, path, journal, log: world.log.join('\n'), record: asText(payment) });
    for (const { story, played } of (await baselines(subject)).all) {
      const path = `sessions.${story.case.path}`;
      add(story.name, path, played);
      for (let at = 1; at <= played.sends; at += 1)
        add(`${story.name}, request ${at} echoed`, path, await play(subject, story, { network: { at, fault: echo } }));
    }
    return found;
  });
}

function search(
  subject: Subject,
  secrets: readonly Secret[],
  where: readonly { readonly path: string; readonly what: string; readonly text: string }[],
): Verdict {
  const short = secrets.find(({ value }) => value.length < 3);
  if (where.length === 0) return NOTHING_PLAYED;
  if (short !== undefined) return cannotRun(`${short.name} is too short to be searched for.`);
  const found = new Map<string, Finding>();
  for (const { path, what, text } of where)
    for (const { name, value } of secrets)
      if (value.length >= SHORTEST ? text.includes(value) : new RegExp(`(?<![\\w.-])${value}(?![\\w.-])`).test(text))
        found.set(`${path} ${name}`, { path, says: `${what} shows ${name}. Leave it out.` });
  return [...found.values()];
}

const NO_SECRETS = notApplicable('No setting is marked as secret.');

async function inWritten(
  subject: Subject,
  secrets: readonly Secret[],
  part: 'journal' | 'log' | 'record',
  what: string,
): Promise<Verdict> {
  if (secrets.length === 0) return NO_SECRETS;
  if (subject.provider === undefined) return NO_PROVIDER;
  const all = await written(subject);
  return search(
    subject,
    secrets,
    all.map((each) => ({ path: each.path, what: `${what} (${each.story})`, text: each[part] })),
  );
}

export const secretChecks: readonly Check[] = [
  {
    id: 'secrets-not-logged',
    level: 'required',
    title: 'no line of the log shows a secret setting or a credential, also when the provider repeats what it was sent',
    run: (subject) => inWritten(subject, [...settingSecrets(subject), ...tokens(subject)], 'log', 'The log'),
  },
  {
    id: 'secrets-not-journaled',
    level: 'required',
    title: 'no row of the journal holds a secret setting or a credential',
    run: (subject) => inWritten(subject, [...settingSecrets(subject), ...tokens(subject)], 'journal', 'The journal'),
  },
  {
    id: 'secrets-not-kept',
    level: 'required',
    title: 'the payment keeps no secret setting and no credential, in reasons and references neither',
    run: (subject) => inWritten(subject, [...settingSecrets(subject), ...tokens(subject)], 'record', 'The payment'),
  },
  {
    id: 'secrets-not-in-outcomes',
    level: 'required',
    title: 'no outcome and no error shows a secret setting, whatever the provider replies',
    run(subject) {
      const secrets = settingSecrets(subject);
      if (secrets.length === 0) return NO_SECRETS;
      const texts = subject.cases
        .flatMap((one) => runsOf(one))
        .flatMap(({ name, path, run, options }) =>
          subject.connector.endpoints.flatMap((endpoint) =>
            [undefined, ...endpoint.examples.keys()]
              .flatMap((at) => [{ at }, { at, change: withoutItems }])
              .map((reply) => {
                const { end, nextActions } = walk(run, answering(options, endpoint, reply));
                const text =
                  end.kind === 'threw'
                    ? textOf(end.error)
                    : asText([
                        end,
                        nextActions.map((nextAction) =>
                          nextAction.kind === 'visit'
                            ? [nextAction.url, nextAction.fields]
                            : [nextAction.error, nextAction.options],
                        ),
                      ]);
                return { path, what: end.kind === 'threw' ? `The error of ${name}` : `The outcome of ${name}`, text };
              }),
          ),
        );
      return search(subject, secrets, texts);
    },
  },
  {
    id: 'secrets-not-in-previews',
    level: 'required',
    title: 'no preview shows a secret setting or a card',
    run(subject) {
      const secrets = [...settingSecrets(subject), ...cardSecrets(subject)];
      if (secrets.length === 0) return NO_SECRETS;
      const texts = subject.cases
        .flatMap((one) => runsOf(one))
        .map(({ name, path, run, options }) => {
          const shown = preview(run, { answers: { signals: asMet(run, options) } });
          const values = shown.requests.flatMap((request) => request.values.map(({ value }) => value));
          return { path, what: `The preview of ${name}`, text: asText([values, shown.end]) };
        });
      return search(subject, secrets, texts);
    },
  },
  {
    id: 'cards-are-not-kept',
    level: 'required',
    title: 'no card number and no code is journaled, logged or kept',
    async run(subject) {
      const secrets = cardSecrets(subject);
      if (secrets.length === 0) return notApplicable('No sample has a card.');
      if (subject.provider === undefined) return NO_PROVIDER;
      const all = await written(subject);
      const texts = all.flatMap(({ path, story, journal, log, record }) => [
        { path, what: `The journal (${story})`, text: journal },
        { path, what: `The log (${story})`, text: log },
        { path, what: `The payment (${story})`, text: record },
      ]);
      return search(subject, secrets, texts);
    },
  },
  {
    id: 'secrets-travel-in-headers-or-bodies',
    level: 'excellent',
    title: 'no secret setting stands in an address, where servers write it down',
    async run(subject) {
      if (subject.provider === undefined) return NO_PROVIDER;
      const secrets = settingSecrets(subject);
      if (secrets.length === 0) return NO_SECRETS;
      const { all } = await baselines(subject);
      if (all.length === 0) return NOTHING_PLAYED;
      const found = new Map<string, Finding>();
      for (const { story } of all) {
        const seen: HttpRequest[] = [];
        await play(subject, story, { reach: recording(seen) });
        for (const request of seen)
          for (const { name, value } of secrets) {
            const endpoint = endpointOf(subject, request)?.name ?? '';
            if (decodeURIComponent(request.url).includes(value))
              found.set(endpoint, {
                path: `endpoints.${endpoint}`,
                says: `Its address holds ${name}. Send it in a header or a body where the provider takes it there.`,
              });
          }
      }
      return [...found.values()];
    },
  },
];

/** The sample's answers in the form in which the flow gets them: a question that can be asked again is answered with its values within. */
function asMet(run: Run, options: WalkOptions): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const { nextActions } = walk(run, options);
  const again = new Set(
    nextActions.flatMap((nextAction) =>
      nextAction.kind === 'collect' && nextAction.resend === true ? [nextAction.step] : [],
    ),
  );
  return Object.fromEntries(
    Object.entries(options.signals ?? {}).map(([step, signal]) => {
      if (!('values' in signal)) return [step, { resend: true }];
      return [step, again.has(step.replace(/#\d+$/, '')) ? { resend: false, values: signal.values } : signal.values];
    }),
  );
}
