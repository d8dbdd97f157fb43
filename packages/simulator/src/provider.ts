import { randomUUID } from 'node:crypto';
import { addMoney, type AnyEndpoint, compareMoney, type Money, money, type SimulatedEndpoint } from '@railyard/core';
import type { Bank } from './bank.ts';
import { writeReplyBody } from './bodies.ts';
import { matchEndpoint } from './match-endpoint.ts';
import { amountFrom, type Mount } from './mount.ts';
import { type Received, textAt } from './places.ts';
import type { HeldPayment } from './records.ts';
import { absentReply, jsonReply, paymentReply, plainReply, type Reply } from './reply.ts';
import type { Rules } from './rules.ts';
import { courseOf, markedScenario } from './scenarios.ts';

export interface ProviderRequest extends Omit<Received, 'params'> {
  readonly method: string;
  /** Below the mount. */
  readonly path: string;
  readonly text: string;
}

/** How a request is answered, and the payment that it opened or changed. */
export interface Answered {
  readonly reply: Reply;
  /** The fault of the scenario, for the first answer only. */
  readonly fault?: 'nothing' | 'html-502' | 'truncated' | 'slow';
  readonly changed?: HeldPayment;
}

interface Asked {
  readonly mount: Mount;
  readonly endpoint: AnyEndpoint;
  readonly declared: SimulatedEndpoint;
  readonly received: Received;
  readonly text: string;
}

/** Answers a request as the provider would. */
export function answerProvider(bank: Bank, rules: Rules, mount: Mount, request: ProviderRequest): Answered {
  const matched = matchEndpoint(mount.connector, request.method, request.path);
  if (matched === undefined)
    return {
      reply: jsonReply(404, { error: `${mount.connector.id} has no endpoint ${request.method} ${request.path}.` }),
    };
  const { endpoint, params } = matched;
  const declared = mount.simulation.endpoints[endpoint.name];
  if (declared === undefined)
    return { reply: jsonReply(501, { error: `The simulation says nothing of the endpoint ${endpoint.name}.` }) };
  const asked = { mount, endpoint, declared, received: { ...request, params }, text: request.text };
  if (declared.effect === 'credential') return { reply: plainReply(endpoint, declared) };
  if (declared.effect === 'read') return { reply: readReply(bank, asked) };
  return once(bank, asked, (key) => perform(bank, rules, asked, key));
}

function named(bank: Bank, { mount, declared, received }: Asked): HeldPayment | undefined {
  const id = textAt(received, declared.request.id);
  return bank.lookUp(mount.name, {
    id,
    reference: id === undefined ? textAt(received, declared.request.reference) : undefined,
  });
}

function readReply(bank: Bank, asked: Asked): Reply {
  const held = named(bank, asked);
  const { mount, endpoint, declared } = asked;
  return held === undefined ? absentReply(endpoint, declared) : paymentReply(mount, endpoint, declared, held);
}

/** One effect per key: a repeat is answered with how the payment stands now. */
function once(bank: Bank, asked: Asked, act: (key: string | undefined) => Answered): Answered {
  const { mount, endpoint, declared, received, text } = asked;
  const key = textAt(received, declared.request.key);
  if (declared.request.key !== undefined && key === undefined)
    return { reply: jsonReply(400, { error: `${declared.request.key} is missing.` }) };
  if (key === undefined) return act(undefined);
  const earlier = bank.recall(mount.name, endpoint.name, key);
  const held = earlier === undefined ? undefined : bank.find(earlier.id);
  if (earlier === undefined || held === undefined) {
    const answered = act(key);
    if (answered.changed !== undefined)
      bank.remember({ connector: mount.name, endpoint: endpoint.name, key, body: text, id: answered.changed.id });
    return answered;
  }
  if (earlier.body !== text) return { reply: jsonReply(409, { error: 'The key was used for another request.' }) };
  return { reply: paymentReply(mount, endpoint, declared, held) };
}

function perform(bank: Bank, rules: Rules, asked: Asked, key: string | undefined): Answered {
  const { effect } = asked.declared;
  switch (effect) {
    case 'charge':
    case 'payout':
    case 'authorize':
      return open(bank, rules, asked, effect, key);
    case 'renew':
      return renew(bank, asked, key);
    case 'capture':
    case 'void':
    case 'refund':
      return act(bank, asked, effect, key);
    default:
      throw new Error(`"${effect}" changes nothing.`);
  }
}

