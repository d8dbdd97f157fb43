import type { RoutedReply } from './routed-request.ts';
import type { Bank } from './bank.ts';
import { Conflict } from './conflict.ts';
import { modificationsOf } from './modifications.ts';
import { asProvider, type Mount } from './mount.ts';
import type { Delivery, Notifier } from './notify.ts';
import { stateAfterPage } from './open-payment.ts';
import { leaves } from './places.ts';
import type { HeldModification, HeldPayment, LedgerEntry, State } from './records.ts';
import { paymentBody } from './reply.ts';
import type { RuleChange, Rules } from './rules.ts';
import { courseOf, type NotificationMode } from './scenarios.ts';
import type { Scheduler } from './time.ts';

/** The simulator besides the provider's own API; the control interface and the page are made of it. */
export interface SimulatorControl {
  readonly mounts: ReadonlyMap<string, Mount>;
  payments(): readonly HeldPayment[];
  /** Every effect, in order. */
  ledger(): readonly LedgerEntry[];
  /** Every try to deliver a notification, in order. */
  deliveries(): readonly Delivery[];
  /** The payer pays. @throws Conflict when there is no such payment or it is not pending */
  settle(id: string): HeldPayment;
  /** The payer or the bank refuses. @throws Conflict as `settle` */
  decline(id: string): HeldPayment;
  /** The payer's bank takes the money back. @throws Conflict when there is no such payment or it is not settled */
  dispute(id: string): HeldPayment;
  /** The merchant wins the dispute, and has the money again. @throws Conflict when there is no such payment or it is not disputed */
  winDispute(id: string): HeldPayment;
  /** The merchant loses the dispute. @throws Conflict as `winDispute` */
  loseDispute(id: string): HeldPayment;
  /**
   * The merchant refunds in the provider's panel, or the bank gives money back: nothing of the merchant's side asked for it. All that is left unless
   * an amount is given. @throws Conflict when there is no such payment, it is not settled, or less is left
   */
  giveBack(id: string, amount?: string): HeldModification;
  /** A hold ends because it was not captured in time. @throws Conflict when there is no such payment or it is not a hold */
  expireHold(id: string): HeldPayment;
  /** Notifies of a payment again, in the payment's own way unless given. @throws Conflict when there is no such payment */
  notify(id: string, mode?: NotificationMode): HeldPayment;
  setRule(change: RuleChange): void;
  /** The payment of a page whose address the merchant's side made; the query is kept for the way back. */
  arrive(query: Query): string | undefined;
  /** The query with which the payer came to the page of a payment. */
  arrivedWith(id: string): Query;
  /** The values that the payer brings back from the page of a payment, as the provider signs them. */
  broughtBack(id: string): Query;
  /** The pending payment whose reply showed this text, a code for example. */
  byCode(text: string): HeldPayment | undefined;
  /** Ends when no notification is on its way. */
  idle(): Promise<void>;
  /** Captures, voids and refunds, in order. */
  modifications(): readonly HeldModification[];
  /** A pending one settles. @throws Conflict when there is no such modification or it is not pending */
  settleModification(id: string): HeldModification;
  /** A pending one is declined, or one that settled fails late. @throws Conflict when there is no such modification or it was declined */
  declineModification(id: string): HeldModification;
  /** Notifies of a request's changes, and plans the later ones. */
  follow(routedReply: Pick<RoutedReply, 'changed' | 'modification'>): void;
  /** Arranges, after a restart, what happens by itself. */
  resume(): void;
}

type Query = Readonly<Record<string, string>>;

interface Parts {
  readonly bank: Bank;
  readonly mounts: ReadonlyMap<string, Mount>;
  readonly rules: Rules;
  readonly notifier: Notifier;
  readonly clock: () => number;
  readonly scheduler: Scheduler;
  readonly settleAfterMs: number;
}

