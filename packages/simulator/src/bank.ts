import { inState } from './disputes.ts';
import type { HeldModification, HeldPayment, KeyEntry, LedgerEntry, Records, State } from './records.ts';
import { courseOf } from './scenarios.ts';

/** How something is named: by its id, or where that is not known by the merchant side's reference. */
interface Names {
  readonly id?: string | undefined;
  readonly reference?: string | undefined;
}

/** The records of the simulated provider. Every change is in the records before any caller is answered. */
export interface Bank {
  payments(): readonly HeldPayment[];
  ledger(): readonly LedgerEntry[];
  find(id: string): HeldPayment | undefined;
  /** @throws Error when there is no such payment */
  get(id: string): HeldPayment;
  /** The youngest payment of a connector with this id or reference. */
  findPayment(connector: string, by: Names): HeldPayment | undefined;
  /** Opens a payment and writes its first effect down. */
  open(payment: Omit<HeldPayment, 'createdAt'>, key?: string): HeldPayment;
  /** Moves a payment to another state and its money with it; a capture may move less than was held. */
  move(id: string, state: State, amount?: string): HeldPayment;
  /** Writes a modification on a payment down; one that settled is an effect. */
  modify(modification: Omit<HeldModification, 'createdAt'>, key?: string): HeldModification;
  /** Ends a modification that was pending, or undoes one that had settled. */
  moveModification(id: string, state: 'settled' | 'declined'): HeldModification;
  modifications(): readonly HeldModification[];
  /** Those of one payment, in their order. */
  modificationsOf(payment: string): readonly HeldModification[];
  /** The youngest modification of a connector with this id or reference. */
  findModification(connector: string, by: Names): HeldModification | undefined;
  /** @param forHours how long the provider keeps a key; for ever unless given */
  recall(connector: string, endpoint: string, key: string, forHours?: number): KeyEntry | undefined;
  remember(entry: Omit<KeyEntry, 'at'>): void;
  /** Names of requests that were given up by their callers and have not arrived. */
  readonly underway: Set<string>;
  /** Milliseconds since a request of this name was first sent, this time included; a restart forgets it. */
  sinceFirst(name: string): number;
  /** Whether a lookup knows a payment or a modification. One that lags does not for so many lookups, or so long; a restart ends that. */
  isShown(of: HeldPayment | HeldModification): boolean;
}

/** How long lookups lag. */
export interface Lag {
  readonly ms: number;
  readonly lookups: number;
}

const isMeant = (each: HeldPayment | HeldModification, connector: string, { id, reference }: Names) =>
  each.connector === connector && (id === undefined ? each.reference === reference : each.id === id);

const HOUR_MS = 3_600_000;
const keyName = (connector: string, endpoint: string, key: string) => JSON.stringify([connector, endpoint, key]);

export function createBank(records: Records, clock: () => number, lag: Lag): Bank {
  const now = () => new Date(clock()).toISOString();
  const payments = new Map<string, HeldPayment>();
  const modifications = new Map<string, HeldModification>();
  const ledger: LedgerEntry[] = [];
  const keys = new Map<string, KeyEntry>();
  for (const line of records.lines) {
    if ('payment' in line) payments.set(line.payment.id, line.payment);
    else if ('modification' in line) modifications.set(line.modification.id, line.modification);
    else if ('ledger' in line) ledger.push(line.ledger);
    else keys.set(keyName(line.key.connector, line.key.endpoint, line.key.key), line.key);
  }
  const firstSends = new Map<string, number>();
  const lagging = new Map<string, { readonly since: number; lookups: number }>();
  const mayLag = ({ id, scenario }: HeldPayment | HeldModification) => {
    if (scenario !== undefined && courseOf(scenario).lookups === 'lagging')
      lagging.set(id, { since: clock(), lookups: 0 });
  };
  const get = (id: string) => {
    const payment = payments.get(id);
    if (payment === undefined) throw new Error(`There is no payment ${id}.`);
    return payment;
  };
  const keep = (payment: HeldPayment) => {
    records.append({ payment });
    payments.set(payment.id, payment);
    return payment;
  };
  const record = (
    { id, connector, reference, amount, currency }: HeldPayment,
    effect: LedgerEntry['effect'],
    of: { readonly amount?: string; readonly key?: string } = {},
  ) => {
    const entry = { at: now(), connector, effect, id, reference, amount, currency, ...of };
    records.append({ ledger: entry });
    ledger.push(entry);
  };
  const keepModification = (modification: HeldModification) => {
    records.append({ modification });
    modifications.set(modification.id, modification);
    return modification;
  };
  const recordModification = ({ payment, amount }: HeldModification, effect: LedgerEntry['effect'], key?: string) =>
    record(get(payment), effect, { amount, ...(key !== undefined && { key }) });
  const recordState = (payment: HeldPayment) => {
    const { state } = payment;
    if (state === 'settled' || state === 'declined' || state === 'withdrawn' || state === 'disputed')
      record(payment, state);
  };
  return {
    payments: () => [...payments.values()],
    ledger: () => [...ledger],
    find: (id) => payments.get(id),
    get,
    findPayment: (connector, by) => [...payments.values()].findLast((each) => isMeant(each, connector, by)),
    open(payment, key) {
      const held = keep({ ...payment, createdAt: now() });
      record(held, held.effect, key === undefined ? {} : { key });
      recordState(held);
      mayLag(held);
      return held;
    },
    move(id, state, amount) {
      const held = keep({ ...inState(get(id), state, now()), ...(amount !== undefined && { amount }) });
      recordState(held);
      return held;
    },
    modify(made, key) {
      const modification = keepModification({ ...made, createdAt: now() });
      mayLag(modification);
      if (modification.state === 'settled') recordModification(modification, modification.effect, key);
      return modification;
    },
    moveModification(id, state) {
      const before = modifications.get(id);
      if (before === undefined) throw new Error(`There is no modification ${id}.`);
      const modification = keepModification({ ...before, state });
      if (state === 'settled') recordModification(modification, modification.effect);
      else if (before.state === 'settled') recordModification(modification, 'undone');
      return modification;
    },
    modifications: () => [...modifications.values()],
    modificationsOf: (payment) => [...modifications.values()].filter((each) => each.payment === payment),
    findModification: (connector, by) => [...modifications.values()].findLast((each) => isMeant(each, connector, by)),
    recall(connector, endpoint, key, forHours = Infinity) {
      const entry = keys.get(keyName(connector, endpoint, key));
      return entry === undefined || clock() - Date.parse(entry.at) >= forHours * HOUR_MS ? undefined : entry;
    },
    remember(used) {
      const entry = { ...used, at: now() };
      records.append({ key: entry });
      keys.set(keyName(entry.connector, entry.endpoint, entry.key), entry);
    },
    underway: new Set(),
    sinceFirst(name) {
      const first = firstSends.get(name) ?? clock();
      firstSends.set(name, first);
      return clock() - first;
    },
    isShown({ id }) {
      const lags = lagging.get(id);
      if (lags === undefined) return true;
      lags.lookups += 1;
      if (lags.lookups <= lag.lookups && clock() < lags.since + lag.ms) return false;
      lagging.delete(id);
      return true;
    },
  };
}
