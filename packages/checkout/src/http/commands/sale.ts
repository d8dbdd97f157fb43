import { TEXTS } from '@railyard/core';
import {
  duplicateAnswer,
  issue,
  refusedAnswer,
  validationAnswer,
  type Answer,
  type Issue,
  type SessionRequest,
} from '@railyard/core/protocol';
import * as z from 'zod';
import {
  prepareAccountPayout,
  prepareCardPayment,
  prepareWalletPayment,
  startWalletWithin,
  startWithin,
  type GivenCard,
} from '../../payments/pay-by-command.ts';
import { sessionOf } from '../../payments/change/apply.ts';
import type { Resource } from '../../idempotency.ts';
import { chargeSession, type AcceptedCommand, type Asker } from '../../sessions/session.ts';
import type { Merchant } from '../../merchants/directory.ts';
import { requiredText } from '../basics/call.ts';
import {
  asSent,
  brand,
  callbackUrlIssues,
  cryptoNetwork,
  isSet,
  keptOfPayer,
  keysBy,
  lacksMeans,
  meansOf,
  nameOf,
  needlessFields,
  orderFields,
  ownFields,
  payerFields,
  payerIssues,
  requestByCard,
  saleSchema,
  sessionRequest,
  signedCard,
  todayOf,
  type Means,
  type ReadRequest,
  type SaleFields,
} from './fields.ts';
import { defineCommand, refusedBy, signedByFields, type CommandBody } from './command.ts';
import type { CommandDeps } from '../deps.ts';
import { transactionSchema, type TransactionBody } from '../../callbacks/body.ts';
import { transactionAnswer } from './transactions.ts';
import { THREE_D_SECURE_FIELDS, type AuthenticationValues } from '@railyard/core/payment';
import { unusableSchedule } from '../../schedules.ts';

const ACTION = 'SALE';

const longText = z.string(TEXTS.blank).min(1, TEXTS.blank).max(1024, TEXTS.tooLong(1024));

/** SALE of S2S APM. What only the session's rules or the method's say is checked after the hash. */
const schema = z.looseObject({
  ...orderFields,
  brand,
  order_amount: requiredText
    .describe('The amount, `10.00`. Absent of a crypto payment whose amount the payer enters.')
    .optional(),
  identifier: requiredText.describe('The merchant’s mark of the payment; the hash covers it.').optional(),
  crypto_network: cryptoNetwork,
  auth: z.string().max(255, TEXTS.tooLong(255)).describe('`Y` holds the money, to be captured later.').optional(),
  ...payerFields,
  return_url: longText.describe('Where the payer comes back to.'),
  return_url_target: longText.describe('The browsing context in which it opens. Default: `_top`.').optional(),
  ...ownFields,
});

type Fields = z.output<typeof schema>;

/**
 * A payment by a method other than a card (reference: S2S APM, SALE). Answered when the provider has answered or asks for the payer, or after
 * `commandWaitSeconds` as undefined; then a callback reports the result.
 */
export const apmSale = defineCommand({
  action: ACTION,
  schema,
  answer: transactionSchema,
  signedBy: signedByFields('collection', ({ identifier = '', order_id, order_amount = '', order_currency }) => ({
    identifier,
    order_id,
    order_amount,
    order_currency,
  })),
  handle: sell,
});

async function sell(
  context: CommandDeps,
  asker: Asker,
  fields: Fields,
  resource: Resource,
): Promise<Answer<CommandBody<TransactionBody>>> {
  const before = resource.isRetry ? await context.stores.payments.find(resource.resourceId) : undefined;
  if (before !== undefined)
    return transactionAnswer(context, ACTION, await sessionOf(context, before), { payment: before });
  const { merchant } = asker;
  const request = requestOf(context, merchant, fields);
  const issues = [
    ...callbackUrlIssues(context, merchant, fields),
    ...payerIssues(merchant.config, 'apm', fields),
    ...(request.ok ? [] : request.issues.flatMap((each) => sentAs(each, fields.brand))),
  ];
  if (!request.ok || issues.length > 0) return validationAnswer(issues);
  const prepared = prepareAccountPayout(context, merchant, request.session);
  if (!prepared.ok) return validationAnswer(prepared.issues.flatMap((each) => sentAs(each, fields.brand)));
  const session = await chargeSession(context, asker, request.session, resource, commandOf(fields), 'merchant');
  if (session === undefined) return duplicateAnswer();
  const executed = await startWithin(context, session, prepared, fields.payer_ip);
  return executed === undefined
    ? refusedAnswer('Previous payment not completed.')
    : transactionAnswer(context, ACTION, session, executed);
}

