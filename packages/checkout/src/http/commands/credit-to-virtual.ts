import { type Answer, duplicateAnswer, refusedAnswer, validationAnswer } from '@railyard/core/protocol';
import type * as z from 'zod';
import { sessionOf } from '../../payments/transitions/apply.ts';
import { startWithin, prepareAccountPayout } from '../../payments/operations/account-payout.ts';
import type { Resource } from '../../idempotency/with-idempotency.ts';
import type { CommandDeps } from './deps.ts';
import { type Asker, chargeSession } from '../../sessions/charge-session.ts';
import { type CommandBody, defineCommand, signedByFields } from './command.ts';
import { callbackUrlIssues } from './callback-url.ts';
import { cryptoPayoutSchema, payoutSchema, type PayoutFields } from './payout-fields.ts';
import { payoutRequest } from './payout-request.ts';
import { asSent, keptOfPayer } from './session-request.ts';
import type { AcceptedCommand } from '../../sessions/stored-request.ts';
import { transactionBody } from '../../callbacks/content/transaction-body.ts';

type Action = 'CREDIT2VIRTUAL' | 'CREDIT2CRYPTO';

/** Answered when the provider has answered, or after `commandWaitSeconds` as undefined; then a callback reports the result. */
const accountPayout = (action: Action, schema: z.ZodType<PayoutFields>) =>
  defineCommand({
    action,
    schema,
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
): Promise<Answer<CommandBody>> {
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
  // Made of what is known here: once the payout is stored, nothing may keep it from being answered.
  return { status: 200, body: transactionBody(action, request.session, executed.payment, asker.scope) };
}

const acceptedCommand = (action: Action, fields: PayoutFields): AcceptedCommand => ({
  action,
  ...(fields.callback_url !== undefined && { callbackUrl: fields.callback_url }),
  payer: keptOfPayer(fields),
});
