import { TEXTS } from '@railyard/core';
import { type Answer, duplicateAnswer, issue, validationAnswer } from '@railyard/core/protocol';
import * as z from 'zod';
import { startWithin } from '../../payments/operations/account-payout.ts';
import { type CardPayout, preparePayout } from '../../payments/operations/payout.ts';
import { sessionOf } from '../../payments/transitions/apply.ts';
import type { Resource } from '../../idempotency/with-idempotency.ts';
import { type Asker, chargeSession } from '../../sessions/charge-session.ts';
import type { AcceptedCommand } from '../../sessions/stored-request.ts';
import { orderDescription, positiveAmount, requiredText } from '../basics/signed-request.ts';
import { callbackUrlIssues } from './callback-url.ts';
import { keysBy, requestByCard } from './card-parameters.ts';
import { signedCard } from './card-fields.ts';
import { type CommandBody, defineCommand, signedByFields } from './command.ts';
import type { CommandDeps } from './deps.ts';
import { refusedBy } from './error-codes.ts';
import { asSent, keptOfPayer } from './session-request.ts';
import { nested, payeeNames, payerFields } from './shared-fields.ts';
import { transactionAnswer } from './transaction-answer.ts';

const ACTION = 'CREDIT2CARD';

const schema = z.looseObject({
  client_key: requiredText,
  channel_id: requiredText.max(16, TEXTS.tooLong(16)).optional(),
  order_id: requiredText,
  order_amount: positiveAmount,
  order_currency: requiredText,
  order_description: orderDescription,
  card_number: requiredText.optional(),
  card_token: requiredText.length(64, TEXTS.exactLength(64)).optional(),
  ...payeeNames,
  ...payerFields,
  callback_url: requiredText.optional(),
  parameters: nested.optional(),
  custom_data: nested.optional(),
  hash: requiredText,
});

type Fields = z.output<typeof schema>;

/**
 * A payout to a card (reference: CREDIT2CARD). Answered when the provider has answered, or after `commandWaitSeconds` as undefined; what
 * becomes of it then, a callback tells.
 */
export const creditToCard = defineCommand({
  action: ACTION,
  schema,
  between: ({ card_number, card_token }) =>
    card_number === undefined && card_token === undefined ? [issue('card_number', TEXTS.blank)] : [],
  signedBy: signedByFields('card', (fields) => ({ payer_email: '', card: signedCard(fields) })),
  handle: payOut,
});

async function payOut(
  context: CommandDeps,
  asker: Asker,
  fields: Fields,
  resource: Resource,
): Promise<Answer<CommandBody>> {
  const before = resource.isRetry ? await context.stores.payments.find(resource.resourceId) : undefined;
  if (before !== undefined)
    return transactionAnswer(context, ACTION, await sessionOf(context, before), { payment: before });
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
    action: ACTION,
    protocol: 'card',
    ...(callback_url !== undefined && { callbackUrl: callback_url }),
    payer: keptOfPayer(fields),
  };
  const session = await chargeSession(context, asker, request.session, resource, command);
  if (session === undefined) return duplicateAnswer();
  const executed = await startWithin(context, session, prepared, fields.payer_ip);
  return executed === undefined ? refusedBy('under-way') : transactionAnswer(context, ACTION, session, executed);
}

/** The card that is paid to: the number that was sent, or the merchant's saved card. */
async function cardOf(
  { vault, stores }: CommandDeps,
  scope: Asker['scope'],
  { card_number, card_token }: Fields,
): Promise<CardPayout | undefined> {
  if (card_number !== undefined) return { number: card_number };
  const tokenHash = vault.tokenHash(card_token ?? '');
  const [kept] = await stores.cards.ofTokens(scope, [tokenHash]);
  return kept && { saved: { key: '0', tokenHash, brand: kept.brand, kept } };
}
