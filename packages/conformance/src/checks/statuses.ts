import { type Outcome, readPath } from '@railyard/core';
import { modificationFlows } from '@railyard/core/payment';
import { type AnyEndpoint, knowsWord, type Meaning, type StatusTable, tablesOf } from '@railyard/core/driver';
import { type FlowName, replyValue } from '@railyard/runtime';
import { type Check, NO_SAMPLE, notApplicable, over, textOf, type Verdict } from '../check.ts';
import type { Finding } from '../finding.ts';
import { readGoldens } from '../goldens.ts';
import { leavesOf, withValue } from '../leaves.ts';
import { eventsIn, outcomeOf } from '../notified.ts';
import { concluder, eventsOf, outcomesOf, runsOf } from '../runs.ts';
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
  /** By which the flow reads. */
  readonly table: StatusTable;
  readonly endpoint: string;
  readonly word: string;
  readonly statuses: readonly string[];
  /** Whether it tells of a dispute: the money came before. */
  readonly isDisputed: boolean;
  /** Whether the flow ends at a fault of the provider: of a reply that lacks the page or the code that the payer needs. */
  readonly isUnusable: boolean;
  readonly threw: unknown;
}

/** Every wanted word in every example that shows one of a flow's table, in every flow that ends with that reply. */
function readingsOf(
  subject: Subject,
  wanted: (table: StatusTable) => readonly string[],
  goingOn: Reading[] = [],
): readonly Reading[] {
  const readings: Reading[] = [];
  for (const each of subject.cases.flatMap((one) => runsOf(one))) {
    const { name, flow, run, options, table } = each;
    const words = new Set(Object.keys(table.rows));
    const concludes = concluder(each, subject.connector);
    for (const endpoint of new Set(walk(run, options).requests.map((request) => request.endpoint)))
      for (const word of wanted(table))
        for (const at of showing(endpoint, words)) {
          const change = withWord(words, word, readerOf(endpoint, at));
          const walked = walk(run, answering(options, endpoint, { at, change }));
          // Where the flow goes on to other requests, the conclusion is theirs.
          if (!concludes(walked, endpoint)) {
            const last = { endpoint: endpoint.name, word, statuses: [], isDisputed: false, isUnusable: false };
            goingOn.push({ name, flow, table, ...last, threw: undefined });
            continue;
          }
          const threw = walked.end.kind === 'threw' ? walked.end.error : undefined;
          const outcomes = outcomesOf(walked);
          const statuses = outcomes.map(({ status }) => status);
          const isUnusable = outcomes.some((each) => each.status === 'declined' && each.code === 'provider_error');
          const isDisputed = eventsOf(walked).some(({ kind }) => kind === 'chargeback');
          readings.push({ name, flow, table, endpoint: endpoint.name, word, statuses, isDisputed, isUnusable, threw });
        }
  }
  return readings;
}

/** Whether the word leads anywhere: to an outcome, or to the payer. */
const isRead = ({ statuses }: Reading) => statuses.length === 0 || statuses.some((status) => status !== 'unknown');

const isSameWord = (one: Reading, other: Reading) =>
  one.name === other.name && one.flow === other.flow && one.endpoint === other.endpoint && one.word === other.word;

/** Whether the flow waits at the word: for the payer, or for the provider. */
const isWaiting = ({ statuses, threw }: Reading) =>
  threw === undefined && statuses.every((status) => status === 'pending');

/** Flows that say how a payment stands; those of modifications know the words of their own. */
const STANDS: ReadonlySet<FlowName> = new Set(['purchase', 'debit', 'credit', 'transfer', 'status']);

const eachReading = (readings: readonly Reading[], judge: (reading: Reading) => string | undefined): Verdict =>
  over(readings, NO_WORDS, (reading): readonly Finding[] => {
    const says = judge(reading);
    return says === undefined ? [] : [{ path: `endpoints.${reading.endpoint}`, says: `${reading.name}: ${says}` }];
  });

type Lacks = (outcome: Outcome | undefined, said?: unknown) => string | undefined;

