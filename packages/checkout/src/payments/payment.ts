import { money, moneyOfMinor, type Money, type Outcome, type Show } from '@railyard/core';
import type { AuthenticationValues, PaymentState } from '@railyard/core/payment';
import { fromJsonText, type FlowRun, type Payment, type StoredCard } from '../storage/index.ts';
import type { SessionRequest } from '@railyard/core/protocol';
import { openJson, sealedAt, type Sealer } from '../secrets/index.ts';
import type { PaymentStateDeps } from './deps.ts';
import type { Mid } from '../merchants/directory.ts';
import { readPayerBrowser, type PayerBrowser } from '@railyard/core/driver';
import type { Resolved } from '@railyard/core/registry';
import * as z from 'zod';
import type { WalletAttempt } from '../cards/wallet.ts';
import type { NextAction } from '@railyard/runtime';
import { authenticationSchema, type OpenSession } from '../sessions/session.ts';

/**
 * A payment that a caller has just read or written, with what else it knows of it, so that nothing is read again. It may be out of date: the
 * database applies a change only to the version that it was decided on. Otherwise the service decides again on fresh rows.
 */
export interface Known {
  readonly payment: Payment;
  /** The session as it is stored. Default: it is read again. */
  readonly session?: OpenSession | undefined;
  /** The card with which it was paid. Default: it is read again. */
  readonly card?: StoredCard | undefined;
  /** Of a later charge: the first payment of its mandate. */
  readonly first?: KnownWithSession | undefined;
  /** The payer's action that the payment waits for. Where it is absent, the payment's runs are read. */
  readonly waitsFor?: NextAction | 'nothing';
}

export interface KnownWithSession extends Known {
  readonly session: OpenSession;
}

/** The fields with which a merchant requests later charges of a mandate (protocol: recurring_token, recurring_init_trans_id). */
export interface MandateTokens {
  readonly recurring_init_trans_id: string;
  readonly recurring_token: string;
}

/** The sealed token of a payment whose connector can charge again; whether it did agree to that, its outcome says. */
export function newRecurringToken(
  { sealer, newId }: PaymentStateDeps,
  { connector }: Mid,
  methodKey: string,
  paymentId: string,
): string | undefined {
  const flows = connector.serves.find(({ method }) => method.key === methodKey)?.flows;
  return flows?.recurring === undefined ? undefined : sealer.seal(newId(), sealedAt.recurringToken(paymentId));
}

/** The tokens of the mandate that a payment began or belongs to. @param held its first payment, which the caller has just read */
export async function mandateTokens(
  { stores, sealer }: Pick<PaymentStateDeps, 'stores' | 'sealer'>,
  payment: Payment,
  held?: Payment,
): Promise<MandateTokens | undefined> {
  const first = payment.mandateId === null ? payment : (held ?? (await stores.payments.find(payment.mandateId)));
  if (first?.recurringToken == null) return undefined;
  const recurring_token = sealer.open(first.recurringToken, sealedAt.recurringToken(first.id));
  return { recurring_init_trans_id: first.merchantReference, recurring_token };
}

/**
 * Whether the merchant receives the tokens of a mandate: with every later charge, and with a first payment once it is settled, if the
 * merchant asked for a mandate or the account has Card-on-File (protocol: recurring_init; card_on_file_support), and its provider gave what
 * later charges need: its agreement.
 */
export function hasMandate(
  { directory }: Pick<PaymentStateDeps, 'directory'>,
  payment: Payment,
  { recurring_init }: Pick<SessionRequest, 'recurring_init'>,
  next: Pick<PaymentState, 'received'>,
  outcome?: Outcome,
): boolean {
  if (payment.mandateId !== null) return true;
  const isOnFile = directory.mid(payment.midId)?.config.cardOnFile === true;
  if (!recurring_init && !isOnFile) return false;
  return next.received !== undefined && Object.keys({ ...payment.agreement, ...outcome?.agreement }).length > 0;
}

/** The id by which the merchant knows a payment: the first try's. */
export const publicId = ({ id, retryOf }: Pick<Payment, 'id' | 'retryOf'>): string => retryOf ?? id;

/** The kind of a payment in its callbacks. */
export const kindOf = ({ mandateId, operation }: Pick<Payment, 'mandateId' | 'operation'>) =>
  mandateId === null ? operation : 'recurring';

