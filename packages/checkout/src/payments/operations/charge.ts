import { sealedAt, sealJson } from '../../secrets/index.ts';
import type { OperationDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import { DatabaseUnavailableError, type NewCharge, type NewPayment, type Payment } from '../../storage/index.ts';
import { chargeInput } from '../attempt/charge-run.ts';
import { driveRun } from '../runs/drive-run.ts';
import { LEASE_MS } from '../attempt/lease.ts';
import { placeOf } from '../attempt/run-of.ts';

/** The input of a charge. */
export interface Charge {
  /** The id of its payment. */
  readonly id: string;
  /** The first payment of the chain. */
  readonly first: Payment;
  /** The charge that is tried again. */
  readonly retries?: Payment;
}

/**
 * Charges again what the first payment of a chain agreed to: stores the intent, and only then drives the flow.
 *
 * @returns the charge as it stands, or undefined where one of its session may still bring money
 */
export async function charge(
  context: OperationDeps,
  session: OpenSession,
  { id, first, retries }: Charge,
): Promise<Payment | undefined> {
  const { amount } = session.request;
  const { mid } = placeOf(context, first);
  if (amount === 'payer') throw new Error('A charge has an amount.');
  const runId = context.newId();
  const begun = await begin(context, {
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
    charge: chargeOf(first, retries),
    run: {
      runId,
      input: sealJson(context.sealer, chargeInput(first), sealedAt.runInput(runId)),
      owner: context.owner,
      leaseMs: LEASE_MS,
    },
  });
  if (begun === undefined) return undefined;
  return driven(context, begun, runId);
}

function chargeOf({ id: chainId, cardId, cardBrand }: Payment, retries: Payment | undefined): NewCharge {
  if (retries === undefined) return { chainId, cardId, cardBrand };
  const paymentId = retries.retryOf ?? retries.id;
  return { chainId, cardId, cardBrand, retries: { paymentId, callbacks: retries.callbacks } };
}

async function begin({ stores }: OperationDeps, payment: NewPayment): Promise<Payment | undefined> {
  try {
    return (await stores.payments.begin(payment))?.payment;
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError) || error.effect === 'none') throw error;
    // The answer was lost. It was stored if it is there; if not, it may still come, so nothing is done again.
    const found = await stores.payments.find(payment.id).catch(() => undefined);
    if (found === undefined) throw error;
    return found;
  }
}

/** A stored charge takes place: its run is taken over. After an error the merchant would ask again, and money move twice. */
async function driven(context: OperationDeps, begun: Payment, runId: string): Promise<Payment> {
  try {
    const run = await context.stores.runs.find(runId);
    if (run !== undefined) await driveRun(context, run, { runId, owner: context.owner, epoch: 1 });
    return (await context.stores.payments.find(begun.id)) ?? begun;
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown';
    context.log.error({ event: 'charge-unclear', payment: begun.id, error: why });
    return begun;
  }
}
