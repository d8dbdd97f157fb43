import type { Operation, Show } from '@railyard/core';
import * as z from 'zod';
import type { NextAction } from '@railyard/runtime';
import type { AcceptedCommand, OpenSession } from '../sessions/session.ts';
import {
  MODIFICATION_NAMES,
  MODIFICATIONS,
  TRANSACTION_RESULTS,
  TRANSACTION_STATUSES,
  transactionWords,
  type CallbackWords,
  type ModificationCallback,
  type ModificationStateName,
  type PaymentState,
  type TransactionStatus,
  type TransactionWords,
} from '@railyard/core/payment';
import { cardDigits, signCallbackFields, signCommand, type SessionRequest } from '@railyard/core/protocol';
import { newest } from '../deployment/catalogue.ts';
import type { MerchantScope, Payment, StoredCard } from '../storage/index.ts';
import {
  SENT_EMPTY,
  callbackDate,
  callbackFields,
  commissionFields,
  exchangeFields,
  scheduleFields,
  switchedFields,
  type CallbackFacts,
  type CallbackField,
} from './fields.ts';
import {
  cardFieldSchemas,
  commissionFieldSchemas,
  date,
  mandateFields,
  redirectFields,
  textField,
  scheduleEchoFields,
  switchedFieldSchemas,
  test,
  walletFields,
  type Redirect,
} from './field-schemas.ts';
import { stateOf } from '../payments/payment.ts';

export interface CallbackBody {
  readonly contentType: string;
  readonly body: string;
}

/** The body of a callback in the merchant's format. Written once; the bytes are kept and sent as they are. */
export function callbackBody(facts: CallbackFacts): CallbackBody {
  const fields = callbackFields(facts);
  return facts.session.merchant.config.callbackFormat === 'json'
    ? { contentType: 'application/json', body: JSON.stringify(Object.fromEntries(fields)) }
    : formBody(fields);
}

export const formBody = (fields: readonly CallbackField[]): CallbackBody => ({
  contentType: 'application/x-www-form-urlencoded; charset=utf-8',
  body: form(fields),
});

/** Written with URLSearchParams, so that a value can never add a field. */
function form(fields: readonly CallbackField[]): string {
  const written = new URLSearchParams();
  for (const [name, value] of fields) addNested(written, name, value);
  return written.toString();
}

/** Nested values with bracket names: `custom_data[a][b]`. */
function addNested(written: URLSearchParams, name: string, value: unknown): void {
  if (value === null || value === undefined) return;
  if (typeof value !== 'object') return written.append(name, String(value));
  for (const [key, each] of Object.entries(value)) addNested(written, `${name}[${key}]`, each);
}

/** The part of a payment that the signatures of S2S CARD cover: as its request named it, and empty where there is none. */
export interface SignedValues {
  readonly payer_email: string;
  readonly card: string;
}

/** The e-mail and the card of a stored payment. A payout to a card is signed without an e-mail (reference: Signatures of S2S CARD, F6). */
export function signedValues(
  { request, command }: Pick<OpenSession, 'request' | 'command'>,
  kept: Pick<StoredCard, 'firstSix' | 'lastFour'> | undefined,
): SignedValues {
  return {
    payer_email: command?.action === 'CREDIT2CARD' ? '' : (request.customer?.email ?? ''),
    card: kept === undefined ? '' : cardDigits(kept.firstSix + kept.lastFour),
  };
}

const MAX_REASON = 1024;

/** The tokens that later payments are made with, once the transaction has succeeded. */
const tokenFields = {
  recurring_token: mandateFields.recurring_token,
  ...scheduleEchoFields,
  card_token: textField('Pays with this card again. Sent after `req_token`.').optional(),
};

export type TransactionTokens = z.output<z.ZodObject<typeof tokenFields>>;

const transactionFields = {
  action: textField('The action of the command.'),
  order_id: textField('The order.'),
  trans_id: textField('The transaction. Later commands name it.'),
  decline_reason: textField(
    'Why it was declined, in at most 1024 characters. Only of a declined transaction.',
  ).optional(),
};

const status = z.enum(TRANSACTION_STATUSES).describe('How the transaction stands.');

