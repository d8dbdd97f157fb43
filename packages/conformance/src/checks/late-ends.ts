import type { Meaning } from '@railyard/core/driver';
import { cannotRun, type Check, notApplicable, type Skipped, type Verdict } from '../check.ts';
import type { Finding } from '../finding.ts';
import type { TinyHost } from '../host/tiny-host.ts';
import { baselines } from '../play/judge.ts';
import { everyWaiting } from '../play/listen.ts';
import { type Paid, playPaid } from '../play/paid.ts';
import type { Story } from '../play/story.ts';
import { isSimulated } from '../provider/simulated.ts';
import type { Subject } from '../subject.ts';

type Word = 'lapsed' | 'released' | 'disputed' | 'won' | 'lost';

/** Why ends that have words of their own are not played, or nothing. */
function unplayed({ options: { simulation, provider } }: Subject, words: readonly Word[]): Skipped | undefined {
  if (simulation === undefined)
    return provider === undefined
      ? cannotRun('Only a simulation plays what happens after a payment. Give one.')
      : notApplicable('Only a simulation plays what happens after a payment.');
  return words.every((word) => simulation.words[word] !== undefined)
    ? undefined
    : notApplicable(`The words of the simulation name no ${words.join(' and ')}.`);
}

/** Why the provider cannot report a refund that was made in its panel, or nothing. */
function unreported({ options: { simulation } }: Subject): Skipped | undefined {
  const refunds = Object.values(simulation?.endpoints ?? {}).filter(({ effect }) => effect === 'refund');
  return refunds.length > 0 && refunds.every((each) => each.unreported === true)
    ? notApplicable("The provider's API tells of no refund that was made in its panel.")
    : undefined;
}

/** Whether no lookup of the provider tells of a dispute. */
function hidesDisputes({ options: { simulation } }: Subject): boolean {
  const reads = Object.values(simulation?.endpoints ?? {}).filter(({ effect }) => effect === 'read');
  return reads.some((each) => each.hidesDisputes === true);
}

const stateOf = (host: TinyHost) => host.payment.state.state;

/** Judges every sample whose payment ends in a state without trouble. */
async function eachPaid(
  subject: Subject,
  state: 'authorized' | 'settled',
  judge: (paid: Paid, story: Story) => Promise<string | undefined>,
): Promise<Verdict> {
  const stories = (await baselines(subject)).all
    .filter(({ story, played }) => story.modification === undefined && played.payment.state.state === state)
    .map(({ story }) => story)
    .filter((story, index, all) => all.findIndex((each) => each.case === story.case) === index);
  const found: Finding[] = [];
  let played = 0;
  for (const story of stories) {
    const paid = await playPaid(subject, story);
    if (paid === undefined || stateOf(paid.host) !== state) continue;
    played += 1;
    const says = await judge(paid, story);
    if (says !== undefined) found.push({ path: `sessions.${story.case.path}`, says: `${story.name}: ${says}` });
  }
  return played === 0 ? notApplicable(`No payment of a sample is ${state}.`) : found;
}

/** The host hears what left the provider since. */
async function hear({ host, provider: { simulator } }: Paid): Promise<boolean> {
  const notified = simulator.outbox.splice(0);
  for (const raw of notified) await host.receive(raw);
  return notified.length > 0;
}

const AS_EXPIRED =
  "Report it as { kind: 'hold-expired' }, in events of notifications and of lookups; a word that ends waiting payments too is { ended: … } in the status table, and status answers statuses.report.";

/** Whether a word ends holds, and may end payments that wait as well. */
const endsHolds = (meaning: Meaning | undefined): boolean =>
  typeof meaning === 'object' && ('ended' in meaning || ('later' in meaning && meaning.later === 'hold-expired'));

