import { type Outcome, readPath } from '@railyard/core';
import type { AnyEndpoint, Meaning } from '@railyard/core/driver';
import { type FlowName, replyValue } from '@railyard/runtime';
import { type Check, NO_SAMPLE, notApplicable, over, textOf, type Verdict } from '../check.ts';
import type { Finding } from '../finding.ts';
import { readGoldens } from '../goldens.ts';
import { leavesOf, withValue } from '../leaves.ts';
import { eventsIn, outcomeOf } from '../notified.ts';
import { concluder, outcomesOf, runsOf } from '../runs.ts';
import type { Subject } from '../subject.ts';
import { answering, asArrives, walk } from '../walk.ts';

const INVENTED = 'RAILYARD_INVENTED';

const isLater = (meaning: Meaning | undefined) => typeof meaning === 'object' && 'later' in meaning;

/** The status of a word's outcome. A word for what happened after the payment has none: read as an outcome it is unknown. */
function nameOf(meaning: Meaning): Outcome['status'] {
  if (typeof meaning === 'string') return meaning;
  return isLater(meaning) ? 'unknown' : 'declined';
}

/** Puts a word wherever one of the table stands and the reply's schema takes another: a literal of the schema is no status. */
function withWord(words: ReadonlySet<string>, word: string, reads: (body: unknown) => boolean) {
  return (body: unknown): unknown =>
    leavesOf(body)
      .filter(({ value }) => typeof value === 'string' && words.has(value))
      .filter(({ place }) => reads(withValue(body, place, word)))
      .reduce<unknown>((data, { place }) => withValue(data, place, word), body);
}

/** Whether an endpoint's example would be read with another body. */
function readerOf(endpoint: AnyEndpoint, at: number) {
  const { is, headers } = endpoint.examples[at] ?? {};
  const name = is ?? Object.keys(endpoint.variants)[0] ?? '';
  return (body: unknown): boolean => replyValue(endpoint, name, asArrives(endpoint, body), headers).ok;
}

/** Examples of an endpoint that show a word of the table. */
function showing({ examples }: AnyEndpoint, words: ReadonlySet<string>): readonly number[] {
  return [...examples.keys()].filter((at) =>
    leavesOf(examples[at]?.body).some(({ value }) => typeof value === 'string' && words.has(value)),
  );
}

/** The end of a flow at a reply with a word in the place of the one that an example shows. */
interface Reading {
  readonly name: string;
  readonly flow: FlowName;
  readonly endpoint: string;
  readonly word: string;
  readonly statuses: readonly string[];
  readonly threw: unknown;
}

/** Every wanted word in every example that shows one of the table, in every flow that ends with that reply. */
function readingsOf(subject: Subject, wanted: readonly string[]): readonly Reading[] {
  const words = new Set(Object.keys(subject.connector.statuses.rows));
  const readings: Reading[] = [];
  for (const each of subject.cases.flatMap((one) => runsOf(one))) {
    const { name, flow, run, options } = each;
    const concludes = concluder(each, subject.connector);
    for (const endpoint of new Set(walk(run, options).requests.map((request) => request.endpoint)))
      for (const word of wanted)
        for (const at of showing(endpoint, words)) {
          const change = withWord(words, word, readerOf(endpoint, at));
          const walked = walk(run, answering(options, endpoint, { at, change }));
          // Where the flow goes on to other requests, the conclusion is theirs.
          if (!concludes(walked, endpoint)) continue;
          const threw = walked.end.kind === 'threw' ? walked.end.error : undefined;
          const statuses = outcomesOf(walked).map(({ status }) => status);
          readings.push({ name, flow, endpoint: endpoint.name, word, statuses, threw });
        }
  }
  return readings;
}

/** Whether the word leads anywhere: to an outcome, or to the payer. */
const isRead = ({ statuses }: Reading) => statuses.length === 0 || statuses.some((status) => status !== 'unknown');

/** Flows that say how a payment stands; those of modifications know the words of their own. */
const STANDS: ReadonlySet<FlowName> = new Set(['purchase', 'debit', 'credit', 'transfer', 'status']);

const eachReading = (readings: readonly Reading[], judge: (reading: Reading) => string | undefined): Verdict =>
  over(readings, NO_WORDS, (reading): readonly Finding[] => {
    const says = judge(reading);
    return says === undefined ? [] : [{ path: `endpoints.${reading.endpoint}`, says: `${reading.name}: ${says}` }];
  });

type Lacks = (outcome: Outcome | undefined, said?: unknown) => string | undefined;

