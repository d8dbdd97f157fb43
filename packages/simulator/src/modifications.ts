import { compareMoney, fromDecimal, isZero, type Money, money } from '@railyard/core';
import { subtractMoney } from '@railyard/core/payment';
import { afterModification, afterUndoing } from './modify-payment.ts';
import type { Bank } from './bank.ts';
import { hasMoney } from './disputes.ts';
import { Conflict } from './conflict.ts';
import { type Mount, newId } from './mount.ts';
import type { Notifier } from './notify.ts';
import type { HeldModification, HeldPayment } from './records.ts';
import { courseOf } from './scenarios.ts';
import type { Scheduler } from './time.ts';

/** The amount that refunds have left of a payment, those under way included. */
const leftOf = (bank: Bank, { id, amount, currency }: HeldPayment): Money =>
  bank
    .modificationsOf(id)
    .filter(({ effect, state }) => effect === 'refund' && state !== 'declined')
    .reduce((left, each) => subtractMoney(left, money(each.amount, currency)), money(amount, currency));

function amountOf(text: string, currency: string): Money {
  try {
    return fromDecimal(text, currency);
  } catch {
    throw new Conflict(`"${text}" is no amount in ${currency}.`);
  }
}

interface Parts {
  readonly bank: Bank;
  readonly mounts: ReadonlyMap<string, Mount>;
  readonly notifier: Notifier;
  readonly scheduler: Scheduler;
  readonly settleAfterMs: number;
}

/** The later life of captures, voids and refunds. */
export function modificationsOf({ bank, mounts, notifier, scheduler, settleAfterMs }: Parts) {
  /** A provider that reports no modifications reports the payment that they changed. */
  const notify = (modification: HeldModification, isLater: boolean) => {
    const mount = mounts.get(modification.connector);
    const payment = bank.get(modification.payment);
    if (mount === undefined || payment.notifications === 'forged') return;
    if (mount.simulation.notification?.modification !== undefined)
      notifier.notify(mount, payment, undefined, modification);
    else if (isLater) notifier.notify(mount, payment);
  };
  const held = (id: string): HeldModification => {
    const modification = bank.modifications().find((each) => each.id === id);
    if (modification === undefined) throw new Conflict(`There is no modification ${id}.`);
    return modification;
  };
  const settleModification = (id: string): HeldModification => {
    const { state } = held(id);
    if (state !== 'pending') throw new Conflict(`The modification is ${state}, not pending.`);
    const modification = bank.moveModification(id, 'settled');
    afterModification(bank, modification);
    notify(modification, true);
    return modification;
  };
  const declineModification = (id: string): HeldModification => {
    const before = held(id);
    if (before.state === 'declined') throw new Conflict('The modification is declined already.');
    const modification = bank.moveModification(id, 'declined');
    if (before.state === 'settled') afterUndoing(bank, modification);
    notify(modification, true);
    return modification;
  };
  const goOn = ({ id, state, scenario }: HeldModification): void => {
    const course = scenario && courseOf(scenario).modifications;
    if (course?.later === undefined || state !== course.starts) return;
    const end = course.later === 'settled' ? settleModification : declineModification;
    scheduler.after(settleAfterMs, () => {
      if (held(id).state === state) end(id);
    });
  };
  return {
    giveBack(payment: string, asked?: string): HeldModification {
      const found = bank.find(payment);
      const mount = found && mounts.get(found.connector);
      if (found === undefined || mount === undefined) throw new Conflict(`There is no payment ${payment}.`);
      if (!hasMoney(found.state)) throw new Conflict(`The payment is ${found.state}, not settled.`);
      const left = leftOf(bank, found);
      const amount = asked === undefined ? left : amountOf(asked, found.currency);
      if (isZero(amount) || compareMoney(amount, left) > 0)
        throw new Conflict(`${amount.text} cannot be given back: ${left.text} ${left.currency} are left.`);
      const id = newId(mount, 'refund');
      const { connector, currency } = found;
      const refund = { id, connector, payment, effect: 'refund', reference: id, currency, state: 'settled' } as const;
      const modification = bank.modify({ ...refund, amount: amount.text });
      notify(modification, true);
      return modification;
    },
    settleModification,
    declineModification,
    goOn,
    /** Notifies of one that a request made, unless it is pending, and plans its later end. */
    follow(modification: HeldModification): void {
      if (modification.state !== 'pending') notify(modification, false);
      goOn(modification);
    },
  };
}