/** Another payment like the one that is named. The old one can still be paid, as codes in a payer's hands can. */
function renew(bank: Bank, asked: Asked, key: string | undefined): Answered {
  const held = named(bank, asked);
  if (held === undefined) return { reply: absentReply(asked.endpoint, asked.declared) };
  if (held.state !== 'pending') return refuse(asked, `The payment is ${held.state}.`);
  const { createdAt: _createdAt, state: _state, ...like } = held;
  return opened(bank, asked, { ...like, id: newId(), effect: 'renew' }, key);
}

function open(
  bank: Bank,
  rules: Rules,
  asked: Asked,
  effect: 'charge' | 'payout' | 'authorize',
  key: string | undefined,
): Answered {
  const { mount, declared, received } = asked;
  const reference = textAt(received, declared.request.reference) ?? '';
  const currency = textAt(received, declared.request.currency) ?? '';
  const amount = amountFrom(mount, textAt(received, declared.request.amount) ?? '', currency);
  if (amount === undefined)
    return { reply: jsonReply(400, { error: 'The request has no amount of a known currency.' }) };
  const rule = rules.of(mount.name, reference);
  const scenario = markedScenario(received) ?? rule.scenario;
  const notifyUrl = textAt(received, mount.simulation.notification?.url) ?? mount.notifyUrl;
  const payment = {
    id: newId(),
    connector: mount.name,
    effect,
    reference,
    amount,
    currency,
    request: received.body,
    ...(notifyUrl !== undefined && { notifyUrl }),
    scenario,
    notifications: rule.notifications,
  };
  return opened(bank, asked, payment, key);
}

function opened(
  bank: Bank,
  asked: Asked,
  payment: Omit<HeldPayment, 'createdAt' | 'state'>,
  key: string | undefined,
): Answered {
  const course = courseOf(payment.scenario);
  if (course.starts === 'none') return { reply: jsonReply(504, {}), fault: 'nothing' };
  const state = asked.declared.effect === 'authorize' && course.starts === 'settled' ? 'authorized' : course.starts;
  const changed = bank.open({ ...payment, state }, key);
  const reply = paymentReply(asked.mount, asked.endpoint, asked.declared, changed);
  return { reply, changed, ...(course.answer !== 'whole' && { fault: course.answer }) };
}

/** An action on a payment that is there. */
function act(bank: Bank, asked: Asked, effect: 'capture' | 'void' | 'refund', key: string | undefined): Answered {
  const { mount, endpoint, declared, received } = asked;
  const held = named(bank, asked);
  if (held === undefined) return { reply: absentReply(endpoint, declared) };
  const needs = effect === 'refund' ? 'settled' : 'authorized';
  if (held.state !== needs) return refuse(asked, `The payment is ${held.state}, not ${needs}.`);
  const text = textAt(received, declared.request.amount);
  const amount = text === undefined ? held.amount : amountFrom(mount, text, held.currency);
  if (amount === undefined)
    return { reply: jsonReply(400, { error: 'The request has no amount of a known currency.' }) };
  if (compareMoney(moved(bank, held, effect, amount), money(held.amount, held.currency)) > 0)
    return refuse(asked, `That is more than the ${held.amount} ${held.currency} that are there.`);
  bank.record(held, effect, { amount, ...(key !== undefined && { key }) });
  const changed =
    effect === 'refund'
      ? held
      : effect === 'capture'
        ? bank.move(held.id, 'settled', amount)
        : bank.move(held.id, 'declined');
  return { reply: paymentReply(mount, endpoint, declared, changed), changed };
}

/** What an effect would have moved in all, this time included. */
function moved(bank: Bank, held: HeldPayment, effect: 'capture' | 'void' | 'refund', amount: string): Money {
  return bank
    .ledger()
    .filter((entry) => entry.id === held.id && entry.effect === effect)
    .map((entry) => money(entry.amount, entry.currency))
    .reduce(addMoney, money(amount, held.currency));
}

function refuse({ endpoint, declared }: Asked, error: string): Answered {
  if (declared.refused === undefined) return { reply: jsonReply(409, { error }) };
  const { status, body } = declared.refused;
  return { reply: { status, ...writeReplyBody(body, endpoint.codec) } };
}

/** Never used twice, also not after a restart that forgot everything. */
function newId(): string {
  return randomUUID();
}
