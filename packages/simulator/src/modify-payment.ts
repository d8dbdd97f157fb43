import { compareMoney, type Money, money } from '@railyard/core';
import { addMoney } from '@railyard/core/payment';
import type { ModificationEffect } from '@railyard/core/simulation';
import { currencyOf, type RoutedReply, type RoutedRequest, givenUp, named, turnedAway } from './routed-request.ts';
import type { Bank } from './bank.ts';
import { hasMoney } from './disputes.ts';
import { amountFrom, newId } from './mount.ts';
import { textAt } from './places.ts';
import type { HeldModification, HeldPayment, State } from './records.ts';
import { refuse } from './refuse.ts';
import { absentReply, jsonReply, paymentReply } from './reply.ts';
import type { Rules } from './rules.ts';
import { courseOf, courseOfModification } from './scenarios.ts';

/** The state that a modification needs, and the one that it leads to. */
const MOVES: Readonly<Record<ModificationEffect, { readonly from: State; readonly to: State }>> = {
  capture: { from: 'authorized', to: 'settled' },
  void: { from: 'authorized', to: 'released' },
  cancel: { from: 'settled', to: 'cancelled' },
  refund: { from: 'settled', to: 'settled' },
};

/** A modification on a payment that is there. */
export function modifyPayment(
  bank: Bank,
  rules: Rules,
  routed: RoutedRequest,
  effect: ModificationEffect,
  key: string | undefined,
): RoutedReply {
  const { mount, endpoint, declared, received } = routed;
  const held = named(bank, routed);
  if (held === undefined) return { reply: absentReply(endpoint, declared) };
  const { from } = MOVES[effect];
  if (held.state !== from && !(from === 'settled' && hasMoney(held.state)))
    return refuse(routed, `The payment is ${held.state}, not ${from}.`);
  const currency = currencyOf(routed) ?? held.currency;
  if (currency !== held.currency) return refuse(routed, `The payment is in ${held.currency}, not in ${currency}.`);
  const text = textAt(received, declared.request.amount);
  const amount = text === undefined ? held.amount : amountFrom(mount, text, held.currency);
  if (amount === undefined)
    return { reply: jsonReply(400, { error: 'The request has no amount of a known currency.' }) };
  if (compareMoney(moved(bank, held, effect, amount), money(held.amount, held.currency)) > 0)
    return refuse(routed, `That is more than the ${held.amount} ${held.currency} that are there.`);
  // A rule that was set after the payment was made is about its modifications.
  const scenario = rules.own(mount.name, held.reference) ?? held.scenario;
  const course = courseOfModification(scenario);
  const { modifications } = courseOf(scenario);
  const waits = course && (givenUp(routed, course) ?? turnedAway(bank, routed, course));
  if (waits !== undefined) return waits;
  const declines = (effect === 'capture' || effect === 'refund') && held.declines?.includes(effect) === true;
  const modification = bank.modify(
    {
      id: newId(mount, effect),
      connector: held.connector,
      payment: held.id,
      effect,
      reference: textAt(received, declared.request.modificationReference) ?? '',
      amount,
      currency: held.currency,
      state: declines ? 'declined' : (modifications?.starts ?? 'settled'),
      ...((course ?? modifications) && { scenario }),
    },
    key,
  );
  const changed = modification.state === 'settled' ? afterModification(bank, modification) : held;
  const fault = course === undefined || course.answer === 'whole' ? {} : { fault: course.answer };
  return { reply: paymentReply(mount, endpoint, declared, changed, modification), changed, modification, ...fault };
}

/** Moves the payment of a modification that settled. */
export function afterModification(bank: Bank, { payment, effect, amount }: HeldModification): HeldPayment {
  const { from, to } = MOVES[effect];
  return from === to ? bank.get(payment) : bank.move(payment, to, effect === 'capture' ? amount : undefined);
}

/** Takes the payment of a modification that failed after it settled back to where it was. */
export function afterUndoing(bank: Bank, { payment, effect }: HeldModification): HeldPayment {
  const { from, to } = MOVES[effect];
  if (from === to) return bank.get(payment);
  const first = bank.ledger().find((entry) => entry.id === payment);
  return bank.move(payment, from, effect === 'capture' ? first?.amount : undefined);
}

/** The sum that an effect would move in all, with this one and the pending ones. */
function moved(bank: Bank, held: HeldPayment, effect: ModificationEffect, amount: string): Money {
  return bank
    .modificationsOf(held.id)
    .filter((each) => each.effect === effect && each.state !== 'declined')
    .map((each) => money(each.amount, each.currency))
    .reduce(addMoney, money(amount, held.currency));
}