export function createSimulatorControl({
  bank,
  mounts,
  rules,
  notifier,
  clock,
  scheduler,
  settleAfterMs,
}: Parts): SimulatorControl {
  const notify = (payment: HeldPayment, mode?: NotificationMode) => {
    const mount = mounts.get(payment.connector);
    if (mount !== undefined) notifier.notify(mount, payment, mode);
  };
  const held = (id: string): HeldPayment => {
    const payment = bank.find(id);
    if (payment === undefined) throw new Conflict(`There is no payment ${id}.`);
    return payment;
  };
  const decide = (id: string, state: 'settled' | 'declined'): HeldPayment => {
    const before = held(id);
    if (!isOpen(before)) throw new Conflict(`The payment is ${before.state}, not pending.`);
    const payment = bank.move(id, state === 'settled' ? confirmed(before) : state);
    // Where notifications are forged, the provider itself sends none.
    if (payment.notifications !== 'forged') notify(payment);
    return payment;
  };
  /** Moves a payment, which the provider reports. */
  const reported = (id: string, from: State, to: State): HeldPayment => {
    const { state } = held(id);
    if (state !== from) throw new Conflict(`The payment is ${state}, not ${from}.`);
    const payment = bank.move(id, to);
    notify(payment);
    return payment;
  };
  const goOn = (payment: HeldPayment) => {
    if (payment.state !== 'pending' || courseOf(payment.scenario).later !== 'settled') return;
    scheduler.after(settleAfterMs, () => {
      if (bank.find(payment.id)?.state === 'pending' && !isRenewed(bank, payment)) decide(payment.id, 'settled');
    });
  };
  const {
    follow: followModification,
    goOn: goOnModification,
    ...modified
  } = modificationsOf({
    bank,
    mounts,
    notifier,
    scheduler,
    settleAfterMs,
  });
  const queries = new Map<string, Query>();
  return {
    mounts,
    arrive(query) {
      const named = [...mounts.values()].map(({ simulation }) => simulation.page?.payment?.(query));
      const id = named.find((each) => each !== undefined);
      if (id !== undefined) queries.set(id, query);
      return id;
    },
    arrivedWith: (id) => queries.get(id) ?? {},
    broughtBack(id) {
      const payment = held(id);
      const mount = mounts.get(payment.connector);
      const values = mount?.simulation.page?.values?.(asProvider(mount, payment)) ?? {};
      const asked = { query: queries.get(id) ?? {}, now: clock() };
      return mount?.simulation.page?.signed?.(values, asked) ?? values;
    },
    payments: bank.payments,
    ledger: bank.ledger,
    deliveries: notifier.deliveries,
    settle: (id) => decide(id, 'settled'),
    decline: (id) => decide(id, 'declined'),
    dispute: (id) => reported(id, held(id).state === 'won' ? 'won' : 'settled', 'disputed'),
    winDispute: (id) => reported(id, 'disputed', 'won'),
    loseDispute: (id) => reported(id, 'disputed', 'lost'),
    expireHold: (id) => reported(id, 'authorized', 'lapsed'),
    notify(id, mode) {
      const payment = held(id);
      notify(payment, mode);
      return payment;
    },
    setRule: rules.set,
    byCode: (text) =>
      bank
        .payments()
        .find((payment) => payment.state === 'pending' && shownTexts(mounts, payment).includes(text.trim())),
    idle: notifier.idle,
    modifications: bank.modifications,
    ...modified,
    follow({ changed, modification }) {
      if (changed === undefined) return;
      const isPending = modification?.state === 'pending';
      if (!isPending && isOpen(changed) === (changed.notifications === 'forged')) notify(changed);
      goOn(changed);
      if (modification !== undefined) followModification(modification);
    },
    resume() {
      for (const payment of bank.payments()) goOn(payment);
      for (const modification of bank.modifications()) goOnModification(modification);
    },
  };
}

/** Whether it waits for the payer. */
export function isOpen({ state }: HeldPayment): boolean {
  return state === 'pending' || state === 'challenged';
}

/** The state of a payment after its payer pays it, on the provider's page or elsewhere: where a hold was asked for, it is held. */
function confirmed(payment: HeldPayment): HeldPayment['state'] {
  const isChallenged = payment.state === 'challenged';
  return isChallenged && payment.challenge?.finishedBy === 'merchant' ? 'authenticated' : stateAfterPage(payment);
}

/** Whether a younger code stands in a payment's place: a payer who pays by himself pays the one that is shown last. */
function isRenewed(bank: Bank, { id, connector, reference }: HeldPayment): boolean {
  const younger = bank.payments().findLast((each) => each.connector === connector && each.reference === reference);
  return younger !== undefined && younger.effect === 'renew' && younger.id !== id;
}

/** Shorter texts of a reply are words and amounts, which many payments share. */
const CODE_LENGTH = 16;

/** The codes in the reply that opened a payment, and the payment's own names. */
function shownTexts(mounts: ReadonlyMap<string, Mount>, payment: HeldPayment): readonly string[] {
  const names = [payment.id, payment.reference];
  const mount = mounts.get(payment.connector);
  const found = Object.entries(mount?.simulation.endpoints ?? {}).find(([, each]) => each.effect === payment.effect);
  const endpoint = mount?.connector.endpoints.find((each) => each.name === found?.[0]);
  if (mount === undefined || found === undefined || endpoint === undefined) return names;
  return [...names, ...leaves(paymentBody(mount, endpoint, found[1], payment))].filter(
    (text) => text.length >= CODE_LENGTH,
  );
}
