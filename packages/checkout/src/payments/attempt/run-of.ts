import { withoutTrailingSlashes } from '@railyard/core/protocol';
import type { LookedUpPayment, Method } from '@railyard/core';
import type { PayerClient } from '@railyard/core/driver';
import type { SessionRequest } from '@railyard/core/protocol';
import type { Resolved } from '@railyard/core/registry';
import { type FlowName, paymentInput, type Run } from '@railyard/runtime';
import * as z from 'zod';
import type { Mid } from '../../merchants/directory.ts';
import { openJson, sealedAt } from '../../secrets/index.ts';
import { plainLatin } from '../../rules/browser/latin.js';
import type { AttemptDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import { asAttempted } from '../../sessions/payer-amount.ts';
import { fromJsonText, type Payment } from '../../storage/index.ts';
import type { CardsOfPayment } from '../../cards/paid-with.ts';
import { amountOf } from '../state/payment-state.ts';

import { paymentWallet } from '../../cards/payment-wallet.ts';
import type { WalletAttempt } from '../../cards/wallet-attempt.ts';

const runInputSchema = z.object({
  variant: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()),
  needed: z.record(z.string(), z.unknown()),
  browser: z
    .object({
      userAgent: z.string().exactOptional(),
      accept: z.string().exactOptional(),
      language: z.string().exactOptional(),
    })
    .exactOptional(),
  answers: z.record(z.string(), z.string()).exactOptional(),
  wallet: z.object({ flow: z.enum(['virtual', 'card', 'forwarded']), eci: z.boolean() }).exactOptional(),
});

/** The payer's input to an attempt, which a request to another account may need. */
interface PayerEntries {
  readonly browser?: Omit<PayerClient, 'ip'>;
  /** The entries, by path; nothing of a card. */
  readonly answers?: Readonly<Record<string, string>>;
}

/** The part of a wallet that a run stores: the input of its flow, and nothing of the token. */
type StoredWallet = Pick<WalletAttempt, 'flow' | 'hasEci'>;

/** The input that a run stores at its beginning: the method's values as they were resolved then, and the payer's input. */
export function runInput(resolved: Resolved, { browser, answers }: PayerEntries = {}, wallet?: StoredWallet): unknown {
  const { variant, parameters, needed } = resolved;
  return {
    ...(variant !== undefined && { variant }),
    parameters,
    needed,
    ...(browser && { browser }),
    ...(answers && { answers }),
    ...(wallet && { wallet: { flow: wallet.flow, eci: wallet.hasEci } }),
  };
}

/** The input of the run of a payment's operation, opened. */
export function openRunInput(
  { sealer }: AttemptDeps,
  { runId, inputText }: { readonly runId: string; readonly inputText: string },
): z.output<typeof runInputSchema> {
  return runInputSchema.parse(openJson(sealer, fromJsonText(inputText), sealedAt.runInput(runId)));
}

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

/** The run of a payment's operation, the same on every drive. */
export function operationRun(
  context: AttemptDeps,
  payment: Payment,
  session: OpenSession,
  stored: { readonly runId: string; readonly startedAt: Date; readonly inputText: string },
  cards?: CardsOfPayment,
): Run {
  const account = accountOf(context, payment);
  const { variant, parameters, needed, browser, wallet } = openRunInput(context, stored);
  const resolved: Resolved = { variant, parameters, needed, origins: {}, warnings: [] };
  const input = paymentInput({
    session: withPayee(asAttempted(session, payment).request, cards),
    resolved,
    id: payment.id,
    merchantReference: payment.merchantReference,
    test: session.stored.test,
    cardOnFile: account.mid.config.cardOnFile,
    // A provider that opens tokens itself is not given the card as well.
    ...(cards && wallet?.flow !== 'forwarded' && { card: cards.card }),
    ...(wallet && { wallet: paymentWallet(payment, wallet) }),
    ...(cards?.payeeCard && { payeeCard: cards.payeeCard }),
    client: { ...(payment.payerIp !== null && { ip: payment.payerIp }), ...browser },
  });
  return runOf(context, account, stored, payment.operation, session, { payment: input });
}

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
  const { order, customer, billing_address, payee, payee_billing_address }: SessionRequest = session.request;
  return {
    id: payment.id,
    merchantReference: payment.merchantReference,
    operation: payment.operation,
    order: { number: order.number, currency: order.currency, description: order.description },
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
        return: `${base}/auth/${context.pageTokens.of(session.stored.id)}/back`,
      },
    },
  };
}
