import type { ProviderEvent } from '@railyard/core';
import { allProofs, type ArrivedNotification, eventKey } from '@railyard/core/driver';
import { cannotRun, type Check, notApplicable, type Skipped, textOf, type Verdict } from '../check.ts';
import type { Finding } from '../finding.ts';
import { BEGINNING } from '../host/world.ts';
import { everyWaiting, type Heard, notifiedOf, type Notified } from '../play/listen.ts';
import { isSimulated } from '../provider/simulated.ts';
import { forgeriesOf, isTimed, readProven, settingsOfAnother, uncovered } from '../proof.ts';
import type { Subject } from '../subject.ts';

const NONE = notApplicable('The connector takes no notifications.');
const NOTHING_TOLD = cannotRun('There is no provider that notifies. Give a simulation.');

/** A judgement: nothing wrong, what is wrong, or why there was nothing to look at. */
type Judged = string | undefined | Skipped;

async function each(subject: Subject, judge: (one: Notified) => Promise<Judged>): Promise<Verdict> {
  if (subject.connector.notifications === undefined) return NONE;
  if (subject.provider === undefined) return NOTHING_TOLD;
  const all = await notifiedOf(subject);
  if (all.length === 0)
    return cannotRun(
      'No payment waits for its payer and is reported by a notification. See plays-to-its-end, and the notification of the simulation.',
    );
  const found: Finding[] = [];
  const skipped: Skipped[] = [];
  for (const one of all) {
    const says = await judge(one);
    if (typeof says === 'object') skipped.push(says);
    else if (says !== undefined) found.push({ path: `sessions.${one.one.path}`, says });
  }
  const [first] = skipped;
  return first !== undefined && skipped.length === all.length ? first : found;
}

function eventsOf(subject: Subject, raw: ArrivedNotification, now = BEGINNING): readonly ProviderEvent[] {
  const received = readProven(subject, raw, now);
  return received.kind === 'events' ? received.events : [];
}

