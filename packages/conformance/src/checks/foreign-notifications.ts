import { type ProviderEvent, readPath } from '@railyard/core';
import { type ArrivedNotification, withPlace } from '@railyard/core/driver';
import { readBody } from '@railyard/runtime';
import { prove } from '@railyard/simulator';
import { cannotRun, type Check, notApplicable, type Skipped, type Verdict } from '../check.ts';
import type { Finding } from '../finding.ts';
import { BEGINNING } from '../host/world.ts';
import { leavesOf, withValue } from '../leaves.ts';
import { eventsIn } from '../notified.ts';
import { notifiedOf, type Notified } from '../play/listen.ts';
import { readProven } from '../proof.ts';
import { saidBy } from '../said.ts';
import type { Subject } from '../subject.ts';

const INVENTED = 'railyard_invented';
/** In no list of ISO 4217, as letters and as a number. */
const NO_CURRENCY = { letters: 'QQQ', number: 1 };
const REFUSED =
  'Providers stop their deliveries after some refusals. Let the schema take it or throw in events: it is then acknowledged and kept for an operator.';

/** A notification as its provider would send it with another body: proven again. */
function sentAs({ connector, settings, options }: Subject, raw: ArrivedNotification, value: unknown) {
  const { bytes: _bytes, ...rest } = raw;
  const { providerKey: privateKey } = options;
  const account = { connector, settings, name: connector.id, ...(privateKey !== undefined && { privateKey }) };
  const unproven = { url: raw.url ?? '', headers: { ...raw.headers }, value };
  return { ...rest, ...prove(account, unproven, { forged: false, now: BEGINNING }) };
}

/** Whether the kit can sign as the provider does. */
function canProve(subject: Subject, { raw }: Notified): boolean {
  try {
    sentAs(subject, raw, {});
    return true;
  } catch {
    return false;
  }
}

const bodyOf = ({ connector }: Subject, { body }: ArrivedNotification): unknown =>
  readBody(body, connector.notifications?.codec ?? 'json');

const isInFields = ({ connector: { notifications } }: Subject) =>
  notifications !== undefined && 'field' in notifications.verify && notifications.verify.field !== undefined;

/** Every notification of a payment of a sample, with its body. */
async function each(
  subject: Subject,
  judge: (one: Notified, body: unknown) => Promise<readonly string[] | Skipped>,
): Promise<Verdict> {
  if (subject.connector.notifications === undefined) return notApplicable('The connector takes no notifications.');
  if (subject.provider === undefined) return cannotRun('There is no provider that notifies. Give a simulation.');
  const all = await notifiedOf(subject);
  if (all.length === 0) return cannotRun('No payment waits for its payer and is reported by a notification.');
  if (!all.every((one) => canProve(subject, one)))
    return cannotRun('The kit cannot sign as the provider does. Give providerKey.');
  const found: Finding[] = [];
  const skipped: Skipped[] = [];
  for (const one of all) {
    const judged = await judge(one, bodyOf(subject, one.raw));
    if ('skipped' in judged) skipped.push(judged);
    else found.push(...judged.map((says) => ({ path: `sessions.${one.one.path}`, says })));
  }
  const [first] = skipped;
  return first !== undefined && skipped.length === all.length ? first : found;
}

/** The places of a body where a currency stands: by its code, or by a number under a name that says so. */
const currencyPlaces = (body: unknown, currency: string) =>
  leavesOf(body).filter(
    ({ place, value }) =>
      (typeof value === 'string' && value.toUpperCase() === currency) ||
      (typeof value === 'number' && /currency/i.test(place)),
  );

const otherCurrency = (value: unknown) =>
  typeof value === 'number'
    ? NO_CURRENCY.number
    : value === String(value).toLowerCase()
      ? NO_CURRENCY.letters.toLowerCase()
      : NO_CURRENCY.letters;

/** The body in a currency that is in no list, or nothing where it names none. */
function inNoCurrency(body: unknown, currency: string): unknown {
  const places = currencyPlaces(body, currency);
  return places.length === 0
    ? undefined
    : places.reduce((written, { place, value }) => withValue(written, place, otherCurrency(value)), body);
}

/** Bodies that differ from the one that the provider sends, each with its difference. */
function* unknownBodies(subject: Subject, body: unknown): Iterable<readonly [what: string, body: unknown]> {
  // A proof in a field needs the field.
  if (!isInFields(subject)) yield ['an empty body', {}];
  for (const { place, value } of leavesOf(body)) {
    if (typeof value === 'string') yield [`an unknown word at ${place}`, withValue(body, place, INVENTED)];
    yield [`nothing at ${place}`, withValue(body, place, undefined)];
  }
}

