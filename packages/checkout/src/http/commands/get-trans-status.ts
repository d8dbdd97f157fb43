import { transactionWords } from '@railyard/core/payment';
import { notFoundCode, refusedAnswer } from '@railyard/core/protocol';
import * as z from 'zod';
import { browserFor, statusFields } from '../../callbacks/content/optional-fields.ts';
import { requiredText } from '../basics/signed-request.ts';
import { sessionOf } from '../../payments/transitions/apply.ts';
import { stateOf } from '../../payments/state/payment-state.ts';
import { defineCommand } from './command.ts';
import { declineReason, ofTest } from '../../callbacks/content/transaction-body.ts';

const ACTION = 'GET_TRANS_STATUS';

const schema = z.object({ client_key: requiredText, trans_id: requiredText, hash: requiredText });

/**
 * How a transaction stands (reference: GET_TRANS_STATUS). The code of one that does not exist is that of S2S CARD: for APM none is
 * published (protocol: Errors).
 */
export const getTransStatus = defineCommand({
  action: ACTION,
  schema,
  formula: 'transaction',
  readsOnly: true,
  async handle(context, { scope }, { trans_id }) {
    const payment = await context.stores.payments.findByTransaction(scope, trans_id.toLowerCase());
    if (payment === undefined) return refusedAnswer('Transaction does not exist.', notFoundCode);
    const session = await sessionOf(context, payment);
    const browser = await browserFor(context, payment, session.merchant.config.statusData);
    const { status } = transactionWords(stateOf(payment));
    const body = {
      action: ACTION,
      // The lookup's own: it went well, whatever became of the transaction.
      result: 'SUCCESS',
      status,
      order_id: session.request.order.number,
      trans_id: payment.merchantReference,
      ...declineReason(status, payment.reason),
      ...statusFields(payment, session, browser),
      ...ofTest(scope.test),
    };
    return { status: 200, body };
  },
});
