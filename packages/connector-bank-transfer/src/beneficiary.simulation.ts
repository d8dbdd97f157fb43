import { readPath } from '@railyard/core';
import type { SimulatedPayment, Simulation } from '@railyard/core/simulation';
import { sampleAbsent, sampleAccounts } from './beneficiary.samples.ts';

/** In the description of an order whose payer is asked for a code at every stage, for tries; others are asked once, at the end. */
const AT_EVERY_STAGE = 'code at every stage';

const beneficiary = { kind: 'beneficiary' };
const account = { kind: 'account', accounts: sampleAccounts };
const codeAt = (challenge: string) => ({ kind: 'code', challenge });

/** The step after a stage, with a code before it where the order wants one. */
const unlessCode = (stage: string, next: object) => (payment: SimulatedPayment) => ({
  next: String(readPath(payment.request, 'description')).includes(AT_EVERY_STAGE) ? codeAt(stage) : next,
});

const shown = {
  reply: { id: 'transfer', merchantReference: 'ours', status: 'state', amount: 'amount', currency: 'currency' },
  compute: () => ({ next: undefined }),
  absent: { status: 404, body: sampleAbsent },
};
const step = { ...shown, effect: 'read', request: { id: 'params.transfer' } } as const;

/** How a local provider plays the provider of transfers in steps. Every answer is right. */
export const bankBeneficiarySimulation: Simulation = {
  endpoints: {
    'open-transfer': {
      ...shown,
      compute: unlessCode('start', beneficiary),
      effect: 'charge',
      request: {
        merchantReference: 'body.ours',
        key: 'headers.idempotency-key',
        amount: 'body.amount',
        currency: 'body.currency',
      },
    },
    'give-beneficiary': { ...step, compute: unlessCode('beneficiary', account) },
    'choose-account': { ...step, compute: () => ({ next: codeAt('account') }) },
    'confirm-code': {
      ...step,
      cases: [
        { where: { 'body.challenge': 'start' }, compute: () => ({ next: beneficiary }) },
        { where: { 'body.challenge': 'beneficiary' }, compute: () => ({ next: account }) },
      ],
    },
    'resend-code': { effect: 'read', request: { id: 'params.transfer' }, reply: {}, absent: shown.absent },
    'get-transfer': step,
    'find-transfer': { ...step, request: { merchantReference: 'params.ours' } },
  },
  words: { settled: 'done', pending: 'open', declined: 'refused' },
  hidden: ['body.code'],
  notification: {
    url: 'body.report_to',
    body: ({ id: transfer, merchantReference: ours, status: state, amount, currency }, { id: event }) => ({
      event,
      transfer,
      ours,
      state,
      amount,
      currency,
    }),
  },
};