/** The word that made an outcome unknown because the table does not know it: the outcome's own, or what was said where words stand. */
function lacking({ connector: { statuses } }: Subject): Lacks {
  return (outcome, said) => {
    if (outcome?.status !== 'unknown') return undefined;
    const word = outcome.provider?.status ?? said;
    return typeof word !== 'string' || Object.hasOwn(statuses.rows, word) ? undefined : word;
  };
}

const strange = (path: string, index: number, word: string): Finding => ({
  path,
  says: `Example ${index + 1} says "${word}", which the status table does not know: a payment of which that is said stays unknown. Give the word a row, as the provider's documentation means it.`,
});

/** Examples of replies that a flow, which ends with them, takes for unknown because of their word. */
function strangeReplies({ connector, cases, options: { simulation } }: Subject, lacks: Lacks): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const each of cases.flatMap((one) => runsOf(one))) {
    const { run, options } = each;
    const concludes = concluder(each, connector);
    for (const endpoint of new Set(walk(run, options).requests.map((request) => request.endpoint)))
      for (const [at, { body }] of endpoint.examples.entries()) {
        const walked = walk(run, answering(options, endpoint, { at }));
        if (!concludes(walked, endpoint)) continue;
        const { modificationStatus, status } = simulation?.endpoints[endpoint.name]?.reply ?? {};
        const place = modificationStatus ?? status;
        const said = place === undefined ? undefined : readPath(body, place);
        const path = `endpoints.${endpoint.name}`;
        for (const outcome of outcomesOf(walked)) {
          const word = lacks(outcome, said);
          if (word !== undefined) found.set(`${path} ${at}`, strange(path, at, word));
        }
      }
  }
  return connector.endpoints.flatMap(({ name, examples }) =>
    [...examples.keys()].flatMap((at) => found.get(`endpoints.${name} ${at}`) ?? []),
  );
}

/** One word for money that is taken and for money that is held, where the request says which is asked for (Adyen: `Authorised`). */
const isForBoth = ({ options: { simulation } }: Subject, word: string) =>
  word === simulation?.words.settled && word === simulation.words.authorized;

/** A payment's word for its end that is, of a void, the word for what was asked (Stripe: `canceled`). */
const isOfVoid = ({ options: { simulation } }: Subject, word: string) =>
  word === simulation?.effectWords?.void?.settled;

const SHORTEST_EXPLANATION = 4;

/** Words whose meaning is stated beside the table: by the simulation, or by a golden exchange that says its outcome. */
async function provenWords({ options }: Subject): Promise<ReadonlySet<string>> {
  const { words, effectWords } = options.simulation ?? {};
  const goldens = (await readGoldens(options)).filter(({ outcome }) => outcome?.status !== undefined);
  const said = [words, effectWords, ...goldens.map(({ reply }) => reply.body)].flatMap((each) => leavesOf(each));
  return new Set(said.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])));
}

const NO_WORDS = notApplicable('No flow ends with a reply whose example shows a word of the status table.');
const NO_ROWS = notApplicable('The status table has no rows.');

