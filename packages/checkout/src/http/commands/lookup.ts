import { MODIFICATIONS } from '@railyard/core/payment';
import type { SessionRequest } from '@railyard/core/protocol';
import * as z from 'zod';
import { browserFor, callbackDate, statusFields } from '../../callbacks/fields.ts';
import {
  MODIFICATION_WORDS,
  declineReason,
  lookupSchema,
  ofTest,
  standing,
  transactionDate,
  type LookupBody,
} from '../../callbacks/body.ts';
import { sessionOf } from '../../payments/change/apply.ts';
import { hasMandate, mandateTokens, stateOf } from '../../payments/payment.ts';
import { scheduleEcho } from '../../payments/charge.ts';
import { maskedCard } from '../../cards/card.ts';
import type { MerchantScope, Payment } from '../../storage/index.ts';
import { requiredText } from '../basics/call.ts';
import {
  defineCommand,
  detailsSchema,
  refusedBy,
  signedFields,
  type Command,
  type DetailsBody,
  type TransactionPart,
} from './command.ts';
import type { CommandDeps } from '../deps.ts';
import {
  namedPayment,
  namingFields,
  redirectOf,
  signedByNamed,
  signedByPayment,
  type SignedAs,
} from './transactions.ts';

const byTransaction = z.object(namingFields);
const byOrder = z.object({
  client_key: signedFields.client_key,
  order_id: requiredText.describe('The number of the order.'),
  hash: signedFields.hash,
});

/**
 * How a transaction stands (reference: GET_TRANS_STATUS). The code of one that does not exist is that of S2S CARD: for APM none is
 * published (protocol: Errors).
 */
export const getTransStatus = (as: SignedAs): Command =>
  defineCommand({
    action: 'GET_TRANS_STATUS',
    schema: byTransaction,
    answer: lookupSchema,
    signedBy: (fields, context) => signedByNamed(context, fields, as, 'transaction', 'transaction'),
    readsOnly: true,
    async handle(context, { scope }, fields) {
      const payment = await namedPayment(context, scope, fields);
      if (payment === undefined) return refusedBy('transaction');
      return { status: 200, body: await statusBody(context, 'GET_TRANS_STATUS', payment, scope) };
    },
  });

/** How the newest payment of an order stands (reference: Lookups). */
export const getTransStatusByOrder: Command = defineCommand({
  action: 'GET_TRANS_STATUS_BY_ORDER',
  schema: byOrder,
  answer: lookupSchema,
  signedBy: ({ client_key, order_id, hash }, context) =>
    signedByPayment(context, {
      client_key,
      hash,
      find: (scope) => newestOf(context, scope, order_id),
      formula: 'card_order',
      covered: (values) => ({ ...values, order_id }),
      notFound: refusedBy('order'),
    }),
  readsOnly: true,
  async handle(context, { scope }, { order_id }) {
    const payment = await newestOf(context, scope, order_id);
    if (payment === undefined) return refusedBy('order');
    return { status: 200, body: await statusBody(context, 'GET_TRANS_STATUS_BY_ORDER', payment, scope) };
  },
});

/** A transaction with its payer, its card and its parts (reference: Lookups). */
export const getTransDetails: Command = defineCommand({
  action: 'GET_TRANS_DETAILS',
  schema: byTransaction,
  answer: detailsSchema,
  signedBy: (fields, context) => signedByNamed(context, fields, 'either', 'transaction', 'transaction'),
  readsOnly: true,
  async handle(context, { scope }, fields) {
    const payment = await namedPayment(context, scope, fields);
    if (payment === undefined) return refusedBy('transaction');
    return { status: 200, body: await detailsBody(context, payment, scope) };
  },
});

const newestOf = async ({ stores }: CommandDeps, scope: MerchantScope, order: string): Promise<Payment | undefined> =>
  (await stores.payments.ofOrder(scope, order, 1))[0];