/** The session's way back is the command's `return_url`. */
const sentAs = (each: Parameters<typeof asSent>[0], brand: string) => {
  if (each.path === 'success_url') return [{ ...each, path: 'return_url' }];
  // The same address again.
  return each.path === 'cancel_url' || each.path === 'error_url' ? [] : asSent(each, brand);
};

function requestOf(context: CommandDeps, { profile }: Merchant, fields: Fields): ReadRequest {
  const { brand, parameters, crypto_network: network, auth, return_url } = fields;
  const parsed = sessionRequest(context, fields, {
    operation: 'purchase',
    successUrl: return_url,
    more: {
      methods: [brand],
      // A command has one way back, for every result (reference: S2S APM, SALE).
      cancel_url: return_url,
      error_url: return_url,
      ...(parameters && { parameters: { [brand]: parameters } }),
      ...(network !== undefined && { crypto: { network } }),
      // Any other value is an immediate sale (protocol: States and transitions).
      ...(auth === 'Y' && { auth: true }),
    },
    options: { openAmount: () => true },
  });
  if (!parsed.ok) return parsed;
  return context.directory.registry.validateParsed(parsed.session, { today: todayOf(context), profile });
}

const commandOf = (fields: Fields): AcceptedCommand => ({
  action: ACTION,
  protocol: 'apm',
  ...(fields.callback_url !== undefined && { callbackUrl: fields.callback_url }),
  ...(fields.return_url_target !== undefined && { returnTarget: fields.return_url_target }),
  payer: keptOfPayer(fields),
});

const OPERATIONS = { SALE: 'purchase', DEBIT: 'debit' } as const;

type Action = keyof typeof OPERATIONS;

/**
 * A payment by card, its data in the command (reference: S2S CARD, SALE and DEBIT). Answered when the provider has answered or asks for the
 * payer, or after `commandWaitSeconds` as undefined; then a callback reports the result.
 */
const cardPayment = (action: Action) =>
  defineCommand({
    action,
    schema: saleSchema,
    answer: transactionSchema,
    between: lacksMeans,
    signedBy: signedByFields('card', (fields) => ({
      payer_email: fields.payer_email ?? '',
      card: signedCard(fields),
    })),
    handle: (context, asker, fields, resource) => pay(context, asker, action, fields, resource),
  });

export const cardSale = cardPayment('SALE');
export const cardDebit = cardPayment('DEBIT');

async function pay(
  context: CommandDeps,
  asker: Asker,
  action: Action,
  fields: SaleFields,
  resource: Resource,
): Promise<Answer<CommandBody<TransactionBody>>> {
  const before = resource.isRetry ? await context.stores.payments.find(resource.resourceId) : undefined;
  if (before !== undefined)
    return transactionAnswer(context, action, await sessionOf(context, before), { payment: before });
  const { merchant } = asker;
  const means = meansOf(fields);
  const keys = keysBy(means.kind === 'wallet' ? 'wallet' : 'card', context, merchant, OPERATIONS[action]);
  const request = requestOfCardSale(context, merchant, { action, fields, means, keys });
  const issues = [
    ...callbackUrlIssues(context, merchant, fields),
    ...payerIssues(merchant.config, action === 'SALE' ? 'card' : 'debit', fields),
    ...needlessFields(fields, means),
    ...(request.ok ? [] : request.issues.flatMap((each) => sentAsCardSale(each, keys))),
  ];
  if (!request.ok || issues.length > 0) return validationAnswer(issues);
  const unusable = await unusableSchedule(context, asker, request.session);
  if (unusable.length > 0) return validationAnswer(unusable);
  const sale = { action, fields, keys, session: request.session, resource };
  return means.kind === 'wallet' ? payByWallet(context, asker, sale, means) : payByCard(context, asker, sale, means);
}

/** A sale whose request is right. */
interface Sale {
  readonly action: Action;
  readonly fields: SaleFields;
  /** Of the methods that it may be paid by. */
  readonly keys: readonly string[];
  readonly session: SessionRequest;
  readonly resource: Resource;
}

/** Without a page, where the merchant sends the payer on; undefined for a duplicate. */
const opened = (context: CommandDeps, asker: Asker, { action, fields, session, resource }: Sale) =>
  chargeSession(context, asker, session, resource, commandOfCardSale(action, fields), 'merchant');

async function payByCard(
  context: CommandDeps,
  asker: Asker,
  sale: Sale,
  means: Exclude<Means, { kind: 'wallet' }>,
): Promise<Answer<CommandBody<TransactionBody>>> {
  const { action, fields } = sale;
  const given = await givenCard(context, asker.scope, fields, means);
  if ('status' in given) return given;
  const prepared = prepareCardPayment(context, asker.merchant, sale.session, given);
  if (!prepared.ok)
    return prepared.issues === undefined
      ? refusedBy(prepared.why)
      : validationAnswer(prepared.issues.flatMap((each) => asSent(each, ...sale.keys)));
  const session = await opened(context, asker, sale);
  if (session === undefined) return duplicateAnswer();
  const executed = await startWithin(context, session, prepared, fields.payer_ip);
  return executed === undefined ? refusedBy('under-way') : transactionAnswer(context, action, session, executed);
}

