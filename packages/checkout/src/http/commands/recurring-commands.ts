import { TEXTS } from '@railyard/core';
import { type Answer, duplicateAnswer, issue, type SessionRequest, validationAnswer } from '@railyard/core/protocol';
import * as z from 'zod';
import { ofTest, transactionSchema, type TransactionBody } from '../../callbacks/body.ts';
import { mandateCharge } from '../../payments/charge.ts';
import type { KnownWithSession } from '../../payments/payment.ts';
import { sessionOf } from '../../payments/change/apply.ts';
import type { Resource } from '../../idempotency.ts';
import { type Asker, chargeSession } from '../../sessions/session.ts';
import type { AcceptedCommand } from '../../sessions/session.ts';
import type { MerchantScope, Payment } from '../../storage/index.ts';
import { orderDescription, positiveAmount, requiredText } from '../basics/call.ts';
import { whyNotChargeable } from '../../payments/charge.ts';
import { firstOf } from '../../payments/charge.ts';
import { callbackUrlIssues } from './fields.ts';
import { acceptedSchema, type CommandBody, defineCommand, signedFields } from './command.ts';
import type { CommandDeps } from '../deps.ts';
import { flag, isSet } from './fields.ts';
import { refusedBy } from './command.ts';
import { namedPayment, namingFields } from './transactions.ts';
import { asSent, sessionRequest } from './fields.ts';
import { orderFields, ownFields } from './fields.ts';
import { signedByPayment } from './transactions.ts';
import { transactionAnswer } from './transactions.ts';

const OPERATIONS = { RECURRING_SALE: 'purchase', RECURRING_DEBIT: 'debit' } as const;

type Action = keyof typeof OPERATIONS;

const chargeSchema = z.looseObject({
  client_key: signedFields.client_key,
  order_id: orderFields.order_id,
  order_amount: positiveAmount.describe('The amount to charge, in the currency of the first payment.'),
  order_description: orderDescription,
  recurring_first_trans_id: requiredText.describe('The `trans_id` of the first payment.'),
  recurring_token: requiredText.describe('The token of the first payment.'),
  auth: flag.describe('Holds the money, to be captured later.').optional(),
  callback_url: ownFields.callback_url,
  custom_data: ownFields.custom_data,
  hash: signedFields.hash,
});

type ChargeFields = z.output<typeof chargeSchema>;

/** A later charge of a card, on the agreement of its first payment, whose e-mail and card the hash covers (reference: RECURRING_SALE). */
const recurring = (action: Action) =>
  defineCommand({
    action,
    schema: chargeSchema,
    answer: transactionSchema,
    signedBy: ({ client_key, hash, recurring_first_trans_id: trans_id }, context) =>
      signedByPayment(context, {
        client_key,
        hash,
        find: (scope) => namedPayment(context, scope, { trans_id }),
        formula: 'card',
        covered: (values) => values,
        notFound: refusedBy('mandate'),
      }),
    handle: (context, asker, fields, resource) => charge(context, asker, action, fields, resource),
  });

export const recurringSale = recurring('RECURRING_SALE');
export const recurringDebit = recurring('RECURRING_DEBIT');

/** Only the payment that a payer makes begins a schedule (protocol: schedule_id). */
const scheduleIssues = (fields: ChargeFields) =>
  fields['schedule_id'] === undefined ? [] : [issue('schedule_id', TEXTS.unexpected)];

