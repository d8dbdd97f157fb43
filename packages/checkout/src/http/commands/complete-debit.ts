import * as z from 'zod';
import { confirmPayment } from '../../payments/operations/confirm-payment.ts';
import { sessionOf } from '../../payments/transitions/apply.ts';
import { type Command, defineCommand } from './command.ts';
import { refusedBy } from './error-codes.ts';
import { namedPayment, namingFields, signedByNamed } from './named-payment.ts';
import { transactionAnswer } from './transaction-answer.ts';

const ACTION = 'DEBIT2VIRTUAL_COMPLETE';

/**
 * Confirms what DEBIT2VIRTUAL_CALC said: the payer is debited (reference: DEBIT2VIRTUAL_COMPLETE). One that was confirmed before, or whose session
 * is over, is answered as it stands.
 */
export const completeDebit: Command = defineCommand({
  action: ACTION,
  schema: z.object(namingFields),
  signedBy: (fields, context) => signedByNamed(context, fields, 'apm', 'transaction', 'transaction'),
  async handle(context, { scope }, fields) {
    const payment = await namedPayment(context, scope, fields);
    const session = payment && (await sessionOf(context, payment));
    if (session?.command?.action !== 'DEBIT2VIRTUAL_CALC' || payment === undefined) return refusedBy('transaction');
    return transactionAnswer(context, ACTION, session, await confirmPayment(context, session, payment));
  },
});
