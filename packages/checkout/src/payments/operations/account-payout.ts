import { setTimeout as sleep } from 'node:timers/promises';
import { TEXTS } from '@railyard/core';
import { type Issue, issue, type SessionRequest } from '@railyard/core/protocol';
import type { Merchant } from '../../merchants/directory.ts';
import type { OperationDeps } from './deps.ts';
import { type OpenSession, usableRoutes } from '../../sessions/open-session.ts';
import type { BegunPayment, Payment } from '../../storage/index.ts';
import { beginAttempt } from './begin.ts';
import { takesCard } from '../../cards/card-asked.ts';
import { driveBegun } from '../runs/drive-run.ts';
import type { PreparedPayout } from './payout.ts';
import { resolveFor } from '../attempt/resolve-for.ts';
import { runInput } from '../attempt/run-of.ts';

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
 * Stores the payout and drives it; waits no longer than `commandWaitSeconds`. Whatever goes wrong once it is stored, it takes place or is
 * found out about: an error would have the merchant ask again, and the money move twice.
 *
 * @returns the payment as it stands, or undefined where its session has ended
 */
export async function payOutWithin(
  context: OperationDeps,
  session: OpenSession,
  { route, attempt }: PreparedPayout,
  ip: string | undefined,
): Promise<Payment | undefined> {
  const { id } = session.stored;
  const find = () => context.stores.payments.find(id).catch(() => undefined);
  let begun: BegunPayment | undefined;
  try {
    begun = await beginAttempt(context, session, route, { ip }, attempt);
  } catch (error) {
    const found = await find();
    if (found === undefined) throw error;
    tellUnclear(context, id, error);
    return found;
  }
  if (begun === undefined) return find();
  await withinWait(context, driveOn(context, begun));
  return (await find()) ?? begun.payment;
}

async function driveOn(context: OperationDeps, begun: BegunPayment): Promise<void> {
  try {
    await driveBegun(context, begun);
  } catch (error) {
    tellUnclear(context, begun.payment.id, error);
  }
}

function tellUnclear({ log }: OperationDeps, payment: string, error: unknown): void {
  log.error({ event: 'charge-unclear', payment, error: error instanceof Error ? error.message : 'unknown' });
}

/** Waits for work that goes on by itself afterwards. */
async function withinWait({ config }: OperationDeps, work: Promise<void>): Promise<void> {
  const over = new AbortController();
  const wait = sleep(config.commandWaitSeconds * 1000, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([work, wait]);
  over.abort();
}
