import { setTimeout as sleep } from 'node:timers/promises';
import { TEXTS } from '@railyard/core';
import { type Issue, issue, type SessionRequest } from '@railyard/core/protocol';
import type { Merchant } from '../../merchants/directory.ts';
import type { OperationDeps } from './deps.ts';
import { type OpenSession, usableRoutes } from '../../sessions/open-session.ts';
import { takesCard } from '../../cards/card-requirements.ts';
import { type PreparedPayout, type StoredPayout, storePayout } from './payout.ts';
import { resolveFor } from '../attempt/resolve-for.ts';
import type { RunResult } from '../runs/execute-run.ts';
import type { AnsweredPayment } from '../state/held-rows.ts';
import { runInput } from '../state/run-input.ts';

/** Finds the account that pays out by the requested method, and checks that its input is complete: no payer can be asked. */
export function prepareAccountPayout(
  context: OperationDeps,
  merchant: Merchant,
  request: SessionRequest,
): PreparedPayout | { readonly ok: false; readonly issues: readonly Issue[] } {
  const route = usableRoutes(context, merchant, request).find(
    (each) => !takesCard(context, { request, merchant }, each),
  );
  if (route === undefined) return { ok: false, issues: [issue('methods', TEXTS.choice)] };
  const { value, issues } = resolveFor(context, { request, merchant }, route, { answers: {} }, undefined);
  if (value === undefined || issues.length > 0) return { ok: false, issues };
  return { ok: true, route, attempt: { input: runInput(value), entry: undefined, saved: undefined } };
}

/**
 * Stores the payout and executes it; waits no longer than `commandWaitSeconds`. Whatever goes wrong once it is stored, it takes place or is
 * found out about: an error would have the merchant ask again, and the money move twice.
 *
 * @returns the payment as its run left it, or undefined where its session has ended
 */
export async function startWithin(
  context: OperationDeps,
  session: OpenSession,
  prepared: PreparedPayout,
  ip: string | undefined,
): Promise<AnsweredPayment | undefined> {
  return executedWithin(context, session, await storePayout(context, session, prepared, ip));
}

/** Executes the stored payment of a session; waits no longer than `commandWaitSeconds`. */
export async function executedWithin(
  context: OperationDeps,
  session: OpenSession,
  stored: StoredPayout | undefined,
): Promise<AnsweredPayment | undefined> {
  const find = async () => {
    const payment = await context.stores.payments.find(session.stored.id).catch(() => undefined);
    return payment && { payment };
  };
  if (stored === undefined) return find();
  const result = await withinWait(context, stored.execute());
  if (result?.kind === 'moved' && result.executed !== undefined) return result.executed;
  return (await find()) ?? { payment: stored.payment };
}

/** Waits for work that goes on by itself afterwards. @returns its result where it came in time */
async function withinWait(
  { config }: OperationDeps,
  work: Promise<RunResult | undefined>,
): Promise<RunResult | undefined> {
  const over = new AbortController();
  const wait = sleep(config.commandWaitSeconds * 1000, undefined, { signal: over.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, wait]);
  } finally {
    over.abort();
  }
}
