import type { ProviderEvent } from '@railyard/core';
import { type ArrivedNotification, eventKey, type Meaning, type StatusTable, tableOf } from '@railyard/core/driver';
import { readBody } from '@railyard/runtime';
import { cannotRun, type Check, notApplicable, over, type Skipped, type Verdict } from '../check.ts';
import type { Finding } from '../finding.ts';
import { leavesOf, withValue } from '../leaves.ts';
import { eventsIn } from '../notified.ts';
import { baselines, shared } from '../play/judge.ts';
import { everyWaiting } from '../play/listen.ts';
import { isSimulated } from '../provider/simulated.ts';
import { contradiction, saidBy, type State, STATES } from '../said.ts';
import type { Subject } from '../subject.ts';

/** A notification of a played payment, as it would be in one state. */
interface Reported {
  readonly path: string;
  readonly state: State;
  readonly word: string;
  /** By which the word is read. */
  readonly table: StatusTable;
  readonly body: unknown;
  readonly events: readonly ProviderEvent[];
  /** Whether it says the same of the payment in another state: a hint that holds an id alone. */
  readonly isAlike: boolean;
}

/** Why no state can be reported, or nothing. */
function silence({ connector, options: { simulation, provider } }: Subject): Skipped | undefined {
  if (connector.notifications === undefined) return notApplicable('The connector takes no notifications.');
  if (simulation !== undefined)
    return simulation.notification === undefined
      ? cannotRun('The simulation says nothing of notifications. Give it one.')
      : undefined;
  const why = 'Only a simulation reports a payment in each of its states.';
  return provider === undefined ? cannotRun(`${why} Give one.`) : notApplicable(why);
}

/** A notification for each state of one payment of every sample. States that are reported alike are left out: they cannot be distinguished. */
function reports(subject: Subject): Promise<readonly Reported[]> {
  return shared(subject, 'reported-states', async () => {
    const plain = (await baselines(subject)).all.filter(({ story }) => story.modification === undefined);
    return plain.flatMap(({ story, played: { provider } }, index) => {
      const isFirst = plain.findIndex((each) => each.story.case === story.case) === index;
      if (!isFirst || !isSimulated(provider)) return [];
      const { operation, path } = story.case;
      const effect = operation === 'credit' || operation === 'transfer' ? 'payout' : 'payment';
      const { words: ofPayments, effectWords } = subject.options.simulation ?? {};
      const words: Readonly<Record<string, unknown>> = {
        ...ofPayments,
        ...(effect === 'payout' && effectWords?.payout),
      };
      const table = tableOf(subject.connector, effect);
      const all = STATES.filter((state) => words[state] !== undefined && !isBeside(state, words)).flatMap((state) => {
        const raw = provider.tell({ id: `evt-${state}`, later: 0 }, state);
        const said = provider.tell({ id: 'evt', later: 0 }, state)?.body ?? '';
        return raw === undefined
          ? []
          : [{ ...reportOf(subject, `sessions.${path}`, state, String(words[state]), raw), table, said }];
      });
      return all
        .filter(({ word }) => all.filter((each) => each.word === word).length === 1)
        .map(({ said, ...report }) => ({ ...report, isAlike: all.filter((each) => each.said === said).length > 1 }));
    });
  });
}

/** Whether a dispute stands beside the payment, whose word stays as it was. */
const isBeside = (state: State, { settled, [state]: word }: Readonly<Record<string, unknown>>): boolean =>
  ['disputed', 'won', 'lost'].includes(state) && word === settled;

function reportOf(subject: Subject, path: string, state: State, word: string, raw: ArrivedNotification) {
  const body = readBody(raw.body, subject.connector.notifications?.codec ?? 'json');
  return { path, state, word, body, events: eventsIn(subject, body) ?? [] };
}

const ALIKE = notApplicable('Its notifications say the same of a payment in each of its states.');

const NOT_PLAYED = cannotRun(
  'No payment of a sample is reported. See plays-to-its-end, and the notification of the simulation.',
);

async function eachReport(subject: Subject, judge: (reported: Reported) => string | undefined): Promise<Verdict> {
  const silent = silence(subject);
  if (silent !== undefined) return silent;
  const all = await reports(subject);
  const telling = all.filter(({ isAlike }) => !isAlike);
  return over(telling, all.length === 0 ? NOT_PLAYED : ALIKE, (reported): readonly Finding[] => {
    const says = judge(reported);
    return says === undefined ? [] : [{ path: 'notifications.events', says: `${reported.path}: ${says}` }];
  });
}

