import { JsonNumberLiteral, readPath } from '@railyard/core';
import { currencyNumber } from '@railyard/core/formats';
import type { SimulatedPayment, Simulation } from '@railyard/core/simulation';
import { sampleAbsent, sampleUsed } from './signed-deposit.samples.ts';

const numberOf = ({ currency }: Pick<SimulatedPayment, 'currency'>) => Number(currencyNumber(currency));

/** A payer of this last name has a wallet in another one: the deposit, once it is declined, is closed and no longer known. */
export const MISMATCHED = 'Mismatch';
const isForgotten = ({ request, status }: SimulatedPayment) =>
  status === 'declined' && readPath(request, 'LastName') === MISMATCHED;

const absent = { status: 404, body: sampleAbsent };
const reported = {
  reply: { id: 'TransactionId', merchantReference: 'PublicTransactionId', status: 'Status', amount: 'Amount' },
  compute: (payment: SimulatedPayment) => ({
    CurrencyId: numberOf(payment),
    Url: payment.payerUrl,
    ...(isForgotten(payment) && sampleAbsent),
  }),
  absent,
};
const ours = 'body.PublicTransactionId';

/** How a local provider plays the one of signed deposits. */
export const signedDepositSimulation: Simulation & { readonly page: object } = {
  page: { returnUrl: 'body.ReturnUrl' },
  endpoints: {
    'create-deposit': {
      effect: 'charge',
      request: { merchantReference: ours, key: ours, amount: 'body.Amount', currency: 'body.CurrencyId' },
      ...reported,
      used: { status: 409, body: sampleUsed },
    },
    'deposit-status': { effect: 'read', example: 'found', request: { merchantReference: ours }, ...reported },
  },
  words: { settled: 'paid', pending: 'open', declined: 'declined' },
  notification: {
    url: 'body.CallbackUrl',
    body: (payment) => ({
      TransactionId: payment.id,
      Amount: new JsonNumberLiteral(payment.amount),
      CurrencyId: numberOf(payment),
      Parameters: [{ Key: 'PublicTransactionId', Value: payment.merchantReference }],
      Status: isForgotten(payment) ? 'closed' : payment.status,
    }),
  },
};
