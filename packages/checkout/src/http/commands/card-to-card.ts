import { TEXTS } from '@railyard/core';
import { type Answer, cardDigits, duplicateAnswer, type Issue, issue, validationAnswer } from '@railyard/core/protocol';
import * as z from 'zod';
import { startWithin } from '../../payments/operations/account-payout.ts';
import { prepareCardPayment } from '../../payments/operations/card-payment.ts';
import { sessionOf } from '../../payments/transitions/apply.ts';
import type { Resource } from '../../idempotency/with-idempotency.ts';
import { digitsOf } from '../../rules/browser/card-rules.js';
import { type Asker, chargeSession } from '../../sessions/charge-session.ts';
import type { AcceptedCommand } from '../../sessions/stored-request.ts';
import { positiveAmount, requiredText } from '../basics/signed-request.ts';
import { callbackUrlIssues } from './callback-url.ts';
import { keysBy, requestByCard } from './card-parameters.ts';
import { cardFields, hasNoCode, orderFields, returnFields } from './card-fields.ts';
import { type CommandBody, defineCommand, signedByFields } from './command.ts';
import type { CommandDeps } from './deps.ts';
import { refusedBy } from './error-codes.ts';
import { asSent, keptOfPayer, nameOf } from './session-request.ts';
import { payeeNames, payerFields } from './shared-fields.ts';
import { transactionAnswer } from './transaction-answer.ts';

const ACTION = 'CARD2CARD';

/** Only the cards and the payer's address are required of the two (reference: CARD2CARD). */
const schema = z.looseObject({
  ...orderFields,
  ...returnFields,
  order_amount: positiveAmount,
  payer_card_number: requiredText,
  payer_card_exp_month: cardFields.card_exp_month.unwrap(),
  payer_card_exp_year: cardFields.card_exp_year.unwrap(),
  payer_card_cvv2: cardFields.card_cvv2,
  payee_card_number: requiredText,
  ...payerFields,
  ...payeeNames,
  payer_email: requiredText.optional(),
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
): Promise<Answer<CommandBody>> {
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