/** The answer to a command that moves money. */
export const transactionSchema = z.object({
  ...transactionFields,
  result: z
    .enum(TRANSACTION_RESULTS)
    .describe(
      'What the command came to. `UNDEFINED`: not known yet. Do not send the command again; a callback follows.',
    ),
  status,
  trans_date: date.describe('When the transaction began, `YYYY-MM-DD hh:mm:ss` in UTC.').optional(),
  amount: textField('The amount, byte for byte as sent.').optional(),
  currency: textField('The currency of the amount.').optional(),
  ...commissionFieldSchemas,
  ...redirectFields,
  ...tokenFields,
  ...walletFields,
  test: test.optional(),
});

export type TransactionBody = z.output<typeof transactionSchema>;

/** The answer to a lookup. It has no date and no amount. */
export const lookupSchema = z.object({
  ...transactionFields,
  result: z.literal('SUCCESS').describe('The lookup itself succeeded, also where the transaction failed.'),
  status,
  ...redirectFields,
  ...tokenFields,
  ...walletFields,
  ...cardFieldSchemas,
  ...switchedFieldSchemas,
  test: test.optional(),
});

export type LookupBody = z.output<typeof lookupSchema>;

/** A payout of coins that the provider has taken and the network has not confirmed (reference: CREDIT2CRYPTO). */
const COINS_UNDER_WAY: TransactionWords = { result: 'INIT', status: 'PENDING' };

/** The commission of a debit is known, and its merchant has yet to confirm it (reference: DEBIT2VIRTUAL_CALC). */
const CALCULATED: TransactionWords = { result: 'SUCCESS', status: 'PREPARE' };

/**
 * The words of a transaction, and where its payer is sent while it waits for that.
 *
 * @param of.action of the command that began it
 */
export function standing(
  payment: Pick<PaymentState, 'state' | 'unknown'>,
  redirect: RedirectFacts | undefined,
  { action, operation }: { readonly action: string | undefined; readonly operation: Operation },
): TransactionWords & Redirect {
  const words = transactionWords(payment, operation);
  if (action === 'CREDIT2CRYPTO' && payment.state === 'pending' && !payment.unknown) return COINS_UNDER_WAY;
  if (action === 'DEBIT2VIRTUAL_CALC' && payment.state === 'created' && !payment.unknown) return CALCULATED;
  if (redirect === undefined || words.status !== 'PREPARE' || payment.unknown) return words;
  return { result: redirect.result, status: redirect.status, ...redirect.redirect };
}

/** How a transaction stands, as its command is answered. The amount is byte for byte as it was sent. */
export function transactionBody(
  action: string,
  { order }: Pick<SessionRequest, 'order'>,
  payment: Payment,
  { test }: Pick<MerchantScope, 'test'>,
  more: { readonly redirect?: RedirectFacts; readonly tokens?: TransactionTokens } = {},
): TransactionBody {
  const {
    result: told,
    status,
    ...redirect
  } = standing(stateOf(payment), more.redirect, {
    action,
    operation: payment.operation,
  });
  // A payment that waits for the payer's crypto is a success of the command, and reported as started in callbacks (reference: S2S APM, SALE).
  const result = told === 'INIT' && more.redirect !== undefined ? 'SUCCESS' : told;
  return {
    action,
    result,
    status,
    order_id: order.number,
    trans_id: payment.merchantReference,
    trans_date: transactionDate(payment),
    ...declineReason(status, payment.reason),
    amount: order.amount ?? payment.received?.text ?? '',
    currency: order.currency,
    ...commissionFields(action, { order }, payment),
    ...redirect,
    ...more.tokens,
    ...(payment.digitalWallet !== null && { digital_wallet: payment.digitalWallet }),
    ...(payment.panType !== null && { pan_type: payment.panType }),
    ...ofTest(test),
  };
}

/** The result of a modification, as commands word it. One that is not known yet is undefined. */
export const MODIFICATION_WORDS = {
  requested: 'UNDEFINED',
  pending: 'UNDEFINED',
  unknown: 'UNDEFINED',
  succeeded: 'SUCCESS',
  failed: 'DECLINED',
} as const satisfies Readonly<Record<ModificationStateName, string>>;

/** Says of a test that it is one. */
export const ofTest = (test: boolean): { readonly test?: true } => (test ? { test: true } : {});

/** `YYYY-MM-DD hh:mm:ss` in UTC: when it was begun. */
export const transactionDate = ({ createdAt }: Pick<Payment, 'createdAt'>): string => callbackDate(createdAt.getTime());

