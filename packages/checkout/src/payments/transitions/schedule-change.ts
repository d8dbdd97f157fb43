import { createHash } from 'node:crypto';
import type { Outcome } from '@railyard/core';
import type { PaymentState } from '@railyard/core/payment';
import { type Beginning, type Day, firstDueDay } from '@railyard/core/protocol';
import { merchantDay } from '../../schedules/merchant-day.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { Payment, Schedule, ScheduleChange } from '../../storage/index.ts';
import { hasMandate, type MandateTokens } from '../state/mandate.ts';
import type { TransitionDeps } from './deps.ts';

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
