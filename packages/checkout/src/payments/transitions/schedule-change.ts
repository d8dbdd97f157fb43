import { createHash } from 'node:crypto';
import type { Outcome } from '@railyard/core';
import type { PaymentState } from '@railyard/core/payment';
import { type Beginning, type Day, firstDueDay } from '@railyard/core/protocol';
import { merchantDay, msUntil } from '../../schedules/merchant-day.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { Payment, Schedule, ScheduleChange } from '../../storage/index.ts';
import { hasMandate, type MandateTokens } from '../state/mandate.ts';
import type { TransitionDeps } from './deps.ts';

/** The schedule of the payment that a payer made, and when it began to charge, if it has. */
export interface OwnSchedule {
  readonly schedule: Pick<Schedule, 'id' | 'history'>;
  readonly chain?: { readonly began: Day; readonly startDate: Day | null };
}

/** The facts that decide what a change of a payment is to its schedule. */
interface ScheduleFacts {
  readonly session: OpenSession;
  readonly mandate: MandateTokens | undefined;
  readonly schedule?: OwnSchedule | undefined;
  readonly next: PaymentState;
  readonly outcome: Outcome | undefined;
}

/** The schedule of a payment that a payer made; undefined for any other, and where it has been deleted. */
export async function ownSchedule(
  { stores }: Pick<TransitionDeps, 'stores'>,
  payment: Payment,
  { request, stored }: OpenSession,
): Promise<OwnSchedule | undefined> {
  if (request.schedule_id === undefined || payment.mandateId !== null) return undefined;
  const begun = await stores.chains.find(payment.id);
  if (begun !== undefined) return begun;
  const schedule = await stores.schedules.find(stored, request.schedule_id);
  return schedule && { schedule };
}

/** The digest by which a chain is found by the merchant's token to charge again, a random UUID. */
export const tokenHash = (token: string): string => createHash('sha256').update(token.toLowerCase()).digest('hex');

const beginningOf = (
  context: TransitionDeps,
  { session: { stored, merchant, request }, schedule }: ScheduleFacts,
): Beginning =>
  schedule?.chain === undefined
    ? { began: merchantDay(context, stored, merchant), startDate: request.schedule_start_date }
    : { began: schedule.chain.began, startDate: schedule.chain.startDate ?? undefined };

/** `first_recurring_date` of a payment that a schedule follows, once that is so. */
export function firstRecurringDate(context: TransitionDeps, payment: Payment, facts: ScheduleFacts): Day | undefined {
  const { session, schedule, mandate, next, outcome } = facts;
  if (schedule === undefined || mandate === undefined) return undefined;
  if (!hasMandate(context, payment, session.request, next, outcome)) return undefined;
  return firstDueDay(schedule.schedule.history, beginningOf(context, facts));
}

/** The change that one of a payment makes to its schedule, if it makes any. */
export function scheduleChange(
  context: TransitionDeps,
  payment: Payment,
  facts: ScheduleFacts,
): ScheduleChange | undefined {
  const { session, schedule, mandate, next, outcome } = facts;
  const { request, stored, merchant } = session;
  if (request.schedule_id === undefined) return undefined;
  const today = merchantDay(context, stored, merchant);
  if (payment.mandateId !== null) {
    const state = next.state === payment.state ? undefined : endOf(next, outcome);
    return state && { kind: 'ended', state, today };
  }
  const firstDay = schedule?.chain === undefined ? firstRecurringDate(context, payment, facts) : undefined;
  if (firstDay === undefined || schedule === undefined || mandate === undefined) return undefined;
  const { began, startDate } = beginningOf(context, facts);
  return {
    kind: 'began',
    scheduleId: schedule.schedule.id,
    tokenHash: tokenHash(mandate.recurring_token),
    began,
    startDate,
    pollInMs: msUntil(context, stored, merchant, firstDay),
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
