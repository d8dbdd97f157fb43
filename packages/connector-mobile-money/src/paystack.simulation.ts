import { jsonNumber, minorUnits, money, readPath } from '@railyard/core';
import type { SimulatedEndpoint, SimulatedPayment, Simulation } from '@railyard/core/simulation';
import {
  sampleAbsent,
  sampleFetchedRefund,
  sampleNotification,
  sampleRefundNotification,
  sampleRefunds,
  sampleRefusal,
  sampleTransferNotification,
} from './paystack.samples.ts';

const absent = { status: 404, body: sampleAbsent };
const refused = { status: 400, body: sampleRefusal };
const reply = {
  merchantReference: 'data.reference',
  status: 'data.status',
  amount: 'data.amount',
  currency: 'data.currency',
};
const made = {
  merchantReference: 'body.reference',
  key: 'body.reference',
  amount: 'body.amount',
  currency: 'body.currency',
};
const named = { merchantReference: 'params.reference' };
const read = { effect: 'read', request: named, reply, absent } as const;
const submitted = {
  effect: 'complete',
  bringsCode: true,
  request: { merchantReference: 'body.reference', key: 'body.reference' },
  reply,
  absent,
  refused,
} satisfies SimulatedEndpoint;
const refund = {
  modification: 'data.id',
  modificationReference: 'data.merchant_note',
  modificationStatus: 'data.status',
  amount: 'data.amount',
  currency: 'data.currency',
};

/** Vodafone's payers enter a code; the others confirm on the phone. */
const wantsCode = (body: unknown) => readPath(body, 'mobile_money.provider') === 'vod';

const isTransfer = ({ request }: SimulatedPayment) => readPath(request, 'recipient') !== undefined;

const minor = ({ amount, currency }: Pick<SimulatedPayment, 'amount' | 'currency'>) =>
  jsonNumber(money(amount, currency), minorUnits);

/** How a local provider plays Paystack. */
export const paystackSimulation: Simulation = {
  amounts: 'minor-units',
  id: (uuid) => String(Number.parseInt(uuid.replaceAll('-', '').slice(0, 8), 16)),
  endpoints: {
    'create-charge': { effect: 'charge', request: made, reply, refused },
    'submit-otp': submitted,
    'submit-phone': submitted,
    'check-charge': read,
    'verify-charge': read,
    'create-recipient': { effect: 'read', request: {}, reply: {} },
    'create-transfer': { effect: 'payout', request: made, reply, refused },
    'verify-transfer': read,
    'create-refund': {
      effect: 'refund',
      request: {
        merchantReference: 'body.transaction',
        modificationReference: 'body.merchant_note',
        amount: 'body.amount',
      },
      reply: { ...refund, merchantReference: 'data.transaction.reference' },
      compute: (_payment, modification) => ({ 'data.id': Number(modification?.id) }),
      absent,
      refused,
    },
    'get-refund': {
      effect: 'read',
      request: { modification: 'params.id' },
      reply: { ...refund, merchantReference: 'data.transaction_reference' },
      compute: (_payment, modification) => ({ 'data.id': Number(modification?.id) }),
      absent,
    },
    'list-refunds': {
      effect: 'read',
      request: {},
      reply: {},
      lists: ({ actions }) => ({
        ...sampleRefunds,
        data: actions.map(({ action: { id, merchantReference: merchant_note, status, ...of }, payment }) => ({
          ...sampleFetchedRefund,
          id: Number(id),
          merchant_note,
          status,
          amount: minor(of),
          currency: of.currency,
          transaction_reference: payment.merchantReference,
        })),
      }),
    },
  },
  words: {
    settled: 'success',
    pending: 'pay_offline',
    declined: 'failed',
    challenged: 'send_otp',
    authenticated: 'pending',
  },
  effectWords: {
    payout: { pending: 'pending' },
    refund: { settled: 'processed', pending: 'pending' },
  },
  course: ({ body }) =>
    wantsCode(body) ? { starts: 'challenged', leadsTo: 'settled', finishedBy: 'merchant' } : undefined,
  notification: {
    body: (payment) => {
      const { id, merchantReference: reference, status, currency } = payment;
      const { event, data } = isTransfer(payment) ? sampleTransferNotification : sampleNotification;
      const said = {
        id: Number(id),
        reference,
        status,
        amount: minor(payment),
        currency,
      };
      return { event: event.replace(/success$/, status), data: { ...data, ...said } };
    },
    modification: ({ status, amount, currency }, { merchantReference: transaction_reference }) => ({
      event: `refund.${status}`,
      data: {
        ...sampleRefundNotification.data,
        status,
        transaction_reference,
        amount: String(minor({ amount, currency })),
        currency,
      },
    }),
  },
};