async function statusBody(
  context: CommandDeps,
  action: string,
  payment: Payment,
  { test }: MerchantScope,
): Promise<LookupBody> {
  const session = await sessionOf(context, payment);
  const { request, merchant } = session;
  const next = stateOf(payment);
  const {
    status,
    result: _own,
    ...redirect
  } = standing(next, await redirectOf(context, session, { payment }), {
    action: session.command?.action,
    operation: payment.operation,
  });
  const isBegun = hasMandate(context, payment, request, next);
  const isAskedFor = request.recurring_init || request.schedule_id !== undefined;
  const mandate = isBegun && isAskedFor ? await mandateTokens(context, payment) : undefined;
  const { statusData } = merchant.config;
  const card = payment.cardId === null ? undefined : await context.stores.cards.find(payment.cardId);
  const browser = await browserFor(context, payment, statusData);
  return {
    action,
    // The lookup's own result: it succeeded, also where the transaction failed.
    result: 'SUCCESS',
    status,
    order_id: request.order.number,
    trans_id: payment.merchantReference,
    ...declineReason(status, payment.reason),
    ...redirect,
    ...(mandate && { recurring_token: mandate.recurring_token }),
    ...(await scheduleEcho(context, payment, session, mandate)),
    ...(payment.digitalWallet !== null && { digital_wallet: payment.digitalWallet }),
    ...(statusData.includes('card') && card && maskedCard(card)),
    ...statusFields(payment, session, { browser, card }),
    ...ofTest(test),
  };
}

async function detailsBody(context: CommandDeps, payment: Payment, scope: MerchantScope): Promise<DetailsBody> {
  const body = await statusBody(context, 'GET_TRANS_DETAILS', payment, scope);
  const { request } = await sessionOf(context, payment);
  const { customer, order } = request;
  const card = payment.cardId === null ? undefined : await context.stores.cards.find(payment.cardId);
  return {
    ...body,
    ...(customer?.name !== undefined && { name: customer.name }),
    ...(customer?.email !== undefined && { mail: customer.email }),
    ...(payment.payerIp !== null && { ip: payment.payerIp }),
    amount: order.amount ?? payment.received?.text ?? '',
    currency: order.currency,
    ...(card && { card: maskedCard(card).card }),
    ...(payment.panType !== null && { pan_type: payment.panType }),
    transactions: await partsOf(context, payment, request),
  };
}

const STATUSES = { SUCCESS: 'success', DECLINED: 'fail', UNDEFINED: 'waiting' } as const;

/** The beginning of the payment, then its modifications, in order. */
async function partsOf(
  { stores }: CommandDeps,
  payment: Payment,
  { auth, order }: SessionRequest,
): Promise<readonly TransactionPart[]> {
  const isOver = payment.state === 'declined' || payment.state === 'expired';
  const isOpen = payment.state === 'created' || payment.state === 'pending' || payment.unknown;
  const amount = order.amount ?? payment.received?.text ?? '';
  const began: TransactionPart = {
    type: payment.operation === 'credit' ? 'credit' : auth ? 'auth' : 'sale',
    status: isOver ? 'fail' : isOpen ? 'waiting' : 'success',
    date: transactionDate(payment),
    amount,
  };
  const modifications = (await stores.modifications.ofPayment(payment.id)).map(
    ({ kind, state, amount: { text }, updatedAt }): TransactionPart => ({
      type: kind === 'refund' && payment.operation === 'debit' ? 'reversal' : MODIFICATIONS[kind].part,
      status: STATUSES[MODIFICATION_WORDS[state]],
      date: callbackDate(updatedAt.getTime()),
      amount: text,
    }),
  );
  const taken: readonly TransactionPart[] =
    payment.state === 'charged_back'
      ? [{ type: 'chargeback', status: 'success', date: callbackDate(payment.updatedAt.getTime()), amount }]
      : [];
  return [began, ...modifications, ...taken];
}