/** The part of a stored payment that decides about its next step. */
export function stateOf(payment: Payment): PaymentState {
  return {
    state: payment.state,
    unknown: payment.unknown,
    amount: amountOf(payment),
    currency: payment.currency,
    held: heldOf(payment),
    received: moneyOf(payment),
    refunded: sumOf(payment, payment.refundedMinor),
    reserved: sumOf(payment, payment.reservedMinor),
    modifying: payment.modifying ?? undefined,
    aside: payment.asideText !== null,
    current: payment.providerReference ?? undefined,
    decidedBy: payment.decidedBy ?? undefined,
    facts: payment.facts,
  };
}

export function amountOf(payment: Payment): Money | 'payer' {
  return payment.amountOpen || payment.amountText === null ? 'payer' : money(payment.amountText, payment.currency);
}

/** The amount received so far. */
export function moneyOf({ received }: Pick<Payment, 'received'>): Money | undefined {
  return received === null ? undefined : money(received.text, received.currency);
}

/** A card can be checked with a hold of zero. */
function heldOf({ state, authorizedMinor, currency }: Payment): Money | undefined {
  return authorizedMinor > 0n || state === 'authorized' ? moneyOfMinor(authorizedMinor, currency) : undefined;
}

/** A received sum, in its own currency. */
function sumOf({ received }: Payment, minor: bigint): Money | undefined {
  return minor === 0n || received === null ? undefined : moneyOfMinor(minor, received.currency);
}

const runInputSchema = z.object({
  variant: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()),
  needed: z.record(z.string(), z.unknown()),
  // Rules for these may change; a run that was begun goes on.
  browser: z.record(z.string(), z.unknown()).transform(readPayerBrowser).exactOptional(),
  answers: z.record(z.string(), z.string()).exactOptional(),
  /** The address of the browser that a card was entered in, where a merchant's server sent the rest. */
  enteredFrom: z.string().exactOptional(),
  /** The card came without its security code: its flow is not to wait for one. */
  withoutCode: z.literal(true).exactOptional(),
  wallet: z.object({ flow: z.enum(['virtual', 'card', 'forwarded']) }).exactOptional(),
  /** Of an authentication that was done elsewhere; its cryptogram is in memory alone. */
  authentication: authenticationSchema.exactOptional(),
});

/** The payer's input to an attempt, which a request to another account may need. */
interface PayerEntries {
  readonly browser?: PayerBrowser;
  /** The entries, by path; nothing of a card. */
  readonly answers?: Readonly<Record<string, string>>;
  readonly enteredFrom?: string;
  /** No code came with the card: a merchant's server pays with a saved card, or the card has no code. */
  readonly withoutCode?: true;
  readonly authentication?: AuthenticationValues;
}

/** The part of a wallet that a run stores: the input of its flow, and nothing of the token. */
type StoredWallet = Pick<WalletAttempt, 'flow' | 'authentication'>;

/** The input that a run stores at its beginning: the method's values as they were resolved then, and the payer's input. */
export function runInput(
  resolved: Resolved,
  { browser, answers, enteredFrom, withoutCode, ...entries }: PayerEntries = {},
  wallet?: StoredWallet,
): unknown {
  const { authentication = wallet?.authentication } = entries;
  const { variant, parameters, needed } = resolved;
  return {
    ...(variant !== undefined && { variant }),
    parameters,
    needed,
    ...(browser && { browser }),
    ...(answers && { answers }),
    ...(enteredFrom !== undefined && { enteredFrom }),
    ...(withoutCode && { withoutCode }),
    ...(wallet && { wallet: { flow: wallet.flow } }),
    ...(authentication && { authentication }),
  };
}

/** The input of the run of a payment's operation, opened. */
export function openRunInput(
  { sealer }: Pick<PaymentStateDeps, 'sealer'>,
  { runId, inputText }: { readonly runId: string; readonly inputText: string },
): z.output<typeof runInputSchema> {
  return runInputSchema.parse(openJson(sealer, fromJsonText(inputText), sealedAt.runInput(runId)));
}

/** The run of the payment's operation, which began with the payer's input. */
async function ownInput(
  { stores, sealer }: Pick<PaymentStateDeps, 'stores' | 'sealer'>,
  { id, operation }: Pick<Payment, 'id' | 'operation'>,
): Promise<z.output<typeof runInputSchema> | undefined> {
  const run = (await stores.runs.ofPayment(id)).find(({ purpose }) => purpose === operation);
  return run && openRunInput({ sealer }, run);
}