/** The states of a payment after what the table calls later. */
const LATER = {
  reversal: 'released',
  'hold-expired': 'lapsed',
  'reported-by-its-modification': 'cancelled',
  chargeback: 'disputed',
} as const satisfies Readonly<Record<string, State>>;

function stateOf(meaning: Meaning): State | undefined {
  if (typeof meaning === 'string') return STATES.find((state) => state === meaning);
  if (!('later' in meaning)) return 'declined';
  return meaning.later === 'chargeback' ? (meaning.result ?? LATER.chargeback) : LATER[meaning.later];
}

const ADVICE =
  'Read the word by statuses.read, and report what happens to a payment that was paid as an event of its own kind.';

/** Words of the table in the place of the one of a report. */
function otherWords({ body, word, table }: Reported) {
  const places = leavesOf(body).filter(({ value }) => value === word);
  return Object.entries(table.rows).flatMap(([other, meaning]) => {
    const state = stateOf(meaning);
    return state === undefined || places.length === 0
      ? []
      : [{ other, state, changed: places.reduce<unknown>((data, { place }) => withValue(data, place, other), body) }];
  });
}

export const notificationStateChecks: readonly Check[] = [
  {
    id: 'notification-of-each-state',
    level: 'required',
    title:
      'a notification of a payment in each of its states is read as that state: declined, held, released, cancelled and disputed are distinguished',
    run: (subject) =>
      eachReport(subject, ({ state, word, events }) => {
        const said = contradiction(state, events);
        return said && `a payment that is ${state} at the provider ("${word}") is read as ${said}. ${ADVICE}`;
      }),
  },
  {
    id: 'notification-words-decide',
    level: 'required',
    title:
      'every word of the status table in a notification leads where the table says: an expired payment is not settled',
    async run(subject) {
      const silent = silence(subject);
      if (silent !== undefined) return silent;
      const settled = (await reports(subject)).filter(({ state }) => state === 'settled' || state === 'authorized');
      const tried = settled.flatMap((reported) => otherWords(reported).map((each) => ({ ...each, reported })));
      return over(
        tried,
        'No notification shows a word of the status table.',
        ({ other, state, changed, reported }): readonly Finding[] => {
          const said = contradiction(state, eventsIn(subject, changed) ?? []);
          return said === undefined
            ? []
            : [
                {
                  path: 'notifications.events',
                  says: `${reported.path}: "${other}" means ${state} by the table and is read as ${said}. ${ADVICE}`,
                },
              ];
        },
      );
    },
  },
  {
    id: 'notification-of-a-decline',
    level: 'required',
    title: 'a payment that waits for its payer and is declined is reported by a notification, and never settled by it',
    async run(subject) {
      const silent = silence(subject);
      if (silent !== undefined) return silent;
      const waiting = (await everyWaiting(subject)).filter(({ provider }) => isSimulated(provider));
      if (waiting.length === 0) return notApplicable('No payment of a sample waits for its payer.');
      const found: Finding[] = [];
      for (const { one, host, provider } of waiting) {
        if (!isSimulated(provider)) continue;
        for (const { id } of provider.simulator.payments().filter((each) => each.state === 'pending'))
          provider.simulator.decline(id);
        const raw = provider.outbox?.at(-1);
        if (raw === undefined) continue;
        await host.receive(raw);
        const { state } = host.payment.state;
        if (state === 'settled' || state === 'authorized')
          found.push({
            path: `sessions.${one.path}`,
            says: `The provider declined the payment and reported it, and it is ${state}. ${ADVICE}`,
          });
      }
      return found;
    },
  },
  {
    id: 'events-of-one-payment-differ',
    level: 'required',
    title: 'two different events of one payment have two ids, so that the second is not taken for the first',
    async run(subject) {
      if (subject.connector.notifications?.verify.confirm !== undefined)
        return notApplicable('Its notifications are hints: each leads to a question to the provider.');
      const silent = silence(subject);
      if (silent !== undefined) return silent;
      const all = await reports(subject);
      const paths = [...new Set(all.map(({ path }) => path))];
      return over(paths, NOT_PLAYED, (path): readonly Finding[] => {
        const known = new Map<string, string>();
        const own = all.filter((each) => each.path === path);
        return own.flatMap(({ state, events }) =>
          events.flatMap((event): readonly Finding[] => {
            const [key, said] = [eventKey(event), saidBy(event)];
            const before = known.get(key);
            known.set(key, said);
            return before === undefined || before === said
              ? []
              : [
                  {
                    path: 'notifications.events',
                    says: `${path}: the event of a payment that is ${state} (${said}) has the id "${event.id}", as one that says ${before}: the later one has no effect. Take the id that the provider gives the event, or put the kind or the word into it.`,
                  },
                ];
          }),
        );
      });
    },
  },
];