/** The word that made an outcome unknown because the table does not know it: the outcome's own, or what was said where words stand. */
function lacking({ connector }: Subject): Lacks {
  return (outcome, said) => {
    if (outcome?.status !== 'unknown') return undefined;
    const word = outcome.provider?.status ?? said;
    return typeof word !== 'string' || knowsWord(connector, word) ? undefined : word;
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

type Said = string | undefined;

const EFFECTS = [...modificationFlows(), 'payout'] as const;

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

/** The tables with the places at which a connector declares them. */
const namedTables = ({ connector: { statuses, effectStatuses = {} } }: Subject) => [
  { name: 'statuses', table: statuses },
  ...Object.entries(effectStatuses).map(([effect, table]) => ({ name: `effectStatuses.${effect}`, table })),
];

const wordsIn = ({ rows }: StatusTable): readonly string[] => Object.keys(rows);
const hasNoRows = ({ connector }: Subject): boolean =>
  tablesOf(connector).every((table) => wordsIn(table).length === 0);

export const statusChecks: readonly Check[] = [
  {
    id: 'status-rows-decide',
    level: 'required',
    title: 'every word of the status table leads where the table says, in every flow',
    run(subject) {
      if (hasNoRows(subject)) return NO_ROWS;
      if (subject.cases.length === 0) return NO_SAMPLE;
      const goingOn: Reading[] = [];
      const readings = readingsOf(subject, wordsIn, goingOn);
      return eachReading(readings, (reading) => {
        const {
          flow,
          table: { rows },
          word,
          statuses,
          isDisputed,
          isUnusable,
          threw,
        } = reading;
        if (threw !== undefined) return `The flow throws at the word "${word}": ${textOf(threw)}`;
        // Of the action itself the word may say that it was done: REFUNDED of a payment, and of its refund.
        if (isLater(rows[word]) && !STANDS.has(flow)) return undefined;
        const meaning = nameOf(rows[word] ?? 'pending');
        // The word alone is no fault: another example of the endpoint, with the page or the code, waits at it.
        const hasSibling =
          isUnusable && [...readings, ...goingOn].some((other) => isSameWord(other, reading) && isWaiting(other));
        const allowed = new Set<string>([
          meaning,
          'unknown',
          // A payment that ended before it had money may have the same word as one that ended after it.
          ...(isLater(rows[word]) ? ['declined'] : []),
          ...(isLater(rows[word]) && isDisputed ? ['settled'] : []),
          ...(meaning !== 'settled' && hasSibling ? ['declined'] : []),
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
      const { statuses, ...connector } = subject.connector;
      const wordsOf = (table: StatusTable) => wordsIn(table).filter((word) => !isLater(table.rows[word]));
      if (tablesOf({ statuses, ...connector }).every((table) => wordsOf(table).length === 0)) return NO_ROWS;
      if (subject.cases.length === 0) return NO_SAMPLE;
      // A flow of a modification that reads by the table of payments need not know all their words.
      const all = readingsOf(subject, wordsOf).filter(({ flow, table }) => table !== statuses || STANDS.has(flow));
      const groups = tablesOf({ statuses, ...connector }).flatMap((table) => {
        const readings = all.filter((each) => each.table === table);
        const flows = new Set(readings.filter(isRead).map(({ flow }) => flow));
        // A lookup reads the words that the reply that makes the payment left unknown.
        const lookup = (['status', 'modificationStatus'] as const).find((flow) => flows.has(flow));
        return [...(lookup === undefined ? flows : [lookup])].map((flow) => ({ table, readings, flow }));
      });
      return over(groups, NO_WORDS, ({ table, readings, flow }) =>
        wordsOf(table).flatMap((word) => {
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
      if (hasNoRows(subject)) return NO_ROWS;
      if (subject.cases.length === 0) return NO_SAMPLE;
      return eachReading(
        readingsOf(subject, () => [INVENTED]),
        ({ statuses, threw }) => {
          if (threw !== undefined) return `The flow throws at a word that it does not know: ${textOf(threw)}`;
          const other = statuses.find((status) => status !== 'unknown');
          return other === undefined
            ? undefined
            : `An invented word ends ${other}. Read every word by statuses.read and give no default.`;
        },
      );
    },
  },
  {
    id: 'examples-speak-the-table',
    level: 'recommended',
    title: 'the status table knows every word of the examples, of replies and of notifications',
    run(subject) {
      if (hasNoRows(subject)) return NO_ROWS;
      const { notifications } = subject.connector;
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
      if (hasNoRows(subject)) return NO_ROWS;
      const proven = await provenWords(subject);
      const words = namedTables(subject).flatMap(({ name, table: { rows, says } }) =>
        Object.entries(rows).map(([word, meaning]) => ({ name, word, meaning, said: says[word] ?? '' })),
      );
      return words.flatMap(({ name, word, meaning, said }): Finding[] =>
        proven.has(word) || said.trim().length >= SHORTEST_EXPLANATION
          ? []
          : [
              {
                path: `${name}.${word}`,
                says: `Nothing says "${word}" but the table, so that nothing shows whether it means ${nameOf(meaning)}. Say what the documentation says of it: { meaning, says: '…' }; or let the simulation say it.`,
              },
            ],
      );
    },
  },
  {
    id: 'simulation-speaks-the-table',
    level: 'required',
    title: 'the words of the simulation mean in the status table what the simulation means by them',
    run({ connector: { statuses, effectStatuses = {} }, options: { simulation } }) {
      if (simulation === undefined) return notApplicable('There is no simulation.');
      const { settled, pending, declined, authorized, challenged, authenticated } = simulation.words;
      const ofPayments = {
        settled: [settled],
        pending: [pending, challenged, authenticated],
        declined: [declined],
        authorized: [authorized],
      };
      const judged = (name: string, { rows }: StatusTable, wanted: Readonly<Record<string, readonly Said[]>>) =>
        Object.entries(wanted).flatMap(([meaning, words]) =>
          words.flatMap((word): Finding[] => {
            if (word === undefined) return [];
            const row = rows[word];
            const read = row === undefined ? 'unknown' : nameOf(row);
            const isBoth = meaning === 'authorized' && read === 'settled' && word === settled;
            return read === meaning || isBoth
              ? []
              : [
                  {
                    path: `${name}.${word}`,
                    says: `The simulation says "${word}" for ${meaning}; the table reads it as ${read}. See the provider's documentation for which of them is right.`,
                  },
                ];
          }),
        );
      // A payout has the words of a payment, unless the simulation gives it others.
      return [
        ...judged('statuses', statuses, ofPayments),
        ...EFFECTS.flatMap((effect) => {
          const table = effectStatuses[effect];
          if (table === undefined) return [];
          const said = { settled, pending, declined, ...simulation.effectWords?.[effect] };
          return judged(`effectStatuses.${effect}`, table, {
            settled: [said.settled],
            pending: [said.pending],
            // A word that the table leaves out is looked up: a claim of a refund that is cancelled may be made again (BTCPay).
            declined: [said.declined].filter((word) => word !== undefined && Object.hasOwn(table.rows, word)),
          });
        }),
      ];
    },
  },
];