async function charge(
  context: CommandDeps,
  asker: Asker,
  action: Action,
  fields: ChargeFields,
  resource: Resource,
): Promise<Answer<CommandBody<TransactionBody>>> {
  const { payments } = context.stores;
  const before = resource.isRetry ? await payments.find(resource.resourceId) : undefined;
  if (before !== undefined)
    return transactionAnswer(context, action, await sessionOf(context, before), { payment: before });
  const first = await firstOfMandate(context, asker.scope, action, fields);
  if (first === undefined) return refusedBy('mandate');
  const request = requestOf(context, first, fields);
  const issues = [
    ...callbackUrlIssues(context, asker.merchant, fields),
    ...scheduleIssues(fields),
    ...(request.ok ? [] : request.issues.flatMap((each) => asSent(each))),
  ];
  if (!request.ok || issues.length > 0) return validationAnswer(issues);
  const refused = whyNotChargeable(context, asker.merchant, first.payment, request.session);
  if (refused !== undefined) return refused;
  const { callback_url } = fields;
  const command: AcceptedCommand = {
    action,
    protocol: 'card',
    ...(callback_url !== undefined && { callbackUrl: callback_url }),
  };
  const session = await chargeSession(context, asker, request.session, resource, command);
  if (session === undefined) return duplicateAnswer();
  const charged = await mandateCharge(context, session, { id: resource.resourceId, first });
  return charged === undefined
    ? refusedBy('under-way')
    : transactionAnswer(context, action, session, { payment: charged });
}

async function firstOfMandate(
  context: CommandDeps,
  scope: MerchantScope,
  action: Action,
  { recurring_first_trans_id: recurring_init_trans_id, recurring_token }: ChargeFields,
): Promise<KnownWithSession | undefined> {
  const first = await firstOf(context, scope, { recurring_init_trans_id, recurring_token });
  return first?.payment.operation === OPERATIONS[action] ? first : undefined;
}

/** The request of the charge as a session's: payer and currency are those of the first payment. */
function requestOf(
  context: CommandDeps,
  { payment: first, session: { request: before } }: KnownWithSession,
  fields: ChargeFields,
) {
  const read = sessionRequest(
    context,
    { ...fields, order_currency: first.currency },
    {
      operation: OPERATIONS[first.operation === 'debit' ? 'RECURRING_DEBIT' : 'RECURRING_SALE'],
      successUrl: before.success_url,
      more: { ...(fields.auth !== undefined && { auth: isSet(fields.auth) }) },
    },
  );
  if (!read.ok) return read;
  const { customer, billing_address } = before;
  const session: SessionRequest = {
    ...read.session,
    methods: [first.methodAlias],
    ...(customer && { customer }),
    ...(billing_address && { billing_address }),
  };
  return { ok: true, session } as const;
}

/** A softly declined charge is tried again, as it was; a callback reports the result (reference: RETRY). */
export const retry = defineCommand({
  action: 'RETRY',
  schema: z.object(namingFields),
  answer: acceptedSchema,
  signedBy: (fields, context) =>
    signedByPayment(context, {
      ...fields,
      find: (scope) => namedPayment(context, scope, fields),
      formula: 'card',
      covered: (values) => values,
      notFound: refusedBy('transaction'),
    }),
  async handle(context, { scope, merchant }, fields, { resourceId: id, isRetry }) {
    const { payments } = context.stores;
    const accepted = (payment: Payment, order_id: string) => ({
      status: 200,
      body: {
        action: 'RETRY',
        result: 'ACCEPTED',
        order_id,
        trans_id: payment.merchantReference,
        ...ofTest(scope.test),
      } as const,
    });
    const declined = await namedPayment(context, scope, fields);
    if (declined === undefined) return refusedBy('transaction');
    const session = await sessionOf(context, declined);
    const { number } = session.request.order;
    const started = isRetry ? await payments.find(id) : undefined;
    if (started !== undefined) return accepted(started, number);
    const first = declined.mandateId === null ? undefined : await payments.find(declined.mandateId);
    if (first === undefined) return refusedBy('unsupported');
    if (declined.state !== 'declined' || declined.declineKind !== 'soft') return refusedBy('not-soft');
    if (declined.erasedAt !== null) return refusedBy('erased');
    const refused = whyNotChargeable(context, merchant, first, session.request);
    if (refused !== undefined) return refused;
    const charged = await mandateCharge(context, session, {
      id,
      first: { payment: first, session: await sessionOf(context, first) },
      retries: declined,
    });
    return charged === undefined ? refusedBy('under-way') : accepted(charged, number);
  },
});
