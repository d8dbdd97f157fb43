import { afterAction, afterUndoing } from './act-on-payment.ts';
import type { Bank } from './bank.ts';
import { Conflict } from './conflict.ts';
import type { Mount } from './mount.ts';
import type { Notifier } from './notify.ts';
import type { HeldAction } from './records.ts';
import { courseOf } from './scenarios.ts';
import type { Scheduler } from './time.ts';

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
  const tell = (action: HeldAction, isLater: boolean) => {
    const mount = mounts.get(action.connector);
    const payment = bank.get(action.payment);
    if (mount === undefined || payment.notifications === 'forged') return;
    if (mount.simulation.notification?.modification !== undefined) notifier.tell(mount, payment, undefined, action);
    else if (isLater) notifier.tell(mount, payment);
  };
  const held = (id: string): HeldAction => {
    const action = bank.actions().find((each) => each.id === id);
    if (action === undefined) throw new Conflict(`There is no modification ${id}.`);
    return action;
  };
  const settleModification = (id: string): HeldAction => {
    const { state } = held(id);
    if (state !== 'pending') throw new Conflict(`The modification is ${state}, not pending.`);
    const action = bank.moveAction(id, 'settled');
    afterAction(bank, action);
    tell(action, true);
    return action;
  };
  const declineModification = (id: string): HeldAction => {
    const before = held(id);
    if (before.state === 'declined') throw new Conflict('The modification is declined already.');
    const action = bank.moveAction(id, 'declined');
    if (before.state === 'settled') afterUndoing(bank, action);
    tell(action, true);
    return action;
  };
  const goOn = ({ id, state, scenario }: HeldAction): void => {
    const course = scenario && courseOf(scenario).modifications;
    if (course?.later === undefined || state !== course.starts) return;
    const end = course.later === 'settled' ? settleModification : declineModification;
    scheduler.after(settleAfterMs, () => {
      if (held(id).state === state) end(id);
    });
  };
  return {
    settleModification,
    declineModification,
    goOn,
    /** Notifies of one that a request made, unless it is pending, and arranges what happens to it later. */
    follow(action: HeldAction): void {
      if (action.state !== 'pending') tell(action, false);
      goOn(action);
    },
  };
}