export const lateEndChecks: readonly Check[] = [
  {
    id: 'expired-holds-are-released',
    level: 'required',
    title: 'a hold that was not captured in time is held no longer, by its notification and by its lookup',
    run: async (subject) =>
      unplayed(subject, [subject.options.simulation?.words.lapsed === undefined ? 'released' : 'lapsed']) ??
      eachPaid(subject, 'authorized', async (paid, { case: { flows } }) => {
        const { host, provider } = paid;
        const asking = paid.fork();
        for (const { id, state } of provider.simulator.payments())
          if (state === 'authorized') provider.simulator.expireHold(id);
        const isNotified = await hear(paid);
        const state = stateOf(host);
        if (isNotified && (state === 'authorized' || state === 'settled'))
          return `the provider let go of the hold and reported it, and the payment is ${state}. ${AS_EXPIRED}`;
        if (flows.status === undefined) return undefined;
        await asking.poll();
        const after = stateOf(asking);
        return after === 'authorized' || after === 'settled'
          ? `the provider let go of the hold, and asking for the payment leaves it ${after}. ${AS_EXPIRED}`
          : undefined;
      }),
  },
  {
    id: 'ended-payments-are-declined',
    level: 'required',
    title: 'a word that ends holds declines a payment that still waits, by its notification and by its lookup',
    async run(subject) {
      const { simulation } = subject.options;
      const silent = unplayed(subject, []);
      if (silent !== undefined) return silent;
      const word = simulation?.words.declined ?? '';
      if (!endsHolds(subject.connector.statuses.rows[word]))
        return notApplicable('The word of a declined payment ends no holds.');
      const waiting = await everyWaiting(subject);
      if (waiting.length === 0) return notApplicable('No payment of a sample waits for its payer.');
      const found: Finding[] = [];
      for (const { one, host, provider } of waiting) {
        if (!isSimulated(provider)) continue;
        for (const { id, state } of provider.simulator.payments())
          if (state === 'pending' || state === 'challenged') provider.simulator.decline(id);
        for (const raw of provider.simulator.outbox.splice(0)) await host.receive(raw);
        if (one.flows.status !== undefined) await host.poll();
        const { state } = host.payment.state;
        if (state !== 'declined')
          found.push({
            path: `sessions.${one.path}`,
            says: `"${word}" ended the payment, which waited for its payer, and it is ${state}. Give the word the row { ended: 'soft' or 'hard', code }.`,
          });
      }
      return found;
    },
  },
  {
    id: 'refunds-made-elsewhere-are-told',
    level: 'required',
    title: 'money that the merchant gives back at the provider itself is told, by its notification or by the lookup',
    run: async (subject) =>
      unplayed(subject, []) ??
      unreported(subject) ??
      eachPaid(subject, 'settled', async (paid, { case: { flows, operation } }) => {
        const [payment] = paid.provider.simulator.payments().filter((each) => each.state === 'settled');
        if (flows.refund === undefined || operation === 'credit' || payment === undefined) return undefined;
        if (/^[0.]+$/.test(payment.amount)) return undefined;
        const asking = paid.fork();
        const { id } = paid.provider.simulator.giveBack(payment.id);
        await hear(paid);
        if (flows.status !== undefined) await asking.poll();
        return [paid.host, asking].some((host) => host.payment.events.some((key) => key.startsWith('refund/')))
          ? undefined
          : `the merchant gave the money back at the provider (${id}), and neither a notification nor asking for the payment tells of it. Report each refund of the payment in status: withGivenBack.`;
      }),
  },
  {
    id: 'disputes-are-told',
    level: 'required',
    title: 'a dispute is told once: by its notification, and by the lookup where no notification came',
    run: async (subject) =>
      unplayed(subject, ['disputed']) ??
      eachPaid(subject, 'settled', async (paid, { case: { flows, operation } }) => {
        const { host, provider } = paid;
        const [payment] = provider.simulator.payments().filter((each) => each.state === 'settled');
        if (payment === undefined || operation === 'credit') return undefined;
        const asking = paid.fork();
        provider.simulator.dispute(payment.id);
        const isNotified = await hear(paid);
        if (isNotified && stateOf(host) !== 'charged_back')
          return `the payer disputed the payment and the provider reported it, and it is ${stateOf(host)}. Report it as { kind: 'chargeback' }.`;
        if (flows.status === undefined) return undefined;
        if (!hidesDisputes(subject)) {
          await asking.poll();
          if (stateOf(asking) !== 'charged_back')
            return `the payer disputed the payment, and asking for it leaves it ${stateOf(asking)}. State the dispute in status: statuses.report for a word of the payment, withGivenBack for a dispute within it. Where no lookup tells of it, say hidesDisputes in the simulation.`;
        }
        await host.poll();
        const disputes = host.payment.events.filter((key) => key.startsWith('chargeback/'));
        return disputes.length > 1
          ? `its notification and its lookup tell one dispute as two (${disputes.join(', ')}). Give both the id of the dispute.`
          : undefined;
      }),
  },
  {
    id: 'disputes-are-decided',
    level: 'required',
    title: 'a dispute that the merchant wins makes the payment settled again, and one that is lost does not',
    run: async (subject) =>
      subject.connector.notifications?.verify.scheme === 'unsigned'
        ? notApplicable('No notification proves how a dispute ends.')
        : (unplayed(subject, ['won', 'lost']) ??
          eachPaid(subject, 'settled', async (paid, { case: { flows } }) => {
            const { host, provider } = paid;
            const [payment] = provider.simulator.payments().filter((each) => each.state === 'settled');
            if (payment === undefined || subject.options.simulation?.words.disputed === undefined) return undefined;
            const asks = flows.status !== undefined && !hidesDisputes(subject);
            const hearOrAsk = async (each: Paid) => {
              if (await hear(each)) return true;
              if (asks) await each.host.poll();
              return asks;
            };
            provider.simulator.dispute(payment.id);
            if (!(await hearOrAsk(paid))) return undefined;
            if (stateOf(host) !== 'charged_back')
              return `the payer disputed the payment, and it is ${stateOf(host)}. Report it as { kind: 'chargeback' }.`;
            const losing = { ...paid, host: paid.fork() };
            provider.simulator.winDispute(payment.id);
            await hearOrAsk(paid);
            if (stateOf(host) !== 'settled')
              return `the merchant won the dispute, and the payment is ${stateOf(host)}. Report it as { kind: 'chargeback', result: 'won' }.`;
            if (flows.status !== undefined) await host.poll();
            if (stateOf(host) !== 'settled')
              return `the merchant won the dispute, and asking for the payment makes it ${stateOf(host)} again. Give the dispute the same id in status as in its notification.`;
            provider.simulator.dispute(payment.id);
            await hearOrAsk(losing);
            provider.simulator.loseDispute(payment.id);
            await hearOrAsk(losing);
            return stateOf(losing.host) === 'charged_back'
              ? undefined
              : `the merchant lost the dispute, and the payment is ${stateOf(losing.host)}. Report it as { kind: 'chargeback', result: 'lost' }.`;
          })),
  },
];
