import * as z from 'zod';
import { confirmPayment, reportWaiting, storeToConfirm } from '../../payments/modify.ts';
import { sessionOf } from '../../payments/change/apply.ts';
import { defineCommand, refusedBy, signedByFields, type Command, type CommandBody } from './command.ts';
import { transactionSchema, type TransactionBody } from '../../callbacks/body.ts';
import { namedPayment, namingFields, signedByNamed, transactionAnswer } from './transactions.ts';
import { TEXTS, moneyOfMinor } from '@railyard/core';
import {
  duplicateAnswer,
  refusedAnswer,
  validationAnswer,
  type Answer,
  type SessionRequest,
} from '@railyard/core/protocol';
import type { Merchant } from '../../merchants/directory.ts';
import { commissionOn } from '../../merchants/shares.ts';
import { prepareAccountPayout, startWithin } from '../../payments/pay-by-command.ts';
import type { Resource } from '../../idempotency.ts';
import { chargeSession, type AcceptedCommand, type Asker } from '../../sessions/session.ts';
import type { Payment } from '../../storage/index.ts';
import { positiveAmount, requiredText } from '../basics/call.ts';
import {
  asSent,
  brand,
  callbackUrlIssues,
  keptOfPayer,
  orderFields,
  ownFields,
  payerFields,
  payerIssues,
  sessionRequest,
  todayOf,
  type ReadRequest,
} from './fields.ts';
import type { CommandDeps } from '../deps.ts';

const ACTION = 'DEBIT2VIRTUAL_COMPLETE';

/**
 * Confirms what DEBIT2VIRTUAL_CALC said: the payer is debited (reference: DEBIT2VIRTUAL_COMPLETE). One that was confirmed before, or whose session
 * is over, is answered as it stands.
 */
export const completeDebit: Command = defineCommand({
  action: ACTION,
  schema: z.object(namingFields),
  answer: transactionSchema,
  signedBy: (fields, context) => signedByNamed(context, fields, 'apm', 'transaction', 'transaction'),
  async handle(context, { scope }, fields) {
    const payment = await namedPayment(context, scope, fields);
    const session = payment && (await sessionOf(context, payment));
    if (session?.command?.action !== 'DEBIT2VIRTUAL_CALC' || payment === undefined) return refusedBy('transaction');
    return transactionAnswer(context, ACTION, session, await confirmPayment(context, session, payment));
  },
});

const address = requiredText.describe('Street of the payer.');

/** DEBIT2VIRTUAL (reference: S2S APM, DEBIT2VIRTUAL). What only the session's rules or the method's say is checked after the hash. */
const schema = z.looseObject({
  ...orderFields,
  brand,
  order_amount: positiveAmount.describe('The amount without the commission, `10.00`.'),
  identifier: requiredText.describe('The merchant’s mark of the payment; the hash covers it.'),
  ...payerFields,
  payer_ip: payerFields.payer_ip.unwrap(),
  payer_address: address.optional(),
  payer_return_url: requiredText.max(256, TEXTS.tooLong(256)).describe('Where the payer comes back to.'),
  ...ownFields,
});

/** The first of two steps also says where the payer lives (reference: DEBIT2VIRTUAL_CALC). */
const quoteSchema = schema.safeExtend({ payer_address: address });

type Fields = z.output<typeof schema>;
type Action = 'DEBIT2VIRTUAL' | 'DEBIT2VIRTUAL_CALC';

const debit = (action: Action, of: z.ZodType<Fields>) =>
  defineCommand({
    action,
    schema: of,
    answer: transactionSchema,
    signedBy: signedByFields('collection', ({ identifier, order_id, order_amount, order_currency }) => ({
      identifier,
      order_id,
      order_amount,
      order_currency,
    })),
    handle: (context, asker, fields, resource) => begin(context, asker, action, fields, resource),
  });

/** Debits a payer the amount and its commission at once; answered as a SALE. */
export const debitToVirtual = debit('DEBIT2VIRTUAL', schema);

/** Quotes the payer's price of a debit. Nothing is sent to a provider before DEBIT2VIRTUAL_COMPLETE; with its session the offer ends. */
export const calculateDebit = debit('DEBIT2VIRTUAL_CALC', quoteSchema);

async function begin(
  context: CommandDeps,
  asker: Asker,
  action: Action,
  fields: Fields,
  resource: Resource,
): Promise<Answer<CommandBody<TransactionBody>>> {
  const before = resource.isRetry ? await context.stores.payments.find(resource.resourceId) : undefined;
  if (before !== undefined) return again(context, action, before);
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
  const command = commandOf(action, fields);
  const session = await chargeSession(context, asker, request.session, resource, command, 'merchant');
  if (session === undefined) return duplicateAnswer();
  const start = action === 'DEBIT2VIRTUAL' ? startWithin : storeToConfirm;
  const executed = await start(context, session, prepared, fields.payer_ip);
  return executed === undefined
    ? refusedAnswer('Previous payment not completed.')
    : transactionAnswer(context, action, session, executed);
}

/** The answer to a request that comes again. The first may have ended before its callback was written. */
async function again(
  context: CommandDeps,
  action: Action,
  before: Payment,
): Promise<Answer<CommandBody<TransactionBody>>> {
  const session = await sessionOf(context, before);
  if (action === 'DEBIT2VIRTUAL_CALC') await reportWaiting(context, session, before);
  return transactionAnswer(context, action, session, { payment: before });
}

/** The session's way back is the command's `payer_return_url`. */
const sentAs = (each: Parameters<typeof asSent>[0], brand: string) =>
  each.path === 'success_url' ? [{ ...each, path: 'payer_return_url' }] : asSent(each, brand);

function requestOf(context: CommandDeps, merchant: Merchant, fields: Fields): ReadRequest {
  const { brand, parameters, payer_return_url } = fields;
  const parsed = sessionRequest(context, fields, {
    operation: 'purchase',
    successUrl: payer_return_url,
    more: { methods: [brand], ...(parameters && { parameters: { [brand]: parameters } }) },
  });
  if (!parsed.ok) return parsed;
  const { profile } = merchant;
  const total = withCommission(merchant, brand, parsed.session);
  return context.directory.registry.validateParsed(total, { today: todayOf(context), profile });
}

/** The request whose payer pays the commission too; the order's amount stays as the merchant sent it. */
function withCommission({ config }: Merchant, brand: string, session: SessionRequest): SessionRequest {
  const { amount } = session;
  if (amount === 'payer') return session;
  const rows = config.methods.find(({ key }) => key === brand)?.commissions ?? [];
  return { ...session, amount: moneyOfMinor(amount.minor + commissionOn(amount, rows).minor, amount.currency) };
}

const commandOf = (action: Action, fields: Fields): AcceptedCommand => ({
  action,
  protocol: 'apm',
  ...(fields.callback_url !== undefined && { callbackUrl: fields.callback_url }),
  payer: keptOfPayer(fields),
});
