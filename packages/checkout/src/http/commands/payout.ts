import { TEXTS } from '@railyard/core';
import {
  cardDigits,
  duplicateAnswer,
  issue,
  refusedAnswer,
  validationAnswer,
  type Answer,
  type Issue,
} from '@railyard/core/protocol';
import * as z from 'zod';
import {
  prepareAccountPayout,
  prepareCardPayment,
  preparePayout,
  startWithin,
  type CardPayout,
} from '../../payments/pay-by-command.ts';
import { sessionOf } from '../../payments/change/apply.ts';
import type { Resource } from '../../idempotency.ts';
import { digitsOf } from '../../rules/browser/card-rules.js';
import { chargeSession, type AcceptedCommand, type Asker } from '../../sessions/session.ts';
import { positiveAmount, requiredText } from '../basics/call.ts';
import {
  asSent,
  callbackUrlIssues,
  cardFields,
  cryptoPayoutSchema,
  hasNoCode,
  keptOfPayer,
  keysBy,
  nameOf,
  orderFields,
  ownFields,
  payeeNames,
  payerFields,
  payoutRequest,
  payoutSchema,
  requestByCard,
  returnFields,
  signedCard,
  type PayoutFields,
} from './fields.ts';
import { defineCommand, refusedBy, signedByFields, type CommandBody } from './command.ts';
import type { CommandDeps } from '../deps.ts';
import { transactionAnswer } from './transactions.ts';
import { transactionBody, transactionSchema, type TransactionBody } from '../../callbacks/body.ts';

const ACTION = 'CARD2CARD';

/** Only the cards and the payer's address are required of the two (reference: CARD2CARD). */
const schema = z.looseObject({
  ...orderFields,
  ...ownFields,
  ...returnFields,
  order_amount: positiveAmount.describe('The amount to move, `10.00`.'),
  payer_card_number: requiredText.describe('The card that pays.'),
  payer_card_exp_month: cardFields.card_exp_month.unwrap(),
  payer_card_exp_year: cardFields.card_exp_year.unwrap(),
  payer_card_cvv2: cardFields.card_cvv2,
  payee_card_number: requiredText.describe('The card that is paid to.'),
  ...payerFields,
  ...payeeNames,
  payer_email: requiredText.describe('E-mail address of the payer.').optional(),
  payer_ip: payerFields.payer_ip.unwrap(),
});

type Fields = z.output<typeof schema>;

/**
 * Money from one card to another (reference: CARD2CARD). Answered when the provider has answered or asks for the payer, or after
 * `commandWaitSeconds` as undefined; then a callback reports the result.
 */
export const cardToCard = defineCommand({
  action: ACTION,
  schema,
  answer: transactionSchema,
  between: ({ payer_card_number, payer_card_cvv2 }) =>
    payer_card_cvv2 === undefined && !hasNoCode(payer_card_number) ? [issue('payer_card_cvv2', TEXTS.blank)] : [],
  signedBy: signedByFields('card', ({ payer_email = '', payer_card_number }) => ({
    payer_email,
    card: cardDigits(payer_card_number),
  })),
  handle: transfer,
});

async function transfer(
  context: CommandDeps,
  asker: Asker,
  fields: Fields,
  resource: Resource,
): Promise<Answer<CommandBody<TransactionBody>>> {
  const before = resource.isRetry ? await context.stores.payments.find(resource.resourceId) : undefined;
  if (before !== undefined)
    return transactionAnswer(context, ACTION, await sessionOf(context, before), { payment: before });
  const keys = keysBy('card', context, asker.merchant, 'transfer');
  const sentAs = (each: Issue) => namedByTransfer(each, keys);
  const request = requestByCard(context, asker.merchant, fields, {
    keys,
    operation: 'transfer',
    successUrl: fields.term_url_3ds,
    more: {},
  });
  const issues = [
    ...callbackUrlIssues(context, asker.merchant, fields),
    ...(request.ok ? [] : request.issues.flatMap(sentAs)),
  ];
  if (!request.ok || issues.length > 0) return validationAnswer(issues);
  const prepared = prepareCardPayment(context, asker.merchant, request.session, givenCards(fields));
  if (!prepared.ok)
    return prepared.issues === undefined ? refusedBy(prepared.why) : validationAnswer(prepared.issues.flatMap(sentAs));
  const session = await chargeSession(context, asker, request.session, resource, commandOf(fields), 'merchant');
  if (session === undefined) return duplicateAnswer();
  const executed = await startWithin(context, session, prepared, fields.payer_ip);
  return executed === undefined ? refusedBy('under-way') : transactionAnswer(context, ACTION, session, executed);
}