/** Why it was declined, cut between characters. */
export function declineReason(status: string, reason: string | null | undefined): { readonly decline_reason?: string } {
  if (status !== 'DECLINED' || reason == null || reason === '') return {};
  return { decline_reason: [...reason].slice(0, MAX_REASON).join('') };
}

/** The command and payment that a callback reports. */
export interface CommandFacts {
  readonly command: AcceptedCommand;
  readonly payment: Payment;
  /** How the payment stands with this callback. */
  readonly next: Pick<PaymentState, 'state' | 'unknown'>;
  /** Where its payer is to be sent. */
  readonly redirect: RedirectFacts | undefined;
  /** The card that it was paid with. */
  readonly kept: StoredCard | undefined;
}

/** The body of a callback to a merchant who asked by a server-to-server command: always a form, without what is empty but for ARN and RRN (reference: Callback). */
export function commandCallbackBody(facts: CallbackFacts, command: CommandFacts): CallbackBody {
  const fields = fieldsOf(facts, command).flatMap(withoutEmpty);
  return formBody([...fields, ['hash', hashOf(facts, command, Object.fromEntries(fields))]]);
}

interface Later {
  readonly action: string;
  /** The status of what did not succeed: the transaction is as it was (reference: CAPTURE, CREDITVOID, VOID). */
  readonly left: TransactionStatus;
}

/** Callbacks under the payment's own command have none; a chargeback has one. */
const OF_PAYMENTS: Readonly<Record<Exclude<CallbackWords['type'], ModificationCallback>, Later | undefined>> = {
  sale: undefined,
  recurring: undefined,
  debit: undefined,
  credit: undefined,
  transfer: undefined,
  '3ds': undefined,
  redirect: undefined,
  init: undefined,
  chargeback: { action: 'CHARGEBACK', left: 'SETTLED' },
};

const OF_MODIFICATIONS = new Map<CallbackWords['type'], Later>(
  MODIFICATION_NAMES.map((name) => [MODIFICATIONS[name].callback, MODIFICATIONS[name].command]),
);

const isOfPayment = (type: CallbackWords['type']): type is keyof typeof OF_PAYMENTS => Object.hasOwn(OF_PAYMENTS, type);

/** The command of a later modification. Other callbacks report the payment's own command. */
const laterOf = (type: CallbackWords['type']): Later | undefined =>
  isOfPayment(type) ? OF_PAYMENTS[type] : OF_MODIFICATIONS.get(type);

const RESULTS = { success: 'SUCCESS', fail: 'DECLINED', waiting: 'UNDEFINED', undefined: 'UNDEFINED' } as const;

function wordsOfLater({ left }: Later, { status }: CallbackWords, { next, payment }: CommandFacts) {
  const result = RESULTS[status];
  if (result === 'SUCCESS') return { result, status: transactionWords(next, payment.operation).status };
  return { result, status: left };
}

function fieldsOf(facts: CallbackFacts, command: CommandFacts): CallbackField[] {
  const { words, session, modification } = facts;
  const { payment, next, redirect } = command;
  const { order, custom_data } = session.request;
  const later = laterOf(words.type);
  const { result, status, ...way } =
    later === undefined
      ? standing(next, redirect, { action: command.command.action, operation: payment.operation })
      : wordsOfLater(later, words, command);
  const at = callbackDate(facts.at);
  const action = later?.action ?? (payment.retryOf === null ? actionOf(command) : 'RETRY');
  // A declined payment by card is reported without its amount, a declined retry with it (reference: Answers; RETRY).
  const isDeclinedCard = command.command.protocol === 'card' && result === 'DECLINED' && action !== 'RETRY';
  const amount = isDeclinedCard ? undefined : (modification?.amount ?? order.amount ?? facts.receivedText);
  return [
    ['action', action],
    ['result', result],
    ['status', status],
    ['order_id', order.number],
    ['trans_id', payment.merchantReference],
    ['trans_date', transactionDate(payment)],
    ['creditvoid_date', action === 'CREDITVOID' ? at : undefined],
    ['chargeback_date', action === 'CHARGEBACK' ? at : undefined],
    ['decline_reason', declineReason(result, facts.reason).decline_reason],
    ['amount', amount],
    ['approved_amount', facts.approvedText],
    ['currency', isDeclinedCard ? undefined : order.currency],
    ...Object.entries(later === undefined ? commissionFields(action, { order }, payment) : {}),
    ...Object.entries(way),
    ...cardFields(facts),
    ...exchangeFields(facts),
    ...switchedFields(facts),
    ['test', session.stored.test ? true : undefined],
    ['custom_data', custom_data],
  ];
}

