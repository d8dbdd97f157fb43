import { byName, modificationFlows } from '@railyard/core/payment';
import type { ProviderEvent } from '@railyard/core';
import { type Check, notApplicable } from '../check.ts';
import type { Finding } from '../finding.ts';
import { BEGINNING } from '../host/world.ts';
import { eventsIn } from '../notified.ts';
import { notifiedOf } from '../play/listen.ts';
import { everyWalk, runsOf } from '../runs.ts';
import type { Subject } from '../subject.ts';

type Kind = ProviderEvent['kind'];
/** By the types of the contract: a field that is added there is missing here until it is named. */
type Fields = { readonly [K in Kind]: Readonly<Record<keyof Extract<ProviderEvent, { kind: K }>, true>> };

const OF_EVERY_KIND = {
  id: true,
  kind: true,
  providerReference: true,
  merchantReference: true,
  provider: true,
} as const;
const FIELDS: Fields = {
  ...byName(modificationFlows(), () => ({ ...OF_EVERY_KIND, outcome: true as const })),
  payment: { ...OF_EVERY_KIND, outcome: true },
  deposit: { ...OF_EVERY_KIND, amount: true, confirmed: true, rejected: true, enough: true },
  chargeback: { ...OF_EVERY_KIND, amount: true, result: true },
  ended: { ...OF_EVERY_KIND, outcome: true },
  'hold-expired': OF_EVERY_KIND,
  facts: { ...OF_EVERY_KIND, facts: true },
  reversal: { ...OF_EVERY_KIND, amount: true },
  returned: { ...OF_EVERY_KIND, values: true },
};

interface Placed {
  readonly path: string;
  readonly event: ProviderEvent;
}

/** Every event that the connector reports: of its examples, of its lookups and of the provider's notifications. */
async function everyEvent(subject: Subject): Promise<readonly Placed[]> {
  const { connector, settings, machinery, cases } = subject;
  const examples = (connector.notifications?.examples ?? []).flatMap(({ body }) => eventsIn(subject, body) ?? []);
  const played = (await notifiedOf(subject)).flatMap(({ raw }) => {
    const received = machinery.receive(connector, settings, raw, BEGINNING);
    return received.kind === 'events' ? received.events : [];
  });
  const lookedUp = cases.flatMap((one) =>
    runsOf(one)
      .filter(({ flow }) => flow === 'status')
      .flatMap(everyWalk)
      .flatMap(({ end }) => (end.kind === 'done' && 'events' in end.report ? end.report.events : []))
      .map((event) => ({ path: `serves.${one.method.key}.status`, event })),
  );
  return [...[...examples, ...played].map((event) => ({ path: 'notifications.events', event })), ...lookedUp];
}

function problemOf(event: ProviderEvent): string | undefined {
  const { kind } = event;
  if (!Object.hasOwn(FIELDS, kind))
    return `An event has the kind "${String(kind)}", which the contract does not know. It is one of ${Object.keys(FIELDS).join(', ')}.`;
  const fields = FIELDS[kind];
  const strange = Object.entries(event).find(([name, value]) => value !== undefined && !Object.hasOwn(fields, name));
  return strange === undefined
    ? undefined
    : `An event of the kind ${kind} has the field "${strange[0]}", which the contract does not know and no host reads. Its fields are ${Object.keys(fields).join(', ')}: say it there, or leave it out.`;
}

export const notificationEventChecks: readonly Check[] = [
  {
    id: 'events-are-of-the-contract',
    level: 'required',
    title:
      'every event of a notification or a lookup has a kind of the contract, and no field beside those of its kind',
    async run(subject) {
      const events = await everyEvent(subject);
      if (events.length === 0) return notApplicable('No notification and no lookup reports an event.');
      const found = new Map<string, Finding>();
      for (const { path, event } of events) {
        const says = problemOf(event);
        if (says !== undefined) found.set(`${path} ${says}`, { path, says });
      }
      return [...found.values()];
    },
  },
];
