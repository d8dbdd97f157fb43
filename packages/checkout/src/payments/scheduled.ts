import { decideDue, nextTry, type CatchUp, type Day, type SessionRequest } from '@railyard/core/protocol';
import { skippedDayBody } from '../callbacks/skipped-day.ts';
import { knownDay, msUntil, termsOf } from '../schedules.ts';
import { sealedAt } from '../secrets/index.ts';
import { newSession, readStoredSession, type AcceptedCommand, type OpenSession } from '../sessions/session.ts';
import {
  asStored,
  isPaused,
  type Chain,
  type ChainFacts,
  type DueDay,
  type NewCallback,
  type Payment,
  type Session,
  type SoftDecline,
  type StoredCard,
} from '../storage/index.ts';
import { chargeStoredBy, whyNotChargeable } from './charge.ts';
import type { OperationDeps } from './runs/deps.ts';
import { mandateTokens, type KnownWithSession } from './payment.ts';
import { sessionOf } from './change/apply.ts';
import { money } from '@railyard/core';

/** The next thing to do for a chain. */
export type Step =
  /** A softly declined charge is tried again. */
  | { readonly kind: 'retry'; readonly declined: SoftDecline }
  | { readonly kind: 'charge'; readonly day: Day }
  | { readonly kind: 'skip'; readonly day: Day; readonly state: 'paused' | 'missed' }
  /** Nothing until a day begins; without one nothing by itself. */
  | { readonly kind: 'wait'; readonly until?: Day | undefined };

/** Decides what is done next for a chain: tries of charges before new ones, and these in the order of their days. */
export function nextStep(
  { chain, schedule, charged, handled, declined }: ChainFacts,
  today: Day,
  catchUp: CatchUp,
): Step {
  if (chain.endedAt !== null) return { kind: 'wait' };
  const { retry_days, payments_count } = termsOf(schedule);
  const pauses = [...schedule.pauses, ...chain.pauses];
  const tries = declined.flatMap((each) => {
    const day = nextTry(retry_days, each, pauses);
    return day === undefined ? [] : [{ day, declined: each }];
  });
  const retry = isPaused(pauses) ? undefined : tries.find(({ day }) => day <= today);
  if (retry !== undefined) return { kind: 'retry', declined: retry.declined };
  const beginning = { began: chain.began, startDate: chain.startDate ?? undefined };
  const left = payments_count - charged;
  const { due, next } = decideDue({ history: schedule.history, beginning, pauses, handled, left }, today, catchUp);
  const [first] = due;
  if (first?.result === 'charged') return { kind: 'charge', day: first.day };
  if (first !== undefined) return { kind: 'skip', day: first.day, state: first.result };
  const [until] = [...(next === undefined ? [] : [next]), ...tries.map(({ day }) => day)]
    .filter((day) => day > today)
    .toSorted();
  return { kind: 'wait', until };
}

/** Protocol: order.number; a day and its hyphen are 11 of them. */
const MOST_OF_NUMBER = 255 - 11;

/**
 * The order number of the charge of a due day.
 *
 * @example scheduledNumber('ORDER-1', '2027-02-28') // 'ORDER-1-2027-02-28'
 */
export const scheduledNumber = (first: string, day: Day): string =>
  `${[...first].slice(0, MOST_OF_NUMBER).join('')}-${day}`;

/** The request of the charge of a due day: as the merchant's of the first payment, with the amount of later ones. */
export function scheduledRequest({ request }: OpenSession, first: Payment, day: Day): SessionRequest {
  const { merchant_key, operation, success_url, hash, session_expiry, order, schedule_id } = request;
  const { customer, billing_address, custom_data, channel_id } = request;
  const text = request.payment_schedule_amount ?? order.amount;
  if (text === undefined) throw new Error(`Payment ${first.id}: its schedule has no amount.`);
  return {
    merchant_key,
    operation,
    success_url,
    hash,
    session_expiry,
    order: { ...order, number: scheduledNumber(order.number, day), amount: text },
    amount: money(text, order.currency),
    methods: [first.methodAlias],
    req_token: false,
    auth: false,
    recurring_init: false,
    recurring_consent_required: false,
    vat_calc: false,
    ...(schedule_id !== undefined && { schedule_id }),
    ...(customer && { customer }),
    ...(billing_address && { billing_address }),
    ...(custom_data && { custom_data }),
    ...(channel_id !== undefined && { channel_id }),
  };
}

const ACTIONS = { SALE: 'RECURRING_SALE', DEBIT: 'RECURRING_DEBIT' } as const;

