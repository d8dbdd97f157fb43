import { isDeclineCode } from '@railyard/core/driver';
import type { Route } from '../../merchants/directory.ts';
import { isFailed } from '../../payments/operations/status-body.ts';
import type { PageDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { Payment } from '../../storage/index.ts';
import { continuing, timeIsUp } from './continuing.ts';
import type { Decline, FailedAttempt, PageMethod, PageState } from '../../page/model.ts';
import type { PageFacts } from './page-facts.ts';

export const methodOf = (route: Route): PageMethod => ({ key: route.key, title: route.method.title });

/** A payment from before there were codes, or whose code a later version wrote, has its reason alone. */
const declineOf = ({ declineCode, reason }: Payment): Decline => ({
  reason: reason ?? '',
  ...(declineCode !== null && isDeclineCode(declineCode) && { code: declineCode }),
});

/** Whether the payer ended the attempt: nothing was refused. */
export const isStopped = ({ declineCode }: Payment): boolean => declineCode === 'stopped_by_payer';

/** Why the last attempt brought nothing, and how often it may be tried again. */
export function failureOf({ merchant }: OpenSession, payment: Payment): FailedAttempt {
  return { decline: declineOf(payment), attemptsLeft: Math.max(0, merchant.config.maxDeclines - payment.payerTry) };
}

/** The failure of the newest attempt. */
export function lastFailure({ session, attempts }: Pick<PageFacts, 'session' | 'attempts'>): FailedAttempt | undefined {
  const [newest] = attempts;
  return newest !== undefined && isFailed(newest) ? failureOf(session, newest) : undefined;
}

/** After an attempt that brought nothing, as long as the payer has not asked for another. */
export function afterAttempt(context: PageDeps, { session, runs }: PageFacts, payment: Payment): PageState {
  const { stored, request, routes } = session;
  const { decline, attemptsLeft } = failureOf(session, payment);
  const usedUp = stored.state === 'cancelled' && attemptsLeft === 0;
  if (stored.state === 'cancelled' && (!usedUp || isStopped(payment)))
    return { kind: 'cancelled', ...continuing(request.cancel_url, session, payment) };
  const open = stored.state === 'open';
  if (!open && !usedUp && timeIsUp(context, session)) return late(session, payment, decline);
  const others = open ? routes.map(methodOf) : [];
  if (
    decline.code === 'technical_error' &&
    payment.declineKind === 'hard' &&
    runs.every(({ state }) => state === 'finished')
  )
    return {
      kind: 'error',
      nothingCharged: true,
      others,
      ...continuing(request.error_url ?? (usedUp ? request.cancel_url : undefined), session, payment),
    };
  return {
    kind: 'declined',
    decline,
    mayRetry: open,
    ...(open && { attemptsLeft, others: others.filter(({ key }) => key !== payment.methodAlias) }),
    ...(others.some(({ key }) => key === payment.methodAlias) && { method: payment.methodAlias }),
    usedUp,
    ...continuing(request.cancel_url, session, payment),
  };
}

/** A code that expired with its session was not refused: the payer was too late, and what was refused before is said beside it. */
function late(session: OpenSession, payment: Payment, decline: Decline): PageState {
  const before = payment.state === 'declined' && payment.updatedAt.getTime() < session.stored.expiresAt.getTime();
  return {
    kind: 'expired',
    ...continuing(session.request.expiry_url, session, payment),
    ...(before && { decline }),
  };
}
