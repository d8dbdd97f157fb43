import { isDeepStrictEqual } from 'node:util';
import type { Outcome, PaymentFacts, Show } from '@railyard/core';
import { DECLINE_REASONS, type PayerBrowser } from '@railyard/core/driver';
import { approvedAmount, type CallbackWords, type ModificationName, type PaymentState } from '@railyard/core/payment';
import { cardForCallback, cardUseOf, type CallbackFacts, type OpenedCard } from '../../callbacks/fields.ts';
import { callbackBody, commandCallbackBody, redirectFacts, type RedirectFacts } from '../../callbacks/body.ts';
import type { NextAction } from '@railyard/runtime';
import { hasMandate, publicId, stateOf, storedShow, type MandateTokens } from '../payment.ts';
import { sealedAt } from '../../secrets/index.ts';
import type { TransitionDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/session.ts';
import { asAttempted } from '../../sessions/payer-input.ts';
import type { Payment, Schedule, ScheduleChange, Transition } from '../../storage/index.ts';
import { createHash } from 'node:crypto';
import { firstDueDay, type Beginning, type Day } from '@railyard/core/protocol';
import { merchantDay } from '../../schedules.ts';

/** The schedule that the session of a payment names, as far as it is known. */
export interface ScheduleSource {
  /** The day that it is for the merchant. */
  readonly today: Day;
  /** Of the payment that a payer made: the schedule, unless it has been deleted, and when it began to charge, if it has. */
  readonly own?: {
    readonly schedule: Pick<Schedule, 'id' | 'history'>;
    readonly chain?: { readonly began: Day; readonly startDate: Day | null };
  };
}

/** The facts that decide what a change of a payment is to its schedule. */
interface ScheduleFacts {
  readonly session: OpenSession;
  readonly mandate: MandateTokens | undefined;
  readonly schedule?: ScheduleSource | undefined;
  readonly next: PaymentState;
  readonly outcome: Outcome | undefined;
}

/** Reads what a change of the payment may need to know of its schedule; undefined where its session names none. */
export async function scheduleSource(
  context: TransitionDeps,
  payment: Payment,
  { request, stored, merchant }: OpenSession,
): Promise<ScheduleSource | undefined> {
  const { schedule_id } = request;
  if (schedule_id === undefined) return undefined;
  const { chains, schedules } = context.stores;
  const today = await merchantDay(context, stored, merchant);
  if (payment.mandateId !== null) return { today };
  const begun = await chains.find(payment.id);
  if (begun !== undefined) return { today, own: begun };
  const schedule = await schedules.find(stored, schedule_id);
  return { today, ...(schedule && { own: { schedule } }) };
}

/** The digest by which a chain is found by the merchant's token to charge again, a random UUID. */
export const tokenHash = (token: string): string => createHash('sha256').update(token.toLowerCase()).digest('hex');

const beginningOf = ({ request }: OpenSession, { today, own }: ScheduleSource): Beginning =>
  own?.chain === undefined
    ? { began: today, startDate: request.schedule_start_date }
    : { began: own.chain.began, startDate: own.chain.startDate ?? undefined };

/** `first_recurring_date` of a payment that a schedule follows, once that is so. */
export function firstRecurringDate(context: TransitionDeps, payment: Payment, facts: ScheduleFacts): Day | undefined {
  const { session, schedule, mandate, next, outcome } = facts;
  if (schedule?.own === undefined || mandate === undefined) return undefined;
  if (!hasMandate(context, payment, session.request, next, outcome)) return undefined;
  return firstDueDay(schedule.own.schedule.history, beginningOf(session, schedule));
}

/** The change that one of a payment makes to its schedule, if it makes any. */
export function scheduleChange(
  context: TransitionDeps,
  payment: Payment,
  facts: ScheduleFacts,
): ScheduleChange | undefined {
  const { session, schedule, mandate, next, outcome } = facts;
  if (schedule === undefined) return undefined;
  const { own, today } = schedule;
  if (payment.mandateId !== null) {
    const state = next.state === payment.state ? undefined : endOf(next, outcome);
    return state && { kind: 'ended', state, today };
  }
  if (own === undefined || own.chain !== undefined || mandate === undefined) return undefined;
  if (firstRecurringDate(context, payment, facts) === undefined) return undefined;
  const { began, startDate } = beginningOf(session, schedule);
  return {
    kind: 'began',
    scheduleId: own.schedule.id,
    tokenHash: tokenHash(mandate.recurring_token),
    began,
    startDate,
  };
}

/** How a charge has ended. One that nothing came of may be tried again, unless its provider said that this is of no use. */
function endOf(
  { state }: PaymentState,
  outcome: Outcome | undefined,
): Extract<ScheduleChange, { kind: 'ended' }>['state'] | undefined {
  if (state === 'settled') return 'settled';
  if (state !== 'declined' && state !== 'expired') return undefined;
  return outcome?.status === 'declined' && outcome.kind === 'hard' ? 'declined_hard' : 'declined_soft';
}

/** Whether a charge is declined in such a way that nothing more is charged before the merchant wants it. */
export function pausesSchedule(context: TransitionDeps, payment: Payment, facts: ScheduleFacts): boolean {
  const change = scheduleChange(context, payment, facts);
  return change?.kind === 'ended' && change.state === 'declined_hard';
}

/** The reason of a payment that was not paid in time. */
export const EXPIRED = 'The session expired before it was paid.';

/** Whatever is read from the database for the callbacks of a payment. */
export interface CallbackSources {
  readonly session: OpenSession;
  readonly card: OpenedCard | undefined;
  readonly mandate: MandateTokens | undefined;
  readonly browser: PayerBrowser | undefined;
  readonly schedule?: ScheduleSource | undefined;
}

/** The facts that decide about a callback. */
export interface CallbackInput extends CallbackSources {
  readonly next: PaymentState;
  readonly words: CallbackWords;
  /** The words reported last, which are not sent again; undefined: the callback is sent in any case. */
  readonly before: CallbackWords | undefined;
  readonly outcome: Outcome | undefined;
  /** The next action that the flow asks of the payer with this change. */
  readonly nextAction?: NextAction | undefined;
  /** The modification on the payment that the callback is about. */
  readonly modification?: {
    readonly kind: ModificationName;
    readonly amount: { readonly text: string };
    readonly facts?: PaymentFacts | undefined;
  };
}

/** The callbacks to the merchant; none where nothing new is to be reported. */
export function callbacksFor(
  context: TransitionDeps,
  payment: Payment,
  input: CallbackInput,
): NonNullable<Transition['callbacks']> {
  const { next, session, card, mandate, browser, words, before, outcome, nextAction, modification } = input;
  const own = session.command?.callbackUrl;
  const url = own ?? session.merchant.config.callbackUrl;
  // Each deposit that counts is reported, with the sum so far, also where the words stay the same.
  const deposit =
    outcome === undefined && next.received !== undefined && next.received.minor !== payment.received?.minor;
  const same = isDeepStrictEqual(words, before);
  // So is that only a part was approved.
  const approved = approvedAmount(next);
  const isNews = approved !== undefined && approvedAmount(stateOf(payment)) === undefined;
  if (url === undefined || (same && !deposit && !isNews)) return [];
  const show = outcome?.status === 'pending' ? outcome.show : storedShow(payment.show);
  const shownBefore = addressOf(storedShow(payment.show));
  const address = addressOf(outcome?.status === 'pending' ? outcome.show : undefined) ?? shownBefore;
  const step = redirectFacts(nextAction, show);
  const facts: CallbackFacts = {
    paymentId: publicId(payment),
    session: asAttempted(session, payment),
    words: same
      ? words
      : stepWords(words, { isInit: address !== undefined && shownBefore === undefined, redirect: step }),
    reason: reasonOf(payment, next, outcome),
    receivedText: next.received?.text,
    approvedText: approved?.text,
    payerIp: payment.payerIp ?? undefined,
    at: context.now(),
    route: payment,
    provider: providerWords(payment, next, outcome),
    browser,
    cardUse: cardUseOf(payment, session, card?.kept),
    facts: factsOf(next, modification),
    card: card && cardForCallback(card, session, words),
    mandate: hasMandate(context, payment, session.request, next, outcome) ? mandate : undefined,
    firstRecurringDate: firstRecurringDate(context, payment, input),
    isSchedulePaused: pausesSchedule(context, payment, input),
    ...(address && { crypto: address }),
    ...modificationFacts(modification ?? captureAtProvider(words, next)),
  };
  const { command } = session;
  const written =
    command === undefined
      ? callbackBody(facts)
      : commandCallbackBody(facts, {
          command,
          payment,
          next,
          redirect: redirectFacts(nextAction, show),
          kept: card?.kept,
        });
  const id = `msg_${context.newId()}`;
  const body = context.sealer.seal(written.body, sealedAt.callbackBody(id));
  return [{ id, url, ...(own !== undefined && { ownUrl: true }), ...written, body }];
}

/** A refund is a transaction of its own, with facts of its own; everything else is reported of the payment. */
const factsOf = ({ facts }: PaymentState, modification: CallbackInput['modification']): PaymentFacts =>
  modification?.kind === 'refund' ? (modification.facts ?? {}) : facts;

/** A hold that the provider captured by itself counts as a capture of the received amount. */
const captureAtProvider = ({ type }: CallbackWords, { received }: PaymentState): CallbackInput['modification'] =>
  type === 'capture' && received !== undefined ? { kind: 'capture', amount: received } : undefined;

const modificationFacts = (modification: CallbackInput['modification']): Pick<CallbackFacts, 'modification'> =>
  modification === undefined ? {} : { modification: { kind: modification.kind, amount: modification.amount.text } };

function reasonOf(payment: Payment, next: PaymentState, outcome: Outcome | undefined): string | undefined {
  if (payment.state === 'partially_approved' && next.state === 'declined') return DECLINE_REASONS.given_back;
  if (outcome?.status === 'declined') return outcome.reason;
  return next.state === 'expired' ? EXPIRED : undefined;
}

type Address = Extract<Show, { kind: 'address' }>;

const addressOf = (show: Show | undefined): Address | undefined => (show?.kind === 'address' ? show : undefined);

/**
 * The callback of a step that the payer has to take has a type of its own, and succeeds as that step: coins are to be sent (`init`), 3-D Secure or
 * another page is to be visited (reference: Callback, Meaning table). A code that the page draws is no visit.
 */
function stepWords(
  words: CallbackWords,
  { isInit, redirect }: { readonly isInit: boolean; readonly redirect: RedirectFacts | undefined },
): CallbackWords {
  if (words.status !== 'waiting' || words.order_status !== 'pending') return words;
  if (isInit && words.type === 'sale') return { ...words, type: 'init', status: 'success' };
  if (redirect?.redirect.redirect_url === undefined) return words;
  const step = redirect.status === '3DS' ? '3ds' : 'redirect';
  return { type: step, status: 'success', order_status: step };
}

/** The provider's current reference, status and code; else the last known ones. */
function providerWords(payment: Payment, next: PaymentState, outcome: Outcome | undefined) {
  const reference = next.current ?? payment.providerReference;
  const status = outcome?.provider?.status ?? payment.providerStatus;
  const code = outcome?.provider?.code ?? payment.providerCode;
  return {
    ...(reference !== null && { reference }),
    ...(status !== null && { status }),
    ...(code !== null && { code }),
  };
}