/**
 * The payer's browser, as the run of the payment's operation keeps it. Nothing where no payer was there, and once the run is
 * erased (docs/configuration.md, How long data is kept).
 */
export async function browserOf(
  context: Pick<PaymentStateDeps, 'stores' | 'sealer'>,
  payment: Pick<Payment, 'id' | 'operation' | 'mandateId'>,
): Promise<PayerBrowser | undefined> {
  return payment.mandateId !== null ? undefined : (await ownInput(context, payment))?.browser;
}

/** The address of the browser that the card was entered in; nothing where it was entered on a page of ours, and once the run is erased. */
export async function enteredFrom(
  context: Pick<PaymentStateDeps, 'stores' | 'sealer'>,
  payment: Pick<Payment, 'id' | 'operation'>,
): Promise<string | undefined> {
  return (await ownInput(context, payment))?.enteredFrom;
}

const timed = { validUntil: z.string().exactOptional() };
/** A text of a connector, in English or by language. */
const text = z.union([z.string(), z.object({ en: z.string() }).catchall(z.string())]);
const detail = z.object({ label: text, value: z.string(), copy: z.boolean().exactOptional() });

/** The views of flows, as read back from the database. */
const showSchema: z.ZodType<Show> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('redirect'), url: z.string(), surface: z.enum(['page', 'widget', 'app']), ...timed }),
  z.object({ kind: z.literal('qr'), content: z.string(), copy: z.boolean().exactOptional(), ...timed }),
  z.object({
    kind: z.literal('payment-details'),
    beneficiary: z.string().exactOptional(),
    details: z.array(detail),
    ...timed,
  }),
  z.object({
    kind: z.literal('voucher'),
    reference: z.string(),
    document: z.string().exactOptional(),
    details: z.array(detail).exactOptional(),
    barcode: z.object({ symbology: z.enum(['itf', 'code-128']), text: z.string() }).exactOptional(),
    ...timed,
  }),
  z.object({
    kind: z.literal('confirm-on-device'),
    channel: z.enum(['stk', 'app']),
    message: z.string().exactOptional(),
    number: z.string().exactOptional(),
    ...timed,
  }),
  z.object({
    kind: z.literal('link-sent'),
    channel: z.enum(['email', 'sms']),
    to: z.string().exactOptional(),
    ...timed,
  }),
  z.object({
    kind: z.literal('address'),
    address: z.string(),
    asset: z.string(),
    network: z.string().exactOptional(),
    amount: z.string().exactOptional(),
    ...timed,
  }),
]);

const option = z.object({ value: z.string(), label: text });

/** Kept before it was known: nothing is said to be safe. */
const mayTurnBack = z.boolean().default(false);

const nextActionSchema: z.ZodType<NextAction> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('collect'),
    step: z.string(),
    fields: z.array(
      z.object({
        name: z.string(),
        label: text,
        input: z.string(),
        required: z.boolean(),
        secret: z.literal(true).exactOptional(),
        help: text.exactOptional(),
        autocomplete: z.string().exactOptional(),
        options: z.array(option).exactOptional(),
      }),
    ),
    error: text.exactOptional(),
    resend: z.boolean(),
    mayTurnBack,
  }),
  z.object({
    kind: z.literal('visit'),
    step: z.string(),
    purpose: z.enum(['authenticate', 'approve', 'pay']),
    url: z.string(),
    method: z.enum(['GET', 'POST']),
    fields: z.record(z.string(), z.string()),
    reference: z.string(),
    inFragment: z.literal(true).exactOptional(),
    mayTurnBack,
  }),
]);

/** The view that the payer sees; `undefined` where there is none. */
export function storedShow(stored: unknown): Show | undefined {
  return stored === null ? undefined : showSchema.parse(stored);
}

/** The next modification at which a run is suspended. */
export function storedNextAction(sealer: Sealer, { runId, suspendedText }: FlowRun): NextAction | undefined {
  if (suspendedText === null) return undefined;
  return nextActionSchema.parse(openJson(sealer, fromJsonText(suspendedText), sealedAt.runAsks(runId)));
}

/** Whether a payment has a code, an address or a prompt with its payer, and nothing has come of it; as the statement that begins another says it. */
export const isWaitingForPayer = ({ state, unknown, show, asideText, received, operation }: Payment): boolean =>
  state === 'pending' && !unknown && show !== null && asideText === null && received === null && operation !== 'credit';
