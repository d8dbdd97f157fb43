import { currency as findCurrency, fromDecimal, money, moneyOfMinor } from '@railyard/core';
import type { SimulatedCourse } from '@railyard/core/simulation';
import { withPlace } from '@railyard/core/driver';
import { currencyOf, type RoutedReply, type RoutedRequest, givenUp, named, turnedAway } from './routed-request.ts';
import type { Bank } from './bank.ts';
import { writeReplyBody } from './bodies.ts';
import { amountFrom, type Mount, newId } from './mount.ts';
import { textAt } from './places.ts';
import type { HeldPayment, State } from './records.ts';
import { refuse } from './refuse.ts';
import { absentReply, jsonReply, paymentReply } from './reply.ts';
import type { Rules } from './rules.ts';
import { courseOf, markedScenario } from './scenarios.ts';

type OpeningEffect = 'charge' | 'payout' | 'authorize';

/** The course that the request itself sets for its payment, where it sets one and opens a payment. */
type OwnCourse = Exclude<SimulatedCourse, { readonly refused: unknown }> | undefined;

/** Opens a payment as the request itself or the scenario says. */
export function open(
  bank: Bank,
  rules: Rules,
  routed: RoutedRequest,
  effect: OpeningEffect,
  key: string | undefined,
): RoutedReply {
  const { mount, endpoint, declared, received } = routed;
  const reference = textAt(received, declared.request.merchantReference) ?? '';
  const currency = currencyOf(routed) ?? mount.simulation.currency ?? '';
  const text = textAt(received, declared.request.amount);
  const amount = text === undefined ? openAmount(mount, currency) : amountFrom(mount, text, currency);
  if (amount === undefined)
    return { reply: jsonReply(400, { error: 'The request has no amount of a known currency.' }) };
  const { body, params } = received;
  const course = mount.simulation.course?.({ endpoint: endpoint.name, body, params });
  if (course !== undefined && 'refused' in course) {
    const { status, body: reason } = course.refused;
    return { reply: { status, ...writeReplyBody(reason, endpoint.codec) } };
  }
  const rule = rules.of(mount.name, reference);
  const notifyUrl = textAt(received, mount.simulation.notification?.url) ?? mount.notifyUrl;
  const payment = {
    id: newId(mount, effect),
    connector: mount.name,
    effect,
    reference,
    amount,
    currency,
    request: masked(routed),
    ...(notifyUrl !== undefined && { notifyUrl }),
    scenario: markedScenario(body) ?? rule.scenario,
    notifications: rule.notifications,
    ...(declared.prepares === true && { prepared: true as const }),
    ...whatFollows(course),
  };
  return opened(bank, routed, payment, key, course);
}

/** The amount that the payer will pay, where the request leaves it to the payer. */
function openAmount({ simulation }: Mount, currency: string): string | undefined {
  const { openAmount: chosen } = simulation;
  return chosen === undefined || findCurrency(currency) === undefined ? undefined : fromDecimal(chosen, currency).text;
}

/** Another payment like the one that is named. The old one can still be paid, as codes in a payer's hands can. */
export function renew(bank: Bank, routed: RoutedRequest, key: string | undefined): RoutedReply {
  const held = named(bank, routed);
  if (held === undefined) return { reply: absentReply(routed.endpoint, routed.declared) };
  if (held.state !== 'pending') return refuse(routed, `The payment is ${held.state}.`);
  const { createdAt: _createdAt, state: _state, ...like } = held;
  return opened(bank, routed, { ...like, id: newId(routed.mount, 'renew'), effect: 'renew' }, key, undefined);
}

/** Ends a payment that waits for its payer. One that was paid first is refused; one that is withdrawn already is reported as it is. */
export function withdraw(bank: Bank, routed: RoutedRequest): RoutedReply {
  const { mount, endpoint, declared } = routed;
  const held = named(bank, routed);
  if (held === undefined) return { reply: absentReply(endpoint, declared) };
  if (held.state === 'withdrawn') return { reply: paymentReply(mount, endpoint, declared, held) };
  if (held.state !== 'pending' && held.state !== 'challenged')
    return refuse(routed, `The payment is ${held.state} and does not wait for its payer.`);
  const changed = bank.move(held.id, 'withdrawn');
  return { reply: paymentReply(mount, endpoint, declared, changed), changed };
}

/** Ends the payment that the payer's page began. One that has ended is reported as it is. */
export function complete(bank: Bank, routed: RoutedRequest): RoutedReply {
  const { mount, endpoint, declared } = routed;
  const held = named(bank, routed);
  if (held === undefined) return { reply: absentReply(endpoint, declared) };
  const isAnswered = held.state === 'challenged' && declared.bringsCode === true;
  if (!isAnswered && (held.state === 'challenged' || held.state === 'pending'))
    return refuse(routed, `The payment is ${held.state}.`);
  if (!isAnswered && held.state !== 'authenticated') return { reply: paymentReply(mount, endpoint, declared, held) };
  const changed = bank.move(held.id, stateAfterPage(held));
  return { reply: paymentReply(mount, endpoint, declared, changed), changed };
}

/** Where the payer's page leads. */
export function stateAfterPage({ effect, challenge }: HeldPayment): State {
  if (challenge?.leadsTo === 'declined') return 'declined';
  return effect === 'authorize' ? 'authorized' : 'settled';
}

function whatFollows(course: OwnCourse): Pick<HeldPayment, 'challenge' | 'declines'> {
  if (course === undefined) return {};
  const { starts, leadsTo = 'settled', finishedBy = 'payer', declines } = course;
  return {
    ...(starts === 'challenged' && { challenge: { leadsTo, finishedBy } }),
    ...(declines && { declines: [...declines] }),
  };
}

function opened(
  bank: Bank,
  routed: RoutedRequest,
  payment: Omit<HeldPayment, 'createdAt' | 'state'>,
  key: string | undefined,
  own: OwnCourse,
): RoutedReply {
  const course = courseOf(payment.scenario);
  const waits = givenUp(routed, course) ?? turnedAway(bank, routed, course);
  if (waits !== undefined) return waits;
  if (course.starts === 'none') return { reply: jsonReply(504, {}), fault: 'nothing' };
  const starts = own?.starts ?? course.starts;
  const state = payment.effect === 'authorize' && starts === 'settled' ? 'authorized' : starts;
  const amount =
    course.approves === 'half' && routed.declared.reply.amount !== undefined ? halfOf(payment) : payment.amount;
  const changed = bank.open({ ...payment, amount, state }, key);
  const reply = paymentReply(routed.mount, routed.endpoint, routed.declared, changed);
  return { reply, changed, ...(course.answer !== 'whole' && { fault: course.answer }) };
}

/** Less than was asked for, and not nothing. */
function halfOf({ amount, currency }: Pick<HeldPayment, 'amount' | 'currency'>): string {
  const { minor } = money(amount, currency);
  return moneyOfMinor(minor > 1n ? minor / 2n : minor, currency).text;
}

/** The request's body without what must not be kept. */
function masked({ mount, received }: RoutedRequest): unknown {
  const places = (mount.simulation.hidden ?? []).filter((place) => textAt(received, place) !== undefined);
  return places.reduce<unknown>((body, place) => withPlace(body, place.replace(/^body\./, ''), '•••'), received.body);
}