export const notificationChecks: readonly Check[] = [
  {
    id: 'notification-settles',
    level: 'required',
    title: 'a notification of the provider is taken and moves the payment',
    run: (subject) =>
      each(subject, async ({ host, raw, payment }) => {
        const status = await host.receive(raw);
        if (status >= 300) return `It is answered with ${status}.`;
        const { state } = payment().state;
        return state === 'pending' || state === 'created' ? `The payment is still ${state} afterwards.` : undefined;
      }),
  },
  {
    id: 'notification-forged',
    level: 'required',
    title:
      'a forged notification changes nothing: without proof, with a guessed one, or with another body under a true one',
    run: (subject) =>
      each(subject, async ({ raw, host }) => {
        const { notifications } = subject.connector;
        const proofs = notifications === undefined ? [] : allProofs(notifications);
        const forged = forgeriesOf(proofs, raw);
        if (notifications === undefined || forged.length === 0)
          return notApplicable('Its notifications carry no proof.');
        for (const [how, forgery] of forged)
          if ((await host.receive(forgery)) < 300)
            return `A notification ${how} is taken. Let the proof cover every byte of the body.`;
        for (const proof of proofs) {
          const other = settingsOfAnother(proof, subject.settings);
          if (other !== undefined && readProven({ ...subject, settings: other }, raw, BEGINNING).kind === 'events')
            return 'A notification of another account is taken. Verify with the key of the account.';
        }
        const loose = uncovered(subject, raw);
        return loose === undefined
          ? undefined
          : `"${loose}" is not signed, and events depend on it. Cover it, or declare confirm: 'status'.`;
      }),
  },
  {
    id: 'notification-unsigned-is-a-hint',
    level: 'required',
    title: 'a notification whose body is not proven changes nothing before the provider was asked',
    async run(subject) {
      const { notifications, serves } = subject.connector;
      if (notifications === undefined) return NONE;
      if (notifications.verify.confirm === undefined) return notApplicable('Its notifications are proven.');
      const unasked = serves.filter(({ flows }) => flows.status === undefined);
      if (unasked.length > 0)
        return unasked.map(({ method }) => ({
          path: `serves.${method.key}.status`,
          says: 'Its notifications are hints, and there is no status flow to confirm them by. Add one.',
        }));
      if (subject.provider === undefined) return NOTHING_TOLD;
      const found: Finding[] = [];
      let claims = 0;
      for (const { one, host, provider, payment } of await everyWaiting(subject)) {
        const claim = isSimulated(provider)
          ? provider.tell({ id: 'evt-claim', later: 0 }, 'settled')
          : await ofAnother(subject, one.path);
        if (claim === undefined) continue;
        claims += 1;
        const asked = payment().polls;
        await host.receive(claim);
        const { state } = payment().state;
        if (state === 'settled')
          found.push({
            path: `sessions.${one.path}`,
            says: 'An unsigned notification settled a payment that the payer did not pay. Ask the provider in the status flow, and believe nothing else.',
          });
        else if (payment().polls === asked)
          found.push({
            path: 'notifications',
            says: 'An unsigned notification does not lead to a question to the provider.',
          });
      }
      return claims === 0 ? cannotRun('No payment waits for its payer. Give a sample that does.') : found;
    },
  },
  {
    id: 'notification-twice',
    level: 'required',
    title: 'the same event sent twice, also later and in another delivery, has one effect',
    run: (subject) =>
      each(subject, async ({ host, raw, provider, payment }) => {
        await host.receive(raw);
        const before = payment().events.length;
        await host.receive(raw);
        if (payment().events.length !== before)
          return 'The same bytes twice are two events. Take the id from the notification.';
        const [first, again] = [0, LATER].map((later) =>
          keysOf(subject, notificationBy(provider, 'evt-one', later), BEGINNING + later),
        );
        return first === again
          ? undefined
          : 'The same event in another delivery is another event. Take the id from what the provider gives the event, not from its time or its delivery.';
      }),
  },
  {
    id: 'notification-out-of-order',
    level: 'required',
    title: 'an older event that arrives after a newer one does not undo it',
    run: (subject) =>
      each(subject, async ({ host, raw, provider, payment }) => {
        const older = isSimulated(provider)
          ? [notificationBy(provider, 'evt-older', 0, 'pending')]
          : (provider.outbox ?? []).slice(0, -1);
        if (older.length === 0) return notApplicable('The provider reports a payment once.');
        await host.receive(raw);
        const { state } = payment().state;
        for (const each_ of older) if (each_ !== undefined && each_ !== raw) await host.receive(each_);
        return payment().state.state === state
          ? undefined
          : `It was ${state}, and an older notification made it ${payment().state.state}.`;
      }),
  },
  {
    id: 'notification-stale',
    level: 'recommended',
    title: 'a signed notification that was kept back for a day is refused, where its time is signed',
    async run(subject) {
      const { notifications } = subject.connector;
      if (notifications === undefined) return NONE;
      if (!allProofs(notifications).some(isTimed)) return notApplicable('Its notifications carry no signed time.');
      return each(subject, async ({ raw }) => {
        const received = readProven(subject, raw, BEGINNING + 86_400_000);
        return received.kind === 'refused' && received.why === 'stale'
          ? undefined
          : 'A notification of yesterday is taken. Give the time that is signed under timestamp.';
      });
    },
  },
  {
    id: 'notification-of-an-unknown-payment',
    level: 'required',
    title: 'a notification of an unknown payment changes nothing',
    run: (subject) =>
      each(subject, async ({ raw, one }) => {
        const [stranger] = (await everyWaiting(subject)).filter((each_) => each_.one === one);
        if (stranger === undefined) return undefined;
        const before = stranger.payment().state.state;
        const status = await stranger.host.receive(raw).catch((error: unknown) => textOf(error));
        if (typeof status === 'string') return `It throws: ${status}`;
        const after = stranger.payment().state.state;
        const same = stranger
          .payment()
          .references.some((each_) =>
            eventsOf(subject, raw).some(({ providerReference: reference }) => reference === each_),
          );
        return same || after === before ? undefined : `Another payment became ${after}.`;
      }),
  },
];

const LATER = 90_000;

/** A notification of the paid payment by a simulation; nothing where the provider is written by hand. */
function notificationBy(
  provider: Heard['provider'],
  id: string,
  later: number,
  state?: 'pending',
): ArrivedNotification | undefined {
  return isSimulated(provider) ? provider.tell({ id, later }, state) : undefined;
}

function keysOf(subject: Subject, raw: ArrivedNotification | undefined, now: number): string {
  return raw === undefined ? '' : eventsOf(subject, raw, now).map(eventKey).join(' ');
}

/** The notification of a payment that was paid at a provider of its own; a provider written by hand gives the same references again. */
async function ofAnother(subject: Subject, path: string): Promise<ArrivedNotification | undefined> {
  return (await notifiedOf(subject)).find(({ one }) => one.path === path)?.raw;
}
