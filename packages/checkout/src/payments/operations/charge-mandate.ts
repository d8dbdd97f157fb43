import { sealedAt, sealJson } from '../../secrets/index.ts';
import type { OperationDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { FirstRows } from '../state/held-rows.ts';
import {
  beginDurably,
  type NewMandateCharge,
  type NewPayment,
  type Payment,
  type StartedPayment,
  startedOf,
} from '../../storage/index.ts';
import { mandateChargeInput } from '../attempt/mandate-charge-run.ts';
import { executeStored } from './execute-stored.ts';
import { executeStarted } from '../runs/execute-run.ts';
import { LEASE_MS } from '../attempt/lease.ts';
import { accountOf } from '../attempt/run-of.ts';

/** The input of a charge. */
export interface MandateCharge {
  /** The id of its payment. */
  readonly id: string;
  /** The first payment of the mandate. */
  readonly first: FirstRows;
  /** The charge that is tried again. */
  readonly retries?: Payment;
}

/**
 * Charges again what the first payment of a mandate agreed to: stores the intent, and only then executes the flow.
 *
 * @returns the charge as it stands, or undefined where one of its session may still bring money
 */
export async function mandateCharge(
  context: OperationDeps,
  session: OpenSession,
  charge: MandateCharge,
): Promise<Payment | undefined> {
  const { payments } = context.stores;
  const started = await chargeStoredBy(context, session, charge, (charged) => payments.insert(charged));
  return started && ((await payments.find(charge.id).catch(() => undefined)) ?? started.payment);
}

/** The same, of a charge that is stored in another way. @param store undefined where it may not begin @returns the charge as it began */
export async function chargeStoredBy(
  context: OperationDeps,
  session: OpenSession,
  charge: MandateCharge,
  store: (charged: NewPayment) => Promise<StartedPayment | undefined>,
): Promise<StartedPayment | undefined> {
  const { payments } = context.stores;
  const charged = chargedBy(context, session, charge);
  const started = await beginDurably(
    () => store(charged),
    async () => {
      const stored = await payments.find(charge.id);
      return stored && startedOf(stored, charged);
    },
  );
  if (started !== undefined)
    await executeStored(context, charge.id, () => executeStarted(context, started, session, charge.first));
  return started;
}

function chargedBy(
  context: OperationDeps,
  session: OpenSession,
  { id, first: { payment: first }, retries }: MandateCharge,
): NewPayment {
  const { amount } = session.request;
  const { mid } = accountOf(context, first);
  if (amount === 'payer') throw new Error('A charge has an amount.');
  const runId = context.newId();
  return {
    id,
    sessionId: session.stored.id,
    merchantReference: context.newId(),
    method: first.method,
    methodAlias: first.methodAlias,
    connectorId: mid.connector.id,
    connectorVersion: mid.connector.version,
    midId: mid.id,
    payerIp: first.payerIp,
    amount: { open: false, text: amount.text, minor: amount.minor, currency: amount.currency },
    mandateCharge: newMandateCharge(first, retries),
    run: {
      runId,
      input: sealJson(context.sealer, mandateChargeInput(first), sealedAt.runInput(runId)),
      owner: context.owner,
      leaseMs: LEASE_MS,
    },
  };
}

function newMandateCharge(
  { id: mandateId, cardId, cardBrand }: Payment,
  retries: Payment | undefined,
): NewMandateCharge {
  if (retries === undefined) return { mandateId, cardId, cardBrand };
  const paymentId = retries.retryOf ?? retries.id;
  return { mandateId, cardId, cardBrand, retries: { paymentId, callbacks: retries.callbacks } };
}
