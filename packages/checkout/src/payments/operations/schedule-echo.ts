import { stateOf } from '../state/payment-state.ts';
import { type MandateTokens, hasMandate } from '../state/mandate.ts';
import { firstRecurringDate, scheduleSource } from '../transitions/schedule-change.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { Payment } from '../../storage/index.ts';
import type { OperationDeps } from './deps.ts';

/** The schedule of a payment in answers and lookups, once its payer has agreed to later charges (protocol: Response echo). */
export interface ScheduleEcho {
  readonly schedule_id?: string;
  readonly schedule_start_date?: string;
  readonly payment_schedule_amount?: string;
  readonly first_recurring_date?: string;
}

/** @param mandate the tokens of what the payer agreed to; without them there is nothing to say */
export async function scheduleEcho(
  context: OperationDeps,
  payment: Payment,
  session: OpenSession,
  mandate: MandateTokens | undefined,
): Promise<ScheduleEcho> {
  const { schedule_id, schedule_start_date, payment_schedule_amount } = session.request;
  const next = stateOf(payment);
  if (schedule_id === undefined || mandate === undefined) return {};
  if (!hasMandate(context, payment, session.request, next)) return {};
  const schedule = await scheduleSource(context, payment, session);
  const first = firstRecurringDate(context, payment, { session, mandate, schedule, next, outcome: undefined });
  return {
    schedule_id,
    ...(schedule_start_date !== undefined && { schedule_start_date }),
    ...(payment_schedule_amount !== undefined && { payment_schedule_amount }),
    ...(first !== undefined && { first_recurring_date: first }),
  };
}
