import { isFinal } from '@railyard/core/payment';
import { endOverdue } from '../../payments/lookups/turn-back.ts';
import type { PageDeps } from './deps.ts';
import { type OpenSession, readStoredSession } from '../../sessions/open-session.ts';
import { asAttempted } from '../../sessions/payer-amount.ts';
import type { FlowRun, Payment } from '../../storage/index.ts';

/** A session as its page's address leads to it. */
export interface LoadedSession {
  readonly token: string;
  readonly session: OpenSession;
  readonly payment: Payment | undefined;
  readonly runs: readonly FlowRun[];
  /** It was not read for this request and may be out of date: nothing of it is shown. */
  readonly isInHand?: true;
}

/** The session of a page token, with its newest attempt. An unknown token is like none. */
export async function loadSession(context: PageDeps, token: string): Promise<LoadedSession | undefined> {
  const stored = await context.stores.sessions.findByTokenHash(context.pageTokens.hash(token));
  if (stored?.payerPresence !== 'page') return undefined;
  const payment = stored.livePaymentId === null ? undefined : await context.stores.payments.liveOf(stored.id);
  const runs = payment === undefined ? [] : await context.stores.runs.ofPayment(payment.id);
  return { token, session: asAttempted(readStoredSession(context, stored), payment), payment, runs };
}

/** The session of a page token to begin an attempt of, as this process has it in hand, or else as it is read. */
export async function sessionToPay(context: PageDeps, token: string): Promise<LoadedSession | undefined> {
  const stored = context.stores.sessions.takeInHand(context.pageTokens.hash(token));
  if (stored === undefined) return loadSession(context, token);
  return { token, session: readStoredSession(context, stored), payment: undefined, runs: [], isInHand: true };
}

/**
 * The session as it stands once its time has been looked at. One whose time is over is ended before its payer learns it, and with it an
 * attempt that moves nothing unless the payer goes on: either a provider is asked or `expiry_url` is reached, never both.
 */
export async function upToDate(context: PageDeps, loaded: LoadedSession): Promise<LoadedSession> {
  const { stored } = loaded.session;
  if (stored.state !== 'open' || stored.expiresAt.getTime() > context.now()) return loaded;
  const { payment, runs } = loaded;
  if (payment !== undefined) await endOverdue(context, payment, runs);
  await context.stores.sessions.expire(stored.id);
  // Another request may have been faster, and that is what is shown.
  return (await loadSession(context, loaded.token)) ?? loaded;
}

/** More than one attempt can change, so that a later attempt's version is always greater. */
const OF_ATTEMPT = 1_000_000;

/** Grows with whatever the payer could see change: the attempts, the payment, the flow's questions, and the session's end. */
export function versionOf(
  { session: { stored }, payment, runs }: Pick<LoadedSession, 'session' | 'payment' | 'runs'>,
  now: number,
): number {
  const steps = runs.map((run) => run.leaseEpoch * 2 + (run.state === 'suspended' ? 1 : 0));
  const ends = [stored.state !== 'open', stored.expiresAt.getTime() <= now].filter(Boolean).length;
  const ofAttempt = (payment?.version ?? 0) + steps.reduce((sum, each) => sum + each, 0);
  return stored.attempts * OF_ATTEMPT + ofAttempt + ends;
}

/** Whether nothing more will happen by itself. */
export function isOver({ payment }: Pick<LoadedSession, 'payment'>): boolean {
  return payment !== undefined && isFinal(payment.state);
}
