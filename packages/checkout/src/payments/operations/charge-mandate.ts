import { sealedAt, sealJson } from '../../secrets/index.ts';
import type { OperationDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import { beginDurably, type NewMandateCharge, type NewPayment, type Payment, startedOf } from '../../storage/index.ts';
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
  readonly first: Payment;
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
  { id, first, retries }: MandateCharge,
): Promise<Payment | undefined> {
  const { amount } = session.request;
  const { mid } = accountOf(context, first);
  if (amount === 'payer') throw new Error('A charge has an amount.');
  const runId = context.newId();
  const charged: NewPayment = {
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
  const { payments } = context.stores;
  const started = await beginDurably(
    () => payments.insert(charged),
    async () => {
      const stored = await payments.find(id);
      return stored && startedOf(stored, charged);
    },
  );
  if (started === undefined) return undefined;
  await executeStored(context, id, () => executeStarted(context, started, session));
  return (await payments.find(id).catch(() => undefined)) ?? started.payment;
}

function newMandateCharge(
  { id: mandateId, cardId, cardBrand }: Payment,
  retries: Payment | undefined,
): NewMandateCharge {
  if (retries === undefined) return { mandateId, cardId, cardBrand };
  const paymentId = retries.retryOf ?? retries.id;
  return { mandateId, cardId, cardBrand, retries: { paymentId, callbacks: retries.callbacks } };
}