/** Lists of a body of which each entry is reported by itself: with an entry twice, more is reported. */
function listsOf(subject: Subject, body: unknown): readonly string[] {
  const places = new Set(
    leavesOf(body).flatMap(({ place }) => {
      const names = place.split('.');
      return names.flatMap((name, at) => (/^\d+$/.test(name) ? [names.slice(0, at).join('.')] : []));
    }),
  );
  const usual = eventsIn(subject, body)?.length ?? 0;
  return [...places].filter((place) => {
    const list = readPath(body, place);
    if (!Array.isArray(list)) return false;
    const twice = eventsIn(subject, withPlace(body, place, [...list, ...list]))?.length ?? 0;
    return twice > usual;
  });
}

/** Entries of a list that are none of ours, each with what is strange about it. */
function strangersIn(body: unknown, place: string, currency: string): readonly (readonly [string, unknown])[] {
  const [own]: readonly unknown[] = [readPath(body, place)].flat();
  const invented = leavesOf(own).reduce<unknown>(
    (written, leaf) => (typeof leaf.value === 'string' ? withValue(written, leaf.place, INVENTED) : written),
    own,
  );
  const inOther = inNoCurrency(own, currency);
  return [
    ['an empty entry', {}],
    ['an entry of another system', invented],
    ...(inOther === undefined ? [] : [['an entry in an unknown currency', inOther] as const]),
  ];
}

interface Strange {
  readonly body: unknown;
  readonly place: string;
  readonly entry: unknown;
}

/** The fault of a list whose own entries stand between strange ones, or nothing. */
function lostBeside(subject: Subject, raw: ArrivedNotification, { body, place, entry }: Strange): string | undefined {
  const own: readonly unknown[] = [readPath(body, place)].flat();
  const sent = sentAs(subject, raw, withPlace(body, place, [entry, ...own, entry]));
  const [alone, beside] = [raw, sent].map((each_) => readProven(subject, each_, BEGINNING));
  if (alone?.kind !== 'events' || beside === undefined) return undefined;
  if (beside.kind === 'refused') return `it is refused (${beside.detail}). ${REFUSED}`;
  const key = (event: ProviderEvent) => JSON.stringify([saidBy(event), event.providerReference]);
  const kept = beside.events.map(key);
  const lost = alone.events.find((event) => !kept.includes(key(event)));
  return lost && `the ${lost.kind} is lost. Name the list under items: '${place}.*'.`;
}

export const foreignNotificationChecks: readonly Check[] = [
  {
    id: 'notification-not-understood',
    level: 'required',
    title: 'a genuine notification with an unknown word, or without a field, is acknowledged',
    run: (subject) =>
      each(subject, async ({ raw }, body) =>
        [...unknownBodies(subject, body)].flatMap(([what, other]) => {
          const received = readProven(subject, sentAs(subject, raw, other), BEGINNING);
          return received.kind === 'events' ? [] : [`With ${what} it is refused (${received.detail}). ${REFUSED}`];
        }),
      ),
  },
  {
    id: 'notification-in-an-unknown-currency',
    level: 'required',
    title: 'a genuine notification in an unknown currency is acknowledged, kept as not understood, and changes nothing',
    run: (subject) =>
      each(subject, async ({ host, raw, payment }, body) => {
        const other = inNoCurrency(body, payment().session.order.currency);
        if (other === undefined) return notApplicable('Its notifications name no currency.');
        const sent = sentAs(subject, raw, other);
        const received = readProven(subject, sent, BEGINNING);
        if (received.kind === 'refused')
          return [`In an unknown currency it is refused (${received.detail}). ${REFUSED}`];
        if (!received.proven) return [];
        const before = payment().state.state;
        await host.receive(sent);
        const after = payment().state.state;
        if (after !== before) return [`In an unknown currency it makes the payment ${after}.`];
        return received.unread.length > 0 || received.events.some((event) => saidBy(event) === 'unknown')
          ? []
          : ['In an unknown currency it is dropped. Let events throw: it is then kept for an operator.'];
      }),
  },
  {
    id: 'notification-beside-others',
    level: 'required',
    title:
      'each entry of a notification stands for itself: beside others that are not understood it is applied all the same',
    run: (subject) =>
      each(subject, async ({ raw, payment }, body) => {
        const lists = listsOf(subject, body);
        return lists.length === 0
          ? notApplicable('Its notifications have no list whose entries are reported one by one.')
          : lists.flatMap((place) =>
              strangersIn(body, place, payment().session.order.currency).flatMap(([what, entry]) => {
                const says = lostBeside(subject, raw, { body, place, entry });
                return says === undefined ? [] : [`Beside ${what} in ${place} ${says}`];
              }),
            );
      }),
  },
];
