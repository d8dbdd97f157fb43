import {
  refusedAnswer,
  validationAnswer,
  type Answer,
  type ErrorBody,
  type SessionRequest,
  type ValidationBody,
} from '@railyard/core/protocol';
import { breach, scopeOf } from '@railyard/core/registry';
import type { ScheduleEcho } from '../callbacks/field-schemas.ts';
import type { Merchant } from '../merchants/directory.ts';
import type { OperationDeps } from './runs/deps.ts';
import {
  beginDurably,
  startedOf,
  type MerchantScope,
  type NewMandateCharge,
  type NewPayment,
  type Payment,
  type StartedPayment,
} from '../storage/index.ts';
import { sealJson, sealedAt } from '../secrets/index.ts';
import type { OpenSession } from '../sessions/session.ts';
import { hasMandate, mandateTokens, stateOf, type KnownWithSession, type MandateTokens } from './payment.ts';
import { accountOf, mandateChargeInput } from './runs/load.ts';
import { executeStarted, executeStored } from './runs/execute.ts';
import { LEASE_MS } from './runs/lease.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import { sessionOf } from './change/apply.ts';
import { firstRecurringDate, scheduleSource } from './change/callbacks.ts';

/** The input of a charge. */
export interface MandateCharge {
  /** The id of its payment. */
  readonly id: string;
  /** The first payment of the mandate. */
  readonly first: KnownWithSession;
  /** The charge that is tried again. */
  readonly retries?: Payment;
}

/**
 * Charges a mandate again: stores the intent, and only then executes the flow.
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

/**
 * Why a mandate is not charged, or a charge of it not tried again: its account must still be the merchant's, and take the amount.
 *
 * @param first the first payment of the mandate
 * @param request the charge's request
 */
export function whyNotChargeable(
  { directory }: OperationDeps,
  { profile: { methods } }: Merchant,
  first: Payment,
  request: SessionRequest,
): Answer<ValidationBody | ErrorBody> | undefined {
  const methodConfigs = Object.values(methods).flatMap((entry) => [entry, ...(entry.more ?? [])]);
  const profile = methodConfigs.find(({ mid, method }) => mid === first.midId && method === first.method);
  const method = directory.registry.find(first.method);
  const mid = directory.mid(first.midId);
  const isSameConnector = mid?.connector.id === first.connectorId;
  // Protocol: MID Payment Mode; other than a first payment, a charge cannot go to another account.
  const holdsNothing = request.auth && mid?.config.mode === 'SMS';
  if (profile === undefined || method === undefined || !isSameConnector || holdsNothing || request.amount === 'payer')
    return refusedAnswer('Payment action not supported.', 204005);
  const issues = breach(method, first.operation, request.amount, scopeOf(request, first.methodAlias), { profile });
  return issues.length === 0 ? undefined : validationAnswer(issues);
}

/** The first payment of the mandate, if both ids are its own and its provider agreed to further charges. */
export async function firstOf(
  context: OperationDeps,
  scope: MerchantScope,
  body: MandateTokens,
): Promise<KnownWithSession | undefined> {
  const first = await context.stores.payments.findByTransaction(scope, body.recurring_init_trans_id.toLowerCase());
  if (first === undefined || first.mandateId !== null) return undefined;
  const session = await sessionOf(context, first);
  if (!hasMandate(context, first, session.request, stateOf(first))) return undefined;
  const tokens = await mandateTokens(context, first);
  const isTheirs = tokens !== undefined && isSame(tokens.recurring_token, body.recurring_token.toLowerCase());
  return isTheirs ? { payment: first, session } : undefined;
}

const digest = (text: string) => createHash('sha256').update(text).digest();
const isSame = (left: string, right: string): boolean => timingSafeEqual(digest(left), digest(right));

/**
 * The schedule of a payment in answers and lookups, once its payer has agreed to later charges (protocol: Response echo).
 *
 * @param mandate the tokens of the mandate; without them nothing is reported
 */
export async function scheduleEcho(
  context: OperationDeps,
  payment: Payment,
  session: OpenSession,
  mandate: MandateTokens | undefined,
): Promise<ScheduleEcho> {
  const { schedule_id, schedule_start_date, payment_schedule_amount } = session.request;
  const next = stateOf(payment);
  if (schedule_id === undefined || mandate === undefined) return {};
  if (!hasMandate(context, payment, session.request, next)) return {};
  const schedule = await scheduleSource(context, payment, session);
  const first = firstRecurringDate(context, payment, { session, mandate, schedule, next, outcome: undefined });
  return {
    schedule_id,
    ...(schedule_start_date !== undefined && { schedule_start_date }),
    ...(payment_schedule_amount !== undefined && { payment_schedule_amount }),
    ...(first !== undefined && { first_recurring_date: first }),
  };
}