function givenCards(fields: Fields) {
  const { payer_card_number, payer_card_exp_month, payer_card_exp_year, payer_card_cvv2 } = fields;
  return {
    card: {
      number: digitsOf(payer_card_number),
      expiryMonth: payer_card_exp_month,
      expiryYear: payer_card_exp_year,
    },
    cvv: payer_card_cvv2,
    holder: nameOf(fields, 'payer') ?? '',
    payee: digitsOf(fields.payee_card_number),
  };
}

/** The payer's card has names of its own here, and the session's way back is `term_url_3ds`. */
function namedByTransfer(each: Issue, keys: readonly string[]): Issue[] {
  if (each.path === 'success_url') return [{ ...each, path: 'term_url_3ds' }];
  return asSent(each, ...keys).map((one) =>
    one.path.startsWith('card_') ? { ...one, path: `payer_${one.path}` } : one,
  );
}

const commandOf = (fields: Fields): AcceptedCommand => ({
  action: ACTION,
  protocol: 'card',
  ...(fields.callback_url !== undefined && { callbackUrl: fields.callback_url }),
  ...(fields.term_url_target !== undefined && { returnTarget: fields.term_url_target }),
  payer: keptOfPayer(fields),
});

const ACTIONCreditToCard = 'CREDIT2CARD';

const schemaCreditToCard = z.looseObject({
  ...orderFields,
  order_amount: positiveAmount.describe('The amount to pay out, `10.00`.'),
  card_number: cardFields.card_number,
  card_token: cardFields.card_token,
  ...payeeNames,
  ...payerFields,
  ...ownFields,
});

type FieldsCreditToCard = z.output<typeof schemaCreditToCard>;

/**
 * A payout to a card (reference: CREDIT2CARD). Answered when the provider has answered, or after `commandWaitSeconds` as undefined; what
 * becomes of it then, a callback tells.
 */
export const creditToCard = defineCommand({
  action: ACTIONCreditToCard,
  schema: schemaCreditToCard,
  answer: transactionSchema,
  between: ({ card_number, card_token }) =>
    card_number === undefined && card_token === undefined ? [issue('card_number', TEXTS.blank)] : [],
  signedBy: signedByFields('card', (fields) => ({ payer_email: '', card: signedCard(fields) })),
  handle: payOutCreditToCard,
});

async function payOutCreditToCard(
  context: CommandDeps,
  asker: Asker,
  fields: FieldsCreditToCard,
  resource: Resource,
): Promise<Answer<CommandBody<TransactionBody>>> {
  const before = resource.isRetry ? await context.stores.payments.find(resource.resourceId) : undefined;
  if (before !== undefined)
    return transactionAnswer(context, ACTIONCreditToCard, await sessionOf(context, before), { payment: before });
  const card = await cardOf(context, asker.scope, fields);
  if (card === undefined) return refusedBy('token');
  const keys = keysBy('card', context, asker.merchant, 'credit');
  const request = requestByCard(context, asker.merchant, fields, {
    keys,
    operation: 'credit',
    // Required of every session; no payer is redirected to it.
    successUrl: context.config.publicUrl,
    more: card.saved === undefined ? {} : { card_token: [fields.card_token] },
  });
  const issues = [
    ...callbackUrlIssues(context, asker.merchant, fields),
    ...(request.ok ? [] : request.issues.flatMap((each) => asSent(each, ...keys))),
  ];
  if (!request.ok || issues.length > 0) return validationAnswer(issues);
  const prepared = preparePayout(context, asker.merchant, request.session, card);
  if (!prepared.ok) return validationAnswer(prepared.issues.flatMap((each) => asSent(each, ...keys)));
  const { callback_url } = fields;
  const command: AcceptedCommand = {
    action: ACTIONCreditToCard,
    protocol: 'card',
    ...(callback_url !== undefined && { callbackUrl: callback_url }),
    payer: keptOfPayer(fields),
  };
  const session = await chargeSession(context, asker, request.session, resource, command);
  if (session === undefined) return duplicateAnswer();
  const executed = await startWithin(context, session, prepared, fields.payer_ip);
  return executed === undefined
    ? refusedBy('under-way')
    : transactionAnswer(context, ACTIONCreditToCard, session, executed);
}

