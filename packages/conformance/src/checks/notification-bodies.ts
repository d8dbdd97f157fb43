import { tablesOf } from '@railyard/core/driver';
import { type Check, notApplicable, textOf } from '../check.ts';
import type { Finding } from '../finding.ts';
import { BEGINNING } from '../host/world.ts';
import { leavesOf, withValue } from '../leaves.ts';
import { eventsIn, outcomeOf } from '../notified.ts';
import { saidBy } from '../said.ts';
import type { Subject } from '../subject.ts';

const NONE = notApplicable('The connector takes no notifications.');

/** The words of every status table. */
const wordsOf = ({ connector }: Subject): ReadonlySet<string> =>
  new Set(tablesOf(connector).flatMap(({ rows }) => Object.keys(rows)));

/**
 * The numbers of the events whose payment stands as the word at a place says: another word of the table there reads them otherwise. None for
 * a literal of the schema, and for a field that happens to hold a word of the table.
 */
function decidedAt(subject: Subject, body: unknown, place: string): ReadonlySet<number> {
  const usual = (eventsIn(subject, body) ?? []).map(saidBy);
  const others = [...wordsOf(subject)].flatMap((word) => {
    const said = eventsIn(subject, withValue(body, place, word))?.map(saidBy);
    return said === undefined ? [] : [said];
  });
  return new Set([...usual.keys()].filter((at) => others.some((said) => said[at] !== usual[at])));
}

/** Checks of a notification's body, with its signature left aside. */
export const notificationBodyChecks: readonly Check[] = [
  {
    id: 'notification-malformed',
    level: 'required',
    title: 'a notification that is none changes nothing and never throws',
    run(subject) {
      const { connector } = subject;
      if (connector.notifications === undefined) return NONE;
      const unsigned = {
        ...connector,
        notifications: { ...connector.notifications, verify: { scheme: 'unsigned', confirm: 'status' } as const },
      };
      return ['', '{', 'null', '[]', '{}', '"text"', '<a/>', 'a=b', '\u0000', '{"id":{}}'].flatMap(
        (body): Finding[] => {
          try {
            const received = subject.machinery.receive(unsigned, subject.settings, { body, headers: {} }, BEGINNING);
            const settles =
              received.kind === 'events' && received.events.some((event) => outcomeOf(event)?.status === 'settled');
            return settles
              ? [
                  {
                    path: 'notifications.body',
                    says: `The body ${JSON.stringify(body)} settles a payment. Name what the flow needs in the schema.`,
                  },
                ]
              : [];
          } catch (error) {
            return [{ path: 'notifications', says: `The body ${JSON.stringify(body)} throws: ${textOf(error)}` }];
          }
        },
      );
    },
  },
  {
    id: 'notification-examples-are-read',
    level: 'recommended',
    title: 'there is an example of a notification with its source, and it is read',
    run(subject) {
      const { notifications } = subject.connector;
      if (notifications === undefined) return NONE;
      const { examples = [] } = notifications;
      if (examples.length === 0)
        return [{ path: 'notifications.examples', says: 'There is no example. Give the one of the documentation.' }];
      return examples.flatMap(({ body, source }, index): Finding[] => {
        const path = 'notifications.examples';
        if (source.trim().length < 4) return [{ path, says: `Example ${index + 1} has no source.` }];
        return eventsIn(subject, body) === undefined
          ? [{ path, says: `Example ${index + 1} is refused by its schema.` }]
          : [];
      });
    },
  },
  {
    id: 'notification-invented-status',
    level: 'required',
    title: 'a notification with a word that the status table does not know is unknown',
    run(subject) {
      const { notifications } = subject.connector;
      if (notifications === undefined) return NONE;
      const words = wordsOf(subject);
      const { examples = [] } = notifications;
      const tried = examples.flatMap(({ body }) =>
        leavesOf(body)
          .filter(({ value }) => typeof value === 'string' && words.has(value))
          .map(({ place }) => ({ body, place, decided: decidedAt(subject, body, place) }))
          .filter(({ decided }) => decided.size > 0),
      );
      if (tried.length === 0) return notApplicable('No example of a notification shows a word of the status table.');
      return tried.flatMap(({ body, place, decided: numbers }): Finding[] => {
        const events = eventsIn(subject, withValue(body, place, 'RAILYARD_INVENTED')) ?? [];
        const decided = events
          .filter((_event, at) => numbers.has(at))
          .map(outcomeOf)
          .find((outcome) => outcome !== undefined && outcome.status !== 'unknown');
        return decided === undefined
          ? []
          : [
              {
                path: 'notifications',
                says: `An invented word is read as ${decided.status}. Read every word by statuses.read and give no default.`,
              },
            ];
      });
    },
  },
];
