import type { HeldPayment, KeyEntry, LedgerEntry, Records, State } from './records.ts';

/** What the simulated provider knows. Every change is in the records before anybody is answered. */
export interface Bank {
  payments(): readonly HeldPayment[];
  ledger(): readonly LedgerEntry[];
  find(id: string): HeldPayment | undefined;
  /** The youngest payment of a connector with this id or reference. */
  lookUp(
    connector: string,
    by: { readonly id?: string | undefined; readonly reference?: string | undefined },
  ): HeldPayment | undefined;
  /** Opens a payment and writes its first effect down. */
  open(payment: Omit<HeldPayment, 'createdAt'>, key?: string): HeldPayment;
  /** Moves a payment to another state, with what it means for the money; a capture may move less than was held. */
  move(id: string, state: State, amount?: string): HeldPayment;
  /** Writes an effect on a payment down. */
  record(payment: HeldPayment, effect: LedgerEntry['effect'], of?: { amount?: string; key?: string }): void;
  recall(connector: string, endpoint: string, key: string): KeyEntry | undefined;
  remember(entry: KeyEntry): void;
}

const keyName = (connector: string, endpoint: string, key: string) => JSON.stringify([connector, endpoint, key]);

export function createBank(records: Records, now: () => string): Bank {
  const payments = new Map<string, HeldPayment>();
  const ledger: LedgerEntry[] = [];
  const keys = new Map<string, KeyEntry>();
  for (const line of records.lines) {
    if ('payment' in line) payments.set(line.payment.id, line.payment);
    else if ('ledger' in line) ledger.push(line.ledger);
    else keys.set(keyName(line.key.connector, line.key.endpoint, line.key.key), line.key);
  }
  const keep = (payment: HeldPayment) => {
    records.append({ payment });
    payments.set(payment.id, payment);
    return payment;
  };
  const record: Bank['record'] = ({ id, connector, reference, amount, currency }, effect, of = {}) => {
    const entry = { at: now(), connector, effect, id, reference, amount, currency, ...of };
    records.append({ ledger: entry });
    ledger.push(entry);
  };
  const recordState = (payment: HeldPayment) => {
    if (payment.state === 'settled' || payment.state === 'declined') record(payment, payment.state);
  };
  return {
    payments: () => [...payments.values()],
    ledger: () => [...ledger],
    find: (id) => payments.get(id),
    lookUp: (connector, by) =>
      [...payments.values()].findLast(
        (each) =>
          each.connector === connector && (by.id === undefined ? each.reference === by.reference : each.id === by.id),
      ),
    open(payment, key) {
      const held = keep({ ...payment, createdAt: now() });
      record(held, held.effect, key === undefined ? {} : { key });
      recordState(held);
      return held;
    },
    move(id, state, amount) {
      const before = payments.get(id);
      if (before === undefined) throw new Error(`There is no payment ${id}.`);
      const held = keep({ ...before, state, ...(amount !== undefined && { amount }) });
      recordState(held);
      return held;
    },
    record,
    recall: (connector, endpoint, key) => keys.get(keyName(connector, endpoint, key)),
    remember(entry) {
      records.append({ key: entry });
      keys.set(keyName(entry.connector, entry.endpoint, entry.key), entry);
    },
  };
}
