import { money } from '@railyard/core';
import { shortDecimal } from '@railyard/core/formats';
import type { SimulatedEndpoint, SimulatedModification, SimulatedPayment, Simulation } from '@railyard/core/simulation';
import {
  sampleAbsent,
  sampleDuplicate,
  sampleListedReversal,
  sampleRefusal,
  sampleReversal,
  sampleTransaction,
} from './gsma.samples.ts';

const absent = { status: 404, body: sampleAbsent };
const ours = 'requestingOrganisationTransactionReference';

/** Either a payment or its reversal. */
const state = {
  reply: {
    id: 'serverCorrelationId',
    modification: 'serverCorrelationId',
    status: 'status',
    modificationStatus: 'status',
  },
  compute: ({ id }: SimulatedPayment, reversal?: SimulatedModification) => ({ objectReference: reversal?.id ?? id }),
} satisfies Partial<SimulatedEndpoint>;

const refused = { status: 400, body: { ...sampleRefusal, errorCode: 'incorrectState' } };

/** How a local provider plays one with the GSMA Mobile Money API. A request and its transaction have one id. */
export const gsmaSimulation: Simulation = {
  amounts: 'short-decimal',
  endpoints: {
    authenticate: { effect: 'credential', request: {}, reply: {} },
    'get-response': {
      effect: 'read',
      request: {
        merchantReference: 'params.clientCorrelationId',
        modificationReference: 'params.clientCorrelationId',
      },
      reply: {},
      compute: ({ id }, reversal) => ({ link: `/transactions/${reversal?.id ?? id}` }),
      absent,
    },
    'get-request-state': {
      effect: 'read',
      request: { id: 'params.serverCorrelationId', modification: 'params.serverCorrelationId' },
      ...state,
      absent,
    },
    'get-transaction': {
      effect: 'read',
      request: { id: 'params.transactionReference', modification: 'params.transactionReference' },
      reply: {
        id: 'transactionReference',
        merchantReference: ours,
        status: 'transactionStatus',
        amount: 'amount',
        currency: 'currency',
        modification: 'transactionReference',
        modificationReference: ours,
        modificationStatus: 'transactionStatus',
      },
      absent,
    },
    'create-transaction': {
      effect: 'charge',
      request: {
        merchantReference: `body.${ours}`,
        amount: 'body.amount',
        currency: 'body.currency',
        key: 'headers.x-correlationid',
      },
      ...state,
      cases: [{ where: { 'params.transactionType': 'disbursement' }, effect: 'payout' }],
      refused,
      used: { status: 400, body: sampleDuplicate },
    },
    'list-reversals': {
      effect: 'read',
      request: {},
      reply: {},
      lists: ({ actions }) =>
        actions.map(({ action: { id, ...reversal }, payment }) => ({
          ...sampleListedReversal,
          transactionReference: id,
          originalTransactionReference: payment.id,
          ...written(reversal),
        })),
    },
    'create-reversal': {
      effect: 'refund',
      request: {
        id: 'params.transactionReference',
        modificationReference: `body.${ours}`,
        amount: 'body.amount',
        currency: 'body.currency',
        key: 'headers.x-correlationid',
      },
      ...state,
      refused,
      used: { status: 400, body: sampleDuplicate },
    },
  },
  words: { settled: 'completed', pending: 'pending', declined: 'failed' },
  notification: {
    method: 'PUT',
    url: 'headers.x-callback-url',
    body: ({ id, ...payment }) => ({ ...sampleTransaction, transactionReference: id, ...written(payment) }),
    modification: ({ id, ...reversal }, payment) => ({
      ...sampleReversal,
      transactionReference: id,
      originalTransactionReference: payment.id,
      ...written(reversal),
    }),
  },
};

const written = ({
  merchantReference,
  status,
  amount,
  currency,
}: Omit<SimulatedPayment | SimulatedModification, 'id'>) => ({
  [ours]: merchantReference,
  transactionStatus: status,
  amount: shortDecimal(money(amount, currency)),
  currency,
});