/** The card that is paid to: the number that was sent, or the merchant's saved card. */
async function cardOf(
  { vault, stores }: CommandDeps,
  scope: Asker['scope'],
  { card_number, card_token }: FieldsCreditToCard,
): Promise<CardPayout | undefined> {
  if (card_number !== undefined) return { number: card_number };
  const tokenHash = vault.tokenHash(card_token ?? '');
  const [kept] = await stores.cards.ofTokens(scope, [tokenHash]);
  return kept && { saved: { key: '0', tokenHash, brand: kept.brand, kept } };
}

type Action = 'CREDIT2VIRTUAL' | 'CREDIT2CRYPTO';

/** Answered when the provider has answered, or after `commandWaitSeconds` as undefined; then a callback reports the result. */
const accountPayout = (action: Action, schema: z.ZodType<PayoutFields>) =>
  defineCommand({
    action,
    schema,
    answer: transactionSchema,
    signedBy: signedByFields('payout', (fields) => fields),
    handle: (context, asker, fields, resource) => payOut(context, asker, action, fields, resource),
  });

/** A payout to an account or a wallet (protocol: Mobile money payout via S2S APM). */
export const creditToVirtual = accountPayout('CREDIT2VIRTUAL', payoutSchema);

/** A payout of coins to an address (reference: CREDIT2CRYPTO). */
export const creditToCrypto = accountPayout('CREDIT2CRYPTO', cryptoPayoutSchema);

async function payOut(
  context: CommandDeps,
  asker: Asker,
  action: Action,
  fields: PayoutFields,
  resource: Resource,
): Promise<Answer<CommandBody<TransactionBody>>> {
  const before = resource.isRetry ? await context.stores.payments.find(resource.resourceId) : undefined;
  if (before !== undefined) {
    const { request } = await sessionOf(context, before);
    return { status: 200, body: transactionBody(action, request, before, asker.scope) };
  }
  const refused = callbackUrlIssues(context, asker.merchant, fields);
  const request = payoutRequest(context, asker.merchant, fields);
  const issues = [...refused, ...(request.ok ? [] : request.issues.flatMap((each) => asSent(each, fields.brand)))];
  if (!request.ok || issues.length > 0) return validationAnswer(issues);
  const prepared = prepareAccountPayout(context, asker.merchant, request.session);
  if (!prepared.ok) return validationAnswer(prepared.issues.flatMap((each) => asSent(each, fields.brand)));
  const command = acceptedCommand(action, fields);
  const session = await chargeSession(context, asker, request.session, resource, command);
  if (session === undefined) return duplicateAnswer();
  const executed = await startWithin(context, session, prepared, fields.payer_ip);
  if (executed === undefined) return refusedAnswer('Previous payment not completed.');
  // Made before the payout is stored: no error may keep a stored payout from its answer.
  return { status: 200, body: transactionBody(action, request.session, executed.payment, asker.scope) };
}

const acceptedCommand = (action: Action, fields: PayoutFields): AcceptedCommand => ({
  action,
  ...(fields.callback_url !== undefined && { callbackUrl: fields.callback_url }),
  payer: keptOfPayer(fields),
});
