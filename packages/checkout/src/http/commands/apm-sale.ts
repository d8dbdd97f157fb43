import { TEXTS } from '@railyard/core';
import { type Answer, duplicateAnswer, refusedAnswer, validationAnswer } from '@railyard/core/protocol';
import * as z from 'zod';
import { prepareAccountPayout, startWithin } from '../../payments/operations/account-payout.ts';
import { sessionOf } from '../../payments/transitions/apply.ts';
import type { Resource } from '../../idempotency/with-idempotency.ts';
import { type Asker, chargeSession } from '../../sessions/charge-session.ts';
import type { AcceptedCommand } from '../../sessions/stored-request.ts';
import type { Merchant } from '../../merchants/directory.ts';
import { orderDescription, requiredText } from '../basics/signed-request.ts';
import { callbackUrlIssues } from './callback-url.ts';
import { type CommandBody, defineCommand, signedByFields } from './command.ts';
import type { CommandDeps } from './deps.ts';
import { payerIssues } from './payer-rules.ts';
import { asSent, keptOfPayer, type ReadRequest, sessionRequest, todayOf } from './session-request.ts';
import { nested, payerFields } from './shared-fields.ts';
import { transactionAnswer } from './transaction-answer.ts';

const ACTION = 'SALE';

const longText = z.string(TEXTS.blank).min(1, TEXTS.blank).max(1024, TEXTS.tooLong(1024));

/** SALE of S2S APM. What only the session's rules or the method's say is checked after the hash. */
const schema = z.looseObject({
  client_key: requiredText,
  brand: requiredText.max(36, TEXTS.tooLong(36)),
  channel_id: requiredText.max(16, TEXTS.tooLong(16)).optional(),
  order_id: requiredText,
  // A crypto payment whose amount the payer enters has none.
  order_amount: requiredText.optional(),
  order_currency: requiredText,
  order_description: orderDescription,
  identifier: requiredText.optional(),
  crypto_network: requiredText.max(50, TEXTS.tooLong(50)).optional(),
  auth: z.string().max(255, TEXTS.tooLong(255)).optional(),
  ...payerFields,
  return_url: longText,
  return_url_target: longText.optional(),
  callback_url: requiredText.optional(),
  parameters: nested.optional(),
  custom_data: nested.optional(),
  hash: requiredText,
});

type Fields = z.output<typeof schema>;

/**
 * A payment by a method other than a card (reference: S2S APM, SALE). Answered when the provider has answered or asks for the payer, or after
 * `commandWaitSeconds` as undefined; then a callback reports the result.
 */
export const apmSale = defineCommand({
  action: ACTION,
  schema,
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
): Promise<Answer<CommandBody>> {
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
