import type { Route } from '../../merchants/directory.ts';
import { sealedAt, sealJson } from '../../secrets/index.ts';
import type { AttemptDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import { isOneTime } from '../../sessions/payer-consent.ts';
import type { NewPayment } from '../../storage/index.ts';
import { awaitsConfirmation } from './confirmation.ts';
import { newRecurringToken } from '../state/mandate.ts';
import { LEASE_MS } from './lease.ts';

interface NewRun {
  readonly id: string;
  readonly runId: string;
  readonly input: unknown;
  readonly ip: string | null;
  /** `later`: it waits for its merchant's word before anything is sent. */
  readonly confirmed?: 'already' | 'later' | undefined;
  /** See `NewPayment`. */
  readonly beside?: boolean | undefined;
}

/** A payment of a session at one account, with the run of its operation, as it is begun. */
export function newAttempt(
  context: AttemptDeps,
  { stored, request }: OpenSession,
  { key, mid, method }: Route,
  { id, runId, input, ip, confirmed = 'already', beside = false }: NewRun,
): NewPayment {
  const { amount, order } = request;
  const recurringToken = isOneTime(request) ? undefined : newRecurringToken(context, mid, method.key, id);
  return {
    id,
    sessionId: stored.id,
    merchantReference: context.newId(),
    method: method.key,
    methodAlias: key,
    connectorId: mid.connector.id,
    connectorVersion: mid.connector.version,
    midId: mid.id,
    payerIp: ip,
    beside,
    amount:
      amount === 'payer'
        ? { open: true, text: order.amount ?? null, currency: order.currency }
        : { open: false, text: amount.text, minor: amount.minor, currency: amount.currency },
    ...(recurringToken !== undefined && { recurringToken }),
    run: {
      runId,
      input: sealJson(context.sealer, input, sealedAt.runInput(runId)),
      owner: context.owner,
      leaseMs: LEASE_MS,
      ...(confirmed === 'later' && { waitsAt: awaitsConfirmation(context, runId) }),
    },
  };
}
