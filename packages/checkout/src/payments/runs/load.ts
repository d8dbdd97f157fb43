import { inOneLine, money, type LookedUpPayment, type Method, type Money, type PaymentCard } from '@railyard/core';
import { CardHandle, type RecurringPayment } from '@railyard/core/driver';
import { paymentInput, type FlowName, type Host, type Run } from '@railyard/runtime';
import * as z from 'zod';
import { openJson, sealedAt } from '../../secrets/index.ts';
import type { AttemptDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/session.ts';
import { fromJsonText, type Payment } from '../../storage/index.ts';
import { amountOf, openRunInput, type KnownWithSession } from '../payment.ts';
import { sessionOf } from '../change/apply.ts';
import { withoutTrailingSlashes, type SessionRequest } from '@railyard/core/protocol';
import type { Resolved } from '@railyard/core/registry';
import type { LogLine } from '../../log/log.ts';
import type { Mid } from '../../merchants/directory.ts';
import { plainLatin } from '../../rules/browser/latin.js';
import { asAttempted, isOneTime, withConsent } from '../../sessions/payer-input.ts';
import type { CardsOfPayment } from '../../cards/paid-with.ts';
import { isNetworkToken, paymentWallet } from '../../cards/wallet.ts';
import { MODIFICATION_NAMES, MODIFICATIONS, type ModificationName } from '@railyard/core/payment';

/** The parts of the deployment that a payment belongs to. */
export interface MerchantAccount {
  readonly method: Method;
  readonly mid: Mid;
}

/** @throws Error when the deployment no longer has the payment's method or MID. */
export function accountOf(context: AttemptDeps, payment: Payment): MerchantAccount {
  const mid = context.directory.mid(payment.midId);
  const method = context.directory.registry.find(payment.method);
  if (mid === undefined || method === undefined || mid.connector.id !== payment.connectorId)
    throw new Error(
      `Payment ${payment.id}: its MID "${payment.midId}" or method "${payment.method}" is no longer configured.`,
    );
  return { method, mid };
}

/** Logs each call of a payment's provider with the payment, as a merchant or a provider may name it. */
export const callLog =
  (logCall: (line: LogLine) => void, { id, merchantKey, orderNumber, midId }: Payment): NonNullable<Host['log']> =>
  (line) =>
    logCall({ ...line, payment: id, merchant: merchantKey, order: orderNumber, mid: midId });

/** The run of a payment's operation, the same on every drive. */
export function operationRun(
  context: AttemptDeps,
  payment: Payment,
  session: OpenSession,
  stored: { readonly runId: string; readonly startedAt: Date; readonly inputText: string },
  cards?: CardsOfPayment,
): Run {
  const account = accountOf(context, payment);
  const opened = openRunInput(context, stored);
  const { variant, parameters, needed, browser, answers = {}, wallet, withoutCode } = opened;
  const resolved: Resolved = { variant, parameters, needed, origins: {}, warnings: [] };
  const { request } = withConsent(asAttempted(session, payment), answers);
  const input = paymentInput({
    session: withPayee(request, cards),
    resolved,
    id: payment.id,
    merchantReference: payment.merchantReference,
    test: session.stored.test,
    cardOnFile: account.mid.config.cardOnFile && !isOneTime(request),
    payerPresent: session.command?.payerPresent,
    // A provider that opens tokens itself is not given the card as well.
    ...(cards && wallet?.flow !== 'forwarded' && { card: withoutCode ? codeless(cards.card) : cards.card }),
    ...(wallet && { wallet: paymentWallet(payment, wallet) }),
    ...((opened.authentication || isNetworkToken(payment, wallet)) && {
      authentication: { ...opened.authentication, cryptogram: new CardHandle('cryptogram') },
    }),
    ...(cards?.payeeCard && { payeeCard: cards.payeeCard }),
    client: { ...(payment.payerIp !== null && { ip: payment.payerIp }), ...browser },
  });
  return runOf(context, account, stored, payment.operation, session, { payment: input });
}

const codeless = ({ cvv: _cvv, ...card }: PaymentCard): PaymentCard => card;

/** A payout to a saved card goes to the name on it, unless the request has one (protocol: Credit with a saved token). */
function withPayee(request: SessionRequest, cards: CardsOfPayment | undefined): SessionRequest {
  if (request.operation !== 'credit' || request.payee !== undefined || cards === undefined) return request;
  return { ...request, payee: { name: plainLatin(cards.card.holder) } };
}

/** A run of a modification on a payment. */
export function followUpRun(
  context: AttemptDeps,
  payment: Payment,
  session: OpenSession,
  flow: FlowName,
  stored: { readonly runId: string; readonly startedAt: Date },
  reference = payment.providerReference,
  more: object = {},
): Run {
  return runOf(context, accountOf(context, payment), stored, flow, session, {
    payment: original(payment, session, reference),
    ...more,
  });
}

/** A payment as a modification on it, or a later charge of its mandate, sees it. */
export function original(payment: Payment, session: OpenSession, reference: string | null): LookedUpPayment {
  const { auth, order, customer, billing_address, payee, payee_billing_address }: SessionRequest = session.request;
  return {
    id: payment.id,
    auth,
    merchantReference: payment.merchantReference,
    operation: payment.operation,
    order: { number: order.number, currency: order.currency, description: inOneLine(order.description) },
    ...(customer && { customer }),
    ...(billing_address && { billing_address }),
    ...(payee && { payee }),
    ...(payee_billing_address && { payee_billing_address }),
    test: session.stored.test,
    amount: amountOf(payment),
    ...(reference !== null && { providerReference: reference }),
    connectorState: payment.connectorState,
  };
}

export function runOf(
  context: AttemptDeps,
  { method, mid }: MerchantAccount,
  stored: { readonly runId: string; readonly startedAt: Date },
  flow: FlowName,
  session: OpenSession,
  extra: object,
): Run {
  const base = withoutTrailingSlashes(context.config.publicUrl);
  return {
    id: stored.runId,
    connector: mid.connector,
    method,
    flow,
    settings: mid.settings,
    mid: mid.id,
    context: {
      ...extra,
      settings: mid.settings,
      now: stored.startedAt.toISOString(),
      urls: {
        notify: `${base}/notify/${mid.id}`,
        // Made where a flow uses it: most send the payer nowhere.
        get return() {
          return `${base}/auth/${context.pageTokens.of(session.stored.id)}/back`;
        },
      },
    },
  };
}

const valuesSchema = z.record(z.string(), z.string());

const inputSchema = z.object({
  reference: z.string().nullable(),
  agreement: valuesSchema,
  connectorState: valuesSchema,
});

/** The part of the first payment that the run of a charge stores, so that it is the same on every drive. */
export const mandateChargeInput = ({
  providerReference,
  agreement,
  connectorState,
}: Payment): z.input<typeof inputSchema> => ({
  reference: providerReference,
  agreement: { ...agreement },
  connectorState: { ...connectorState },
});

/** The run of a later charge of a mandate. */
export async function mandateChargeRun(
  context: AttemptDeps,
  { payment, session, first: held }: KnownWithSession,
  stored: { readonly runId: string; readonly startedAt: Date; readonly inputText: string },
): Promise<Run> {
  const { payment: first, session: firstSession } = held ?? (await firstRows(context, payment));
  const sealed = fromJsonText(stored.inputText);
  const { reference, agreement, connectorState } = inputSchema.parse(
    openJson(context.sealer, sealed, sealedAt.runInput(stored.runId)),
  );
  const extra = {
    payment: chargedAgain(payment, session),
    initial: { ...original({ ...first, connectorState }, firstSession, reference), agreement },
  };
  return runOf(context, accountOf(context, payment), stored, 'recurring', session, extra);
}

async function firstRows(context: AttemptDeps, { id, mandateId }: Payment): Promise<KnownWithSession> {
  const payment = mandateId === null ? undefined : await context.stores.payments.find(mandateId);
  if (payment === undefined) throw new Error(`The charge ${id} belongs to no mandate.`);
  return { payment, session: await sessionOf(context, payment) };
}

function chargedAgain(payment: Payment, { request, stored }: OpenSession): RecurringPayment {
  const { order, customer, billing_address, amount } = request;
  if (amount === 'payer') throw new Error(`The charge ${payment.id} has no amount.`);
  return {
    id: payment.id,
    merchantReference: payment.merchantReference,
    operation: payment.operation,
    amount,
    auth: request.auth,
    order: { number: order.number, currency: order.currency, description: inOneLine(order.description) },
    ...(customer && { customer }),
    ...(billing_address && { billing_address }),
    test: stored.test,
  };
}

const inputSchemaModificationRun = z.object({
  kind: z.enum(MODIFICATION_NAMES),
  amount: z.string(),
  remaining: z.string(),
  currency: z.string(),
  reference: z.string().nullable(),
  connectorState: z.record(z.string(), z.string()),
});

/** The input that the run of a modification stores at its beginning, so that it is the same on every drive. */
export function modificationInput(
  payment: Payment,
  kind: ModificationName,
  amount: Money,
  remaining: Money,
): z.input<typeof inputSchemaModificationRun> {
  return {
    kind,
    amount: amount.text,
    remaining: remaining.text,
    currency: amount.currency,
    reference: payment.providerReference,
    connectorState: { ...payment.connectorState },
  };
}

/** A modification of the whole takes back the amount that is there, which may be less than the payment's. */
export const asTakenBack = (payment: Payment, kind: ModificationName, amountText: string): Payment =>
  MODIFICATIONS[kind].amount === 'whole' && !payment.amountOpen ? { ...payment, amountText } : payment;

/** The run of a modification. */
export function modificationRun(
  context: AttemptDeps,
  payment: Payment,
  session: OpenSession,
  stored: { readonly runId: string; readonly startedAt: Date; readonly inputText: string },
): Run {
  const { kind, amount, remaining, currency, reference, connectorState } = inputSchemaModificationRun.parse(
    openJson(context.sealer, fromJsonText(stored.inputText), sealedAt.runInput(stored.runId)),
  );
  const rule = MODIFICATIONS[kind];
  const more =
    rule.amount === 'whole'
      ? { id: stored.runId, held: rule.effect === 'lets-go' }
      : { id: stored.runId, amount: money(amount, currency), remaining: money(remaining, currency) };
  return followUpRun(
    context,
    { ...asTakenBack(payment, kind, amount), connectorState },
    session,
    rule.flow,
    stored,
    reference,
    more,
  );
}