export const statusChecks: readonly Check[] = [
  {
    id: 'status-rows-decide',
    level: 'required',
    title: 'every word of the status table leads where the table says, in every flow',
    run(subject) {
      const { rows } = subject.connector.statuses;
      if (Object.keys(rows).length === 0) return NO_ROWS;
      if (subject.cases.length === 0) return NO_SAMPLE;
      return eachReading(readingsOf(subject, Object.keys(rows)), ({ flow, word, statuses, threw }) => {
        if (threw !== undefined) return `The flow throws at the word "${word}": ${textOf(threw)}`;
        // Of the action itself the word may say that it was done: REFUNDED of a payment, and of its refund.
        if (isLater(rows[word]) && !STANDS.has(flow)) return undefined;
        const meaning = nameOf(rows[word] ?? 'pending');
        const allowed = new Set<string>([
          meaning,
          'unknown',
          // A payment that ended before it had money may have the same word as one that ended after it.
          ...(isLater(rows[word]) ? ['declined'] : []),
          ...(isForBoth(subject, word) ? ['authorized'] : []),
          ...(isOfVoid(subject, word) ? ['settled'] : []),
        ]);
        const other = statuses.find((status) => !allowed.has(status));
        return other === undefined
          ? undefined
          : `"${word}" means ${meaning} by the table, and the flow ends ${other}. Read every word by statuses.read.`;
      });
    },
  },
  {
    id: 'status-rows-are-read',
    level: 'required',
    title: 'no word of the status table is unknown in every reply of a flow that reads others',
    run(subject) {
      const { rows } = subject.connector.statuses;
      const words = Object.keys(rows).filter((word) => !isLater(rows[word]));
      if (words.length === 0) return NO_ROWS;
      if (subject.cases.length === 0) return NO_SAMPLE;
      const readings = readingsOf(subject, words).filter(({ flow }) => STANDS.has(flow));
      const flows = new Set(readings.filter(isRead).map(({ flow }) => flow));
      // A lookup reads the words that the reply that makes the payment left unknown.
      if (flows.has('status')) for (const flow of flows) if (flow !== 'status') flows.delete(flow);
      return over([...flows], NO_WORDS, (flow) =>
        words.flatMap((word) => {
          const own = readings.filter((each) => each.flow === flow && each.word === word);
          const [first] = own;
          return first === undefined || own.some(isRead)
            ? []
            : [
                {
                  path: `endpoints.${first.endpoint}`,
                  says: `${first.name}: "${word}" stands in the table and is unknown in every reply of ${flow}, which reads others. Read every word by statuses.read.`,
                },
              ];
        }),
      );
    },
  },
  {
    id: 'invented-status-is-unknown',
    level: 'required',
    title: 'a word that the status table does not know is unknown, never pending, declined or settled',
    run(subject) {
      if (Object.keys(subject.connector.statuses.rows).length === 0) return NO_ROWS;
      if (subject.cases.length === 0) return NO_SAMPLE;
      return eachReading(readingsOf(subject, [INVENTED]), ({ statuses, threw }) => {
        if (threw !== undefined) return `The flow throws at a word that it does not know: ${textOf(threw)}`;
        const other = statuses.find((status) => status !== 'unknown');
        return other === undefined
          ? undefined
          : `An invented word ends ${other}. Read every word by statuses.read and give no default.`;
      });
    },
  },
  {
    id: 'examples-speak-the-table',
    level: 'recommended',
    title: 'the status table knows every word of the examples, of replies and of notifications',
    run(subject) {
      const { statuses, notifications } = subject.connector;
      if (Object.keys(statuses.rows).length === 0) return NO_ROWS;
      const lacks = lacking(subject);
      const given = notifications?.examples ?? [];
      return [
        ...strangeReplies(subject, lacks),
        ...given.flatMap(({ body }, index) =>
          (eventsIn(subject, body) ?? []).flatMap((event): Finding[] => {
            const word = lacks(outcomeOf(event), event.provider?.status);
            return word === undefined ? [] : [strange('notifications.examples', index, word)];
          }),
        ),
      ];
    },
  },
  {
    id: 'status-words-are-proven',
    level: 'recommended',
    title:
      'every word of the status table is said by the simulation, by a golden with its outcome, or explained after the documentation',
    async run(subject) {
      const { rows, says } = subject.connector.statuses;
      if (Object.keys(rows).length === 0) return NO_ROWS;
      const proven = await provenWords(subject);
      return Object.keys(rows).flatMap((word): Finding[] =>
        proven.has(word) || (says[word] ?? '').trim().length >= SHORTEST_EXPLANATION
          ? []
          : [
              {
                path: `statuses.${word}`,
                says: `Nothing says "${word}" but the table, so that nothing shows whether it means ${nameOf(rows[word] ?? 'pending')}. Say what the documentation says of it: { meaning, says: '…' }; or let the simulation say it.`,
              },
            ],
      );
    },
  },
  {
    id: 'simulation-speaks-the-table',
    level: 'required',
    title: 'the words of the simulation mean in the status table what the simulation means by them',
    run({ connector, options: { simulation } }) {
      if (simulation === undefined) return notApplicable('There is no simulation.');
      const { settled, pending, declined, authorized, challenged, authenticated } = simulation.words;
      const wanted = {
        settled: [settled],
        pending: [pending, challenged, authenticated],
        declined: [declined],
        authorized: [authorized],
      };
      return Object.entries(wanted).flatMap(([meaning, words]) =>
        words.flatMap((word): Finding[] => {
          if (word === undefined) return [];
          const row = connector.statuses.rows[word];
          const read = row === undefined ? 'unknown' : nameOf(row);
          const isBoth = meaning === 'authorized' && read === 'settled' && word === settled;
          return read === meaning || isBoth
            ? []
            : [
                {
                  path: `statuses.${word}`,
                  says: `The simulation says "${word}" for ${meaning}; the table reads it as ${read}. See the provider's documentation for which of them is right.`,
                },
              ];
        }),
      );
    },
  },
];
