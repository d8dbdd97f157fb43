import { compareMoney, type Money, money } from '@railyard/core';
import { addMoney } from '@railyard/core/payment';
import { type Answered, type Asked, givenUp, named } from './asked.ts';
import type { Bank } from './bank.ts';
import { amountFrom, newId } from './mount.ts';
import { textAt } from './places.ts';
import type { ActionEffect, HeldAction, HeldPayment, State } from './records.ts';
import { refuse } from './refuse.ts';
import { absentReply, jsonReply, paymentReply } from './reply.ts';
import type { Rules } from './rules.ts';
import { courseOf, courseOfAction } from './scenarios.ts';

/** The state that an action needs, and the one that it leads to. */
const MOVES: Readonly<Record<ActionEffect, { readonly from: State; readonly to: State }>> = {
  capture: { from: 'authorized', to: 'settled' },
  void: { from: 'authorized', to: 'released' },
  cancel: { from: 'settled', to: 'cancelled' },
  refund: { from: 'settled', to: 'settled' },
};

/** An action on a payment that is there. */
export function actOn(bank: Bank, rules: Rules, asked: Asked, effect: ActionEffect, key: string | undefined): Answered {
  const { mount, endpoint, declared, received } = asked;
  const held = named(bank, asked);
  if (held === undefined) return { reply: absentReply(endpoint, declared) };
  const { from } = MOVES[effect];
  if (held.state !== from) return refuse(asked, `The payment is ${held.state}, not ${from}.`);
  const text = textAt(received, declared.request.amount);
  const amount = text === undefined ? held.amount : amountFrom(mount, text, held.currency);
  if (amount === undefined)
    return { reply: jsonReply(400, { error: 'The request has no amount of a known currency.' }) };
  if (compareMoney(moved(bank, held, effect, amount), money(held.amount, held.currency)) > 0)
    return refuse(asked, `That is more than the ${held.amount} ${held.currency} that are there.`);
  // A rule for the payment that was made since then is about what is done to it.
  const scenario = rules.own(mount.name, held.reference) ?? held.scenario;
  const course = courseOfAction(scenario);
  const { modifications } = courseOf(scenario);
  const waits = course && givenUp(asked, course);
  if (waits !== undefined) return waits;
  const declines = (effect === 'capture' || effect === 'refund') && held.declines?.includes(effect) === true;
  const action = bank.act(
    {
      id: newId(mount, effect),
      connector: held.connector,
      payment: held.id,
      effect,
      reference: textAt(received, declared.request.actionReference) ?? '',
      amount,
      currency: held.currency,
      state: declines ? 'declined' : (modifications?.starts ?? 'settled'),
      ...((course ?? modifications) && { scenario }),
    },
    key,
  );
  const changed = action.state === 'settled' ? afterAction(bank, action) : held;
  const fault = course === undefined || course.answer === 'whole' ? {} : { fault: course.answer };
  return { reply: paymentReply(mount, endpoint, declared, changed, action), changed, action, ...fault };
}

/** Moves the payment of an action that settled. */
export function afterAction(bank: Bank, { payment, effect, amount }: HeldAction): HeldPayment {
  const { from, to } = MOVES[effect];
  return from === to ? bank.get(payment) : bank.move(payment, to, effect === 'capture' ? amount : undefined);
}

/** Takes the payment of an action that failed after it settled back to where it was. */
export function afterUndoing(bank: Bank, { payment, effect }: HeldAction): HeldPayment {
  const { from, to } = MOVES[effect];
  if (from === to) return bank.get(payment);
  const first = bank.ledger().find((entry) => entry.id === payment);
  return bank.move(payment, from, effect === 'capture' ? first?.amount : undefined);
}

/** The sum that an effect would move in all, this time and what is still pending included. */
function moved(bank: Bank, held: HeldPayment, effect: ActionEffect, amount: string): Money {
  return bank
    .actions()
    .filter((each) => each.payment === held.id && each.effect === effect && each.state !== 'declined')
    .map((each) => money(each.amount, each.currency))
    .reduce(addMoney, money(amount, held.currency));
}
