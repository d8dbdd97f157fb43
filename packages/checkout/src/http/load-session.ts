import { isFinal } from '@railyard/core';
import type { ServiceContext } from '../service-context.ts';
import { type OpenSession, readStoredSession } from '../sessions/open-session.ts';
import { asAttempted } from '../sessions/payer-amount.ts';
import type { FlowRun, Payment } from '../storage/index.ts';

/** A session as its page's address leads to it. */
export interface LoadedSession {
  readonly token: string;
  readonly session: OpenSession;
  readonly payment: Payment | undefined;
  readonly runs: readonly FlowRun[];
}

/** The session of a page token, with its newest attempt. An unknown token is like none. */
export async function loadSession(context: ServiceContext, token: string): Promise<LoadedSession | undefined> {
  const stored = await context.stores.sessions.findByTokenHash(context.pageTokens.hash(token));
  if (stored?.hasPage !== true) return undefined;
  const payment = stored.livePaymentId === null ? undefined : await context.stores.payments.liveOf(stored.id);
  const runs = payment === undefined ? [] : await context.stores.runs.ofPayment(payment.id);
  return { token, session: asAttempted(readStoredSession(context, stored), payment), payment, runs };
}

/** Grows with whatever the payer could see change: the payment, and the flow's questions. */
export function versionOf({ payment, runs }: Pick<LoadedSession, 'payment' | 'runs'>): number {
  const turns = runs.map((run) => run.leaseEpoch * 2 + (run.state === 'suspended' ? 1 : 0));
  return (payment?.version ?? 0) + turns.reduce((sum, each) => sum + each, 0);
}

/** Whether nothing more will happen by itself. */
export function isOver({ payment }: Pick<LoadedSession, 'payment'>): boolean {
  return payment !== undefined && isFinal(payment.state);
}