/** A chain that a command began is called back in the words of commands, to the address of its first payment. */
export function scheduledCommand({ command }: OpenSession): AcceptedCommand | undefined {
  if (command === undefined) return undefined;
  const { action, protocol, callbackUrl } = command;
  return {
    action: action === 'DEBIT' ? ACTIONS.DEBIT : ACTIONS.SALE,
    ...(protocol && { protocol }),
    ...(callbackUrl !== undefined && { callbackUrl }),
  };
}

/** A chain that is to be looked at; with its rows where they were read just now. */
interface DueChain extends Pick<Chain, 'id'> {
  readonly held?: HeldChain;
}

interface HeldChain {
  readonly facts: ChainFacts;
  readonly payment: Payment;
  readonly stored: Session;
  readonly card: StoredCard | undefined;
}

/**
 * Takes chains of schedules that are to be looked at now, and reads in one statement of each kind what is to be known of them. What has changed
 * until a charge begins is decided again.
 */
export async function takeChains(
  context: OperationDeps,
  limit: number,
  busy: readonly string[],
): Promise<readonly (Chain & DueChain)[]> {
  const { chains, payments, sessions, cards } = context.stores;
  const due = await chains.claimDue(limit, busy);
  if (due.length === 0) return due;
  const ids = due.map(({ id }) => id);
  const [facts, firsts] = await Promise.all([chains.findAll(ids), payments.findAll(ids)]);
  const [stored, paidWith] = await Promise.all([
    sessions.findAll(firsts.flatMap(({ sessionId }) => sessionId ?? [])),
    cards.findAll(firsts.flatMap(({ cardId }) => cardId ?? [])),
  ]);
  return due.map((chain) => {
    const known = facts.find((each) => each.chain.id === chain.id);
    const payment = firsts.find(({ id }) => id === chain.id);
    const session = stored.find(({ id }) => id === payment?.sessionId);
    if (known === undefined || payment === undefined || session === undefined) return chain;
    const card = paidWith.find(({ id }) => id === payment.cardId);
    return { ...chain, held: { facts: known, payment, stored: session, card } };
  });
}

/** After so many steps others come first. */
const MOST_STEPS = 20;

/** Without a day that is due a chain is looked at again after this at the latest: clocks differ. */
const SOONEST_MS = 1000;

/** A chain that this process has claimed. */
interface Looked extends ChainFacts {
  readonly first: KnownWithSession;
  readonly today: Day;
}

/**
 * Does what is due for a chain, one step after the other: charges, tries softly declined charges again, writes down which days are not charged,
 * and plans when it is looked at next. A step on which another process or a merchant was faster is decided again.
 *
 * @returns true where there is more to do at once
 */
export async function lookAtChain(context: OperationDeps, { id, held }: DueChain): Promise<boolean> {
  const { chains } = context.stores;
  const first = held === undefined ? await firstRows(context, id) : openedRows(context, held);
  const { config } = first.session.merchant;
  for (let steps = 0; steps < MOST_STEPS; steps += 1) {
    const facts = (steps === 0 ? held?.facts : undefined) ?? (await chains.find(id));
    if (facts === undefined) return false;
    const looked = { ...facts, first, today: knownDay(timeOf(context, { ...facts, first })) };
    const step = nextStep(facts, looked.today, config.catchUp);
    if (step.kind === 'wait' && (await chains.pollIn(facts.chain, pollInMs(context, looked, step)))) return false;
    if (step.kind !== 'wait' && (await take(context, looked, step)) === 'planned') return false;
  }
  const facts = await chains.find(id);
  return facts !== undefined && (await chains.pollIn(facts.chain, 0));
}

/** A session that does not open stands in the way of this chain alone. */
const openedRows = (context: OperationDeps, { payment, stored, card }: HeldChain): KnownWithSession => ({
  payment,
  session: readStoredSession(context, stored),
  card,
});

async function firstRows(context: OperationDeps, id: string): Promise<KnownWithSession> {
  const payment = await context.stores.payments.find(id);
  if (payment === undefined) throw new Error(`The chain ${id} has no payment.`);
  return { payment, session: await sessionOf(context, payment) };
}

const timeOf = ({ now }: OperationDeps, { aheadMs, first }: Pick<Looked, 'aheadMs' | 'first'>) => ({
  now,
  aheadMs,
  merchant: first.session.merchant,
});

/** When a chain is looked at again that has nothing to do until then. */
const pollInMs = (context: OperationDeps, looked: Looked, { until }: Extract<Step, { kind: 'wait' }>): number | null =>
  until === undefined ? null : Math.max(SOONEST_MS, msUntil(timeOf(context, looked), until));