const WALLET_REFUSALS = { 'no-wallet': 'no-wallet', 'only-sales': 'unsupported', brand: 'brand' } as const;

async function payByWallet(
  context: CommandDeps,
  asker: Asker,
  sale: Sale,
  means: Extract<Means, { kind: 'wallet' }>,
): Promise<Answer<CommandBody<TransactionBody>>> {
  const { action, fields, resource } = sale;
  const prepared = prepareWalletPayment(context, asker.merchant, sale.session, means, resource.resourceId);
  if (!prepared.ok)
    return prepared.issues === undefined
      ? refusedBy(WALLET_REFUSALS[prepared.why])
      : validationAnswer(prepared.issues.flatMap((each) => asSent(each, ...sale.keys)));
  const session = await opened(context, asker, sale);
  if (session === undefined) return duplicateAnswer();
  const executed = await startWalletWithin(context, session, prepared, fields.payer_ip);
  if (executed === 'token-used') return validationAnswer([issue('payment_token', TEXTS.notValid)]);
  return executed === undefined ? refusedBy('under-way') : transactionAnswer(context, action, session, executed);
}

/** The session's way back is the command's `term_url_3ds`. */
const sentAsCardSale = (each: Issue, keys: readonly string[]): Issue[] =>
  each.path === 'success_url' ? [{ ...each, path: 'term_url_3ds' }] : asSent(each, ...keys);

function requestOfCardSale(
  context: CommandDeps,
  merchant: Merchant,
  { action, fields, means, keys }: Pick<Sale, 'action' | 'fields' | 'keys'> & { readonly means: Means },
) {
  const { req_token, recurring_init, auth, term_url_3ds } = fields;
  const { schedule_id, schedule_start_date, payment_schedule_amount } = fields;
  return requestByCard(context, merchant, fields, {
    keys,
    operation: OPERATIONS[action],
    successUrl: term_url_3ds,
    more: {
      ...(means.kind === 'token' && { card_token: [means.token] }),
      ...(req_token !== undefined && { req_token }),
      ...(recurring_init !== undefined && { recurring_init }),
      ...(auth !== undefined && { auth }),
      ...(schedule_id !== undefined && { schedule_id }),
      ...(schedule_start_date !== undefined && { schedule_start_date }),
      ...(payment_schedule_amount !== undefined && { payment_schedule_amount }),
    },
    options: { zeroAmount: isSet(recurring_init) || (action === 'SALE' && isSet(auth)) },
  });
}

const commandOfCardSale = (action: Action, fields: SaleFields): AcceptedCommand => ({
  action,
  protocol: 'card',
  ...(fields.callback_url !== undefined && { callbackUrl: fields.callback_url }),
  ...(fields.term_url_target !== undefined && { returnTarget: fields.term_url_target }),
  payer: keptOfPayer(fields),
  ...(fields.payer_present !== undefined && { payerPresent: isSet(fields.payer_present) }),
  ...(Object.keys(authenticationOf(fields)).length > 0 && { authentication: authenticationOf(fields) }),
});

/** The values of 3-D Secure at the merchant's own MPI, as far as they were sent. */
function authenticationOf(fields: SaleFields): AuthenticationValues {
  const sent = THREE_D_SECURE_FIELDS.flatMap((name) => {
    const value: unknown = fields[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return Object.fromEntries(sent);
}

/** The card that was sent, or the saved one; an unknown token, another merchant's and one of the other mode get the same answer. */
async function givenCard(
  { vault, stores }: CommandDeps,
  scope: Asker['scope'],
  fields: SaleFields,
  means: Exclude<Means, { kind: 'wallet' }>,
): Promise<GivenCard | Answer<CommandBody<TransactionBody>>> {
  const holder = nameOf(fields, 'payer') ?? '';
  const { cavv, card_brand: brand } = fields;
  const authentication = cavv === undefined ? undefined : { cryptogram: cavv, values: authenticationOf(fields) };
  if (means.kind === 'card') {
    const { number, month: expiryMonth, year: expiryYear, cvv } = means;
    return { card: { number, expiryMonth, expiryYear }, cvv, brand, authentication, holder };
  }
  const tokenHash = vault.tokenHash(means.token);
  const [kept] = await stores.cards.ofTokens(scope, [tokenHash]);
  if (kept === undefined) return refusedBy('token');
  const card = { key: '0', tokenHash, brand: kept.brand, kept };
  return { card, cvv: means.cvv, brand, authentication, holder };
}