/** A calculated debit is called back as that until its merchant confirms it, and as a debit afterwards (reference: DEBIT2VIRTUAL). */
function actionOf({ command: { action }, payment, next }: CommandFacts): string {
  if (action !== 'DEBIT2VIRTUAL_CALC') return action;
  const waited = payment.state === 'created' && (next.state === 'created' || next.state === 'expired');
  return waited ? action : 'DEBIT2VIRTUAL';
}

/** The card, and what later payments are made with. */
function cardFields(facts: CallbackFacts): CallbackField[] {
  const { card, mandate, route } = facts;
  return [
    ['card', card?.card],
    ['card_expiration_date', card?.card_expiration_date],
    ['card_token', card?.card_token],
    ['recurring_token', mandate?.recurring_token],
    ...scheduleFields(facts),
    ['digital_wallet', route.digitalWallet],
    ['pan_type', route.panType],
  ];
}

/** Each protocol signs its callbacks in its own way (reference: Signatures of S2S CARD, F2 and F6; of S2S APM, B, E and F). */
function hashOf(
  { session }: CallbackFacts,
  { command, payment, kept }: CommandFacts,
  fields: Readonly<Record<string, unknown>>,
): string {
  const { stored, merchant, request } = session;
  const options = { digest: stored.hashDigest, dialect: stored.hashDialect };
  const password = newest(merchant.config.password);
  const trans_id = payment.merchantReference;
  if (command.protocol === 'card')
    return signCommand('card_transaction', { ...signedValues(session, kept), trans_id }, password, options);
  if (fields['action'] === 'CREDITVOID') return signCommand('credit_void', { trans_id }, password, options);
  if (payment.operation !== 'credit') return signCallbackFields(fields, password, options);
  const status = String(fields['status']);
  return signCommand('payout_callback', { trans_id, order_id: request.order.number, status }, password, options);
}

/** Empty values are not sent, also nested ones, except where the protocol sends them. */
function withoutEmpty([name, value]: CallbackField): CallbackField[] {
  if (value === '' && SENT_EMPTY.has(name)) return [[name, value]];
  if (value === '' || value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[name, value]];
  const kept = Object.entries(value).flatMap(withoutEmpty);
  return kept.length === 0 ? [] : [[name, Object.fromEntries(kept)]];
}

/** A redirect, with the status of a transaction that waits for it. */
export interface RedirectFacts {
  readonly result: 'REDIRECT' | 'INIT';
  readonly status: '3DS' | 'REDIRECT' | 'PENDING';
  readonly redirect: Redirect;
}

/** The redirect of a command's payer: the visit that the flow waits for, or the page, code or address that it shows. */
export function redirectFacts(nextAction: NextAction | undefined, show: Show | undefined): RedirectFacts | undefined {
  if (nextAction?.kind === 'visit') {
    const { purpose, url, method, fields } = nextAction;
    const hasFields = Object.keys(fields).length > 0;
    return {
      result: 'REDIRECT',
      status: purpose === 'authenticate' ? '3DS' : 'REDIRECT',
      redirect: { redirect_url: url, redirect_method: method, ...(hasFields && { redirect_params: fields }) },
    };
  }
  if (show?.kind === 'redirect')
    return { result: 'REDIRECT', status: 'REDIRECT', redirect: { redirect_url: show.url, redirect_method: 'GET' } };
  // The merchant draws the code (protocol: QR method on S2S APM).
  if (show?.kind === 'qr')
    return {
      result: 'REDIRECT',
      status: 'REDIRECT',
      redirect: { redirect_params: { qr_code: Buffer.from(show.content).toString('base64') } },
    };
  // The payer sends the money there by themselves (reference: S2S APM, SALE, crypto init).
  if (show?.kind === 'address') {
    const { address: crypto_address, network: crypto_network } = show;
    const redirect = { crypto_address, ...(crypto_network !== undefined && { crypto_network }) };
    return { result: 'INIT', status: 'PENDING', redirect };
  }
  return undefined;
}