/** @returns `planned` where it is written as well when the chain is looked at next */
function take(context: OperationDeps, looked: Looked, step: Exclude<Step, { kind: 'wait' }>): Promise<unknown> {
  switch (step.kind) {
    case 'charge':
      return charge(context, looked, step.day);
    case 'retry':
      return tryAgain(context, looked, step.declined);
    case 'skip':
      return skip(context, looked, step.day, step.state);
  }
}

async function charge(context: OperationDeps, looked: Looked, day: Day): Promise<unknown> {
  const { first } = looked;
  const { session } = first;
  const request = scheduledRequest(session, first.payment, day);
  if (whyNotChargeable(context, session.merchant, first.payment, request) !== undefined)
    return skip(context, looked, day, 'refused');
  const id = context.newId();
  const { fresh, opened } = openedFor(context, looked, id, request);
  // Once it has begun, its end has the chain looked at again where that is needed.
  const after = nextStep(
    { ...looked, charged: looked.charged + 1, handled: day },
    looked.today,
    session.merchant.config.catchUp,
  );
  const plan = after.kind === 'wait' ? { pollInMs: pollInMs(context, looked, after) } : {};
  const started = await chargeStoredBy(context, opened, { id, first }, (payment) =>
    context.stores.chains.beginCharge({ ...dueOf(looked, day), ...plan }, fresh, payment),
  );
  return started !== undefined && after.kind === 'wait' ? 'planned' : undefined;
}

async function tryAgain(context: OperationDeps, looked: Looked, declined: ChainFacts['declined'][number]) {
  const { first } = looked;
  const { day, chargeId, lastTried } = declined;
  const [last] = await context.stores.payments.ofSession(chargeId);
  if (last === undefined) throw new Error(`The charge ${chargeId} is gone.`);
  const session = await sessionOf(context, last);
  if (whyNotChargeable(context, session.merchant, first.payment, session.request) !== undefined)
    return skip(context, looked, day, 'refused');
  const retry = { id: context.newId(), first, retries: last };
  return chargeStoredBy(context, session, retry, (payment) =>
    context.stores.chains.beginRetry(dueOf(looked, day), lastTried, payment),
  );
}

const dueOf = ({ chain, schedule, today }: Looked, day: Day): DueDay => ({
  mandateId: chain.id,
  wakes: chain.wakes,
  day,
  scheduleVersion: schedule.version,
  today,
});

/** The session of a charge, to be stored and as it is then; signed as the first payment's. */
function openedFor(context: OperationDeps, { first: { session } }: Looked, id: string, request: SessionRequest) {
  const { stored, merchant } = session;
  const { hashDialect, hashDigest } = stored;
  const command = scheduledCommand(session);
  const charged = { id, scope: stored, request, command, payerPresence: 'none' } as const;
  const fresh = { ...newSession(context, charged), hashDialect, hashDigest };
  const now = context.now();
  const times = { createdAt: new Date(now), expiresAt: new Date(now + request.session_expiry * 60_000) };
  const opened: OpenSession = {
    stored: asStored(fresh, times),
    request,
    merchant,
    routes: [],
    ...(command && { command }),
  };
  return { fresh, opened };
}

const REASONS = {
  paused: 'Not charged: the schedule was paused on this day.',
  missed: 'Not charged: the day had passed before it could be charged.',
  refused: 'Not charged: the account does not take this charge any more.',
} as const;

/** Writes down that a day is not charged, with the callback that says so. */
async function skip(context: OperationDeps, looked: Looked, day: Day, state: keyof typeof REASONS): Promise<boolean> {
  const callbacks = await skippedCallbacks(context, looked, day, state);
  const due = dueOf(looked, day);
  const isWritten = await context.stores.chains.skip({ ...due, state, callbacks });
  if (isWritten && callbacks.length > 0) context.wake('callbacks');
  return isWritten;
}

async function skippedCallbacks(
  context: OperationDeps,
  looked: Looked,
  day: Day,
  state: keyof typeof REASONS,
): Promise<readonly NewCallback[]> {
  const { payment: first, session } = looked.first;
  const own = session.command?.callbackUrl;
  const url = own ?? session.merchant.config.callbackUrl;
  if (url === undefined) return [];
  const id = `msg_${context.newId()}`;
  const card = first.cardId === null ? undefined : await context.stores.cards.find(first.cardId);
  const written = skippedDayBody({
    first,
    card,
    mandate: await mandateTokens(context, first),
    session: openedFor(context, looked, first.id, scheduledRequest(session, first, day)).opened,
    reason: REASONS[state],
    isSchedulePaused: state === 'refused',
    at: context.now(),
  });
  const body = context.sealer.seal(written.body, sealedAt.callbackBody(id));
  return [{ id, url, ...(own !== undefined && { ownUrl: true }), ...written, body }];
}
