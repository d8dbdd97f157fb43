import { isFinal } from '@railyard/core/payment';
import { isOpen, liveOf } from '../../payments/status.ts';
import { endOverdue } from '../../payments/lookups.ts';
import type { PageDeps } from '../deps.ts';
import { type OpenSession, readStoredSession } from '../../sessions/session.ts';
import { asAttempted } from '../../sessions/payer-input.ts';
import type { FlowRun, Payment } from '../../storage/index.ts';

/** A session as its page's address leads to it. */
export interface LoadedSession {
  readonly token: string;
  readonly session: OpenSession;
  /** The attempt that the payer sees. */
  readonly payment: Payment | undefined;
  /** Every attempt, newest first. */
  readonly attempts: readonly Payment[];
  readonly runs: readonly FlowRun[];
  /** From this process's cache, so it may be out of date: it may start a payment and is never shown. */
  readonly isCached?: true;
}

/** The session of a page token, with its newest attempt. An unknown token is like none. */
export async function loadSession(context: PageDeps, token: string): Promise<LoadedSession | undefined> {
  const stored = await context.stores.sessions.findByTokenHash(context.pageTokens.hash(token));
  if (stored?.payerPresence !== 'page') return undefined;
  const attempts = stored.livePaymentId === null ? [] : await context.stores.payments.ofSession(stored.id);
  const payment = liveOf(attempts, stored.paidPaymentId);
  const runs = payment === undefined ? [] : await context.stores.runs.ofPayment(payment.id);
  return { token, session: asAttempted(readStoredSession(context, stored), payment), payment, attempts, runs };
}

/**
 * The attempt whose visit the payer comes back from, with the run that waits there. It is not the one that the page shows where a code
 * beside it was paid meanwhile.
 */
export async function visitOf(
  { stores }: Pick<PageDeps, 'stores'>,
  attempts: readonly Payment[],
): Promise<{ readonly payment: Payment; readonly run: FlowRun; readonly step: string } | undefined> {
  for (const payment of attempts.filter(isOpen)) {
    const run = (await stores.runs.ofPayment(payment.id)).find(({ state }) => state === 'suspended');
    if (run?.suspendedStep != null) return { payment, run, step: run.suspendedStep };
  }
  return undefined;
}

/** The session of a page token, to begin an attempt: from the memory of this process, else from the database. */
export async function sessionToPay(context: PageDeps, token: string): Promise<LoadedSession | undefined> {
  const stored = context.stores.sessions.takeCached(context.pageTokens.hash(token));
  if (stored === undefined) return loadSession(context, token);
  return {
    token,
    session: readStoredSession(context, stored),
    payment: undefined,
    attempts: [],
    runs: [],
    isCached: true,
  };
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
  // Another request may have been faster; the page shows its payment.
  return (await loadSession(context, loaded.token)) ?? loaded;
}

/** More than one attempt can change, so that a later attempt's version is always greater, and more than the steps of a run that has ended. */
const OF_ATTEMPT = 1_000_000;
const OF_END = 10_000;

/** Grows with each change that the payer could see: of the attempts, the payment, the flow's questions, and the session's end. */
export function versionOf(
  { session: { stored }, attempts, runs }: Pick<LoadedSession, 'session' | 'attempts' | 'runs'>,
  now: number,
): number {
  const steps = runs.map((run) => run.leaseEpoch * 2 + (run.state === 'suspended' ? 1 : 0));
  const ends = [stored.state !== 'open', stored.expiresAt.getTime() <= now].filter(Boolean).length;
  const over = attempts.filter(({ state }) => isFinal(state)).length;
  const changes = [...attempts.map(({ version }) => version), ...steps].reduce((sum, each) => sum + each, 0);
  return stored.attempts * OF_ATTEMPT + over * OF_END + changes + ends;
}

/** Whether nothing more will happen by itself. */
export function isOver({ payment }: Pick<LoadedSession, 'payment'>): boolean {
  return payment !== undefined && isFinal(payment.state);
}
