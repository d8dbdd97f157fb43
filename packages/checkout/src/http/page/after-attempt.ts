import type { Route } from '../../merchants/directory.ts';
import { TECHNICAL_ERROR } from '../../payments/state/technical-error.ts';
import { TURNED_BACK } from '../../payments/lookups/turn-back.ts';
import type { PageDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { Payment } from '../../storage/index.ts';
import { continuing, timeIsUp } from './continuing.ts';
import type { FailedAttempt, PageMethod, PageState } from '../../page/model.ts';
import type { PageFacts } from './page-facts.ts';

export const methodOf = (route: Route): PageMethod => ({ key: route.key, title: route.method.title });

/** Why the last attempt brought nothing, and how often it may be tried again. */
export function failureOf({ merchant }: OpenSession, { reason, payerTry }: Payment): FailedAttempt {
  const attemptsLeft = Math.max(0, merchant.config.maxDeclines - payerTry);
  return { reason: reason ?? '', attemptsLeft, ...(reason === TURNED_BACK && { stopped: true }) };
}

/** After an attempt that brought nothing, as long as the payer has not asked for another. */
export function afterAttempt(context: PageDeps, { session, runs }: PageFacts, payment: Payment): PageState {
  const { stored, request, routes } = session;
  const { reason, attemptsLeft, stopped } = failureOf(session, payment);
  const usedUp = stored.state === 'cancelled' && attemptsLeft === 0;
  if (stored.state === 'cancelled' && (!usedUp || stopped === true))
    return { kind: 'cancelled', ...continuing(request.cancel_url, session, payment) };
  const open = stored.state === 'open';
  if (!open && !usedUp && timeIsUp(context, session)) return late(session, payment, reason);
  const others = open ? routes.map(methodOf) : [];
  if (reason === TECHNICAL_ERROR && payment.declineKind === 'hard' && runs.every(({ state }) => state === 'finished'))
    return {
      kind: 'error',
      nothingCharged: true,
      others,
      ...continuing(request.error_url ?? (usedUp ? request.cancel_url : undefined), session, payment),
    };
  return {
    kind: 'declined',
    reason,
    mayRetry: open,
    ...(open && { attemptsLeft, others: others.filter(({ key }) => key !== payment.methodAlias) }),
    ...(others.some(({ key }) => key === payment.methodAlias) && { method: payment.methodAlias }),
    usedUp,
    ...continuing(request.cancel_url, session, payment),
  };
}

/** A code that expired with its session was not refused: the payer was too late, and what was refused before is said beside it. */
function late(session: OpenSession, payment: Payment, reason: string): PageState {
  const before = payment.state === 'declined' && payment.updatedAt.getTime() < session.stored.expiresAt.getTime();
  return {
    kind: 'expired',
    ...continuing(session.request.expiry_url, session, payment),
    ...(before && { reason }),
  };
}
