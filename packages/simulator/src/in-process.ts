import type { ArrivedNotification } from '@railyard/core/driver';
import type { RoutedReply } from './routed-request.ts';
import { createBank, type Lag } from './bank.ts';
import { readRequestBody } from './bodies.ts';
import { createSimulatorControl, type SimulatorControl } from './simulator-control.ts';
import { inState } from './disputes.ts';
import { mountsOf, type SimulatedConnector } from './mount.ts';
import { createNotifier, notificationRequest } from './notify.ts';
import { answerProvider } from './provider.ts';
import { noRecords, type HeldModification, type HeldPayment, type LedgerEntry } from './records.ts';
import { createRules, type RuleChange } from './rules.ts';
import type { Scenario } from './scenarios.ts';

/** A request to the simulated provider, as text. Header names are lower case. */
export interface InProcessRequest {
  readonly method: string;
  /** Below the connector's base URL, without its query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface InProcessReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface InProcessOptions extends Omit<SimulatedConnector, 'mid'> {
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Default `manual`: a payment waits until `settle`. Faults of a scenario are left to the caller's network. */
  readonly scenario?: Scenario;
  /** How long lookups lag where they do. Default: three lookups, and no longer than a minute. */
  readonly lag?: Lag;
}

/** The simulator's state machine without a server: nothing happens by itself. */
export interface InProcessSimulator {
  handle(request: InProcessRequest): InProcessReply;
  /** Lets the requests arrive that happen when their callers have stopped waiting. @returns how many there were */
  arrive(): number;
  payments(): readonly HeldPayment[];
  ledger(): readonly LedgerEntry[];
  /** Notifications in the order in which they left; the receiver takes them out. */
  readonly outbox: ArrivedNotification[];
  /** The payer pays. @throws Error when there is no such payment or it is not pending */
  settle(id: string): HeldPayment;
  decline(id: string): HeldPayment;
  /** A hold ends because it was not captured in time. @throws Error when there is no such payment or it is not a hold */
  expireHold(id: string): HeldPayment;
  /** The payer's bank takes the money back. @throws Error when there is no such payment or it is not settled */
  dispute(id: string): HeldPayment;
  /** The merchant wins the dispute. @throws Error when there is no such payment or it is not disputed */
  winDispute(id: string): HeldPayment;
  /** The merchant loses the dispute. @throws Error as `winDispute` */
  loseDispute(id: string): HeldPayment;
  /** The merchant gives money back at the provider itself: an amount, or all that is left. @throws Error where that is not possible */
  giveBack(id: string, amount?: string): HeldModification;
  /** Captures, voids and refunds. */
  modifications(): readonly HeldModification[];
  /** A pending one settles. @throws Error when there is no such modification or it is not pending */
  settleModification(id: string): HeldModification;
  /** A pending one is declined, or one that settled fails late. @throws Error when there is no such modification or it was declined */
  declineModification(id: string): HeldModification;
  /** A notification of a payment, with its proof: of an event of a given id and time, and perhaps of another state than the payment's. */
  notificationOf(
    id: string,
    event: { readonly id: string; readonly now: string },
    state?: HeldPayment['state'],
  ): ArrivedNotification | undefined;
  setRule(change: RuleChange): void;
  /** The payment of a page whose address the merchant's side made. */
  paymentOfPage: SimulatorControl['arrive'];
  /** The values that the payer brings back from the page of a payment. */
  valuesAfterPage(id: string): Readonly<Record<string, string>>;
}

/**
 * Plays a provider within the process, for checks that send thousands of requests.
 *
 * @example const provider = simulateInProcess({ connector, simulation, settings, clock: () => 0 });
 */
export function simulateInProcess({
  clock,
  scenario = 'manual',
  lag,
  ...simulated
}: InProcessOptions): InProcessSimulator {
  const outbox: ArrivedNotification[] = [];
  const { id: name } = simulated.connector;
  const bank = createBank(noRecords(), clock, { ms: lag?.ms ?? 60_000, lookups: lag?.lookups ?? 3 });
  const mounts = mountsOf([simulated], {
    payerUrl: (id) => `https://payer.example/?payment=${id}`,
    modificationsOf: bank.modificationsOf,
  });
  const rules = createRules({ scenario, notifications: 'once' });
  const scheduler = { after: () => () => undefined };
  const notifier = createNotifier({
    transport: {
      async send({ url, headers, body = '' }) {
        outbox.push({ url, headers, body, proxied: true });
        return { kind: 'reply', status: 200, headers: {}, body: '' };
      },
    },
    scheduler,
    clock,
    lateMs: 0,
    daysLaterMs: 0,
    retryMs: [],
  });
  const simulator = createSimulatorControl({ bank, mounts, rules, notifier, clock, scheduler, settleAfterMs: 0 });
  const mount = mounts.get(name);
  if (mount === undefined) throw new Error(`${name} is not simulated.`);
  const late: (() => RoutedReply)[] = [];
  const follow = (routedReply: RoutedReply) => simulator.follow(routedReply);
  return {
    handle({ body: text, headers, ...request }) {
      const body = readRequestBody(text, headers['content-type'] ?? '');
      const routedReply = answerProvider(bank, rules, mount, { ...request, headers, body, text });
      if (routedReply.arrive !== undefined) late.push(routedReply.arrive);
      follow(routedReply);
      const { status, headers: above, text: written } = routedReply.reply;
      return { status, body: written, ...(above && { headers: above }) };
    },
    arrive() {
      const arriving = late.splice(0);
      for (const each of arriving) follow(each());
      return arriving.length;
    },
    payments: simulator.payments,
    ledger: simulator.ledger,
    outbox,
    settle: simulator.settle,
    decline: simulator.decline,
    expireHold: simulator.expireHold,
    dispute: simulator.dispute,
    winDispute: simulator.winDispute,
    loseDispute: simulator.loseDispute,
    giveBack: simulator.giveBack,
    modifications: simulator.modifications,
    settleModification: simulator.settleModification,
    declineModification: simulator.declineModification,
    notificationOf(id, event, state) {
      const payment = bank.find(id);
      if (payment === undefined || mount.simulation.notification === undefined) return undefined;
      const request = notificationRequest(
        mount,
        { payment: state === undefined ? payment : inState(payment, state, event.now), forged: false },
        payment.notifyUrl ?? '',
        event,
      );
      return request && { url: request.url, headers: request.headers, body: request.body, proxied: true };
    },
    setRule: simulator.setRule,
    paymentOfPage: simulator.arrive,
    valuesAfterPage: (id) => (bank.find(id) === undefined ? {} : simulator.broughtBack(id)),
  };
}
