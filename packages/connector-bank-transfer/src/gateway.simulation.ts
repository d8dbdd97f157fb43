import { readPath } from '@railyard/core';
import { minutesAfter, type SimulatedPayment, type Simulation } from '@railyard/core/simulation';
import {
  sampleAbsent,
  sampleAccounts,
  sampleCode,
  sampleDeposit,
  samplePayee,
  samplePrompt,
} from './gateway.samples.ts';

const THREE_DAYS = 3 * 24 * 60;
/** The ways that are paid on a page of the bank. */
const AT_BANK = ['bank-ar', 'bank-mx', 'bank-code-tr', 'wallet-tr', 'wallet-th', 'iban-tr'];

/** A way is paid by a code, in the app of the bank, on its page, or, as a deposit and in Mexico, to an account. */
function wayToPay({ request, payerUrl, createdAt }: SimulatedPayment) {
  const way = readPath(request, 'way');
  if (way === 'bank-deposit')
    return { bank_page: undefined, pay_to: sampleDeposit.pay_to, pay_before: minutesAfter(createdAt, THREE_DAYS) };
  if (way === 'bank-redirect' && readPath(request, 'country') === 'MX')
    return { bank_page: undefined, pay_to: samplePayee };
  if (way === 'bank-beneficiary') return { bank_page: undefined };
  if (way === 'qr-th') return { bank_page: undefined, qr_text: sampleCode.qr_text };
  return way === 'bank-account' ? { bank_page: undefined, prompt: samplePrompt.prompt } : { bank_page: payerUrl };
}

const shown = {
  reply: { id: 'transfer_id', merchantReference: 'our_id', status: 'state', amount: 'amount', currency: 'currency' },
  compute: wayToPay,
  absent: { status: 404, body: sampleAbsent },
};

const opening = {
  ...shown,
  effect: 'charge',
  request: {
    merchantReference: 'body.our_id',
    key: 'headers.x-request-key',
    amount: 'body.amount',
    currency: 'body.currency',
  },
} as const;

/** In the description of an order whose payer is asked for a code at every stage, for tries; others are asked once, at the end. */
const AT_EVERY_STAGE = 'code at every stage';

const beneficiary = { kind: 'beneficiary' };
const account = { kind: 'account', accounts: sampleAccounts };
const codeAt = (challenge: string) => ({ kind: 'code', challenge });

/** The step after a stage, with a code before it where the order wants one. */
const unlessCode = (stage: string, next: object) => (payment: SimulatedPayment) => ({
  next: String(readPath(payment.request, 'description')).includes(AT_EVERY_STAGE) ? codeAt(stage) : next,
});
const step = {
  ...shown,
  compute: () => ({ next: undefined }),
  effect: 'read',
  request: { id: 'params.transfer_id' },
} as const;

/** How a local provider plays the gateway. Every answer of a payer is right. */
export const bankGatewaySimulation: Simulation & { readonly page: object } = {
  page: { returnUrl: 'body.back_to' },
  endpoints: {
    'open-code': { ...opening, where: { 'body.way': 'qr-th' } },
    'open-prompt': { ...opening, where: { 'body.way': 'bank-account' } },
    'open-account': { ...opening, where: { 'body.way': 'bank-deposit' } },
    'open-by-country': { ...opening, where: { 'body.way': 'bank-redirect' } },
    'open-in-steps': {
      ...opening,
      where: { 'body.way': 'bank-beneficiary' },
      compute: unlessCode('start', beneficiary),
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
    'resend-code': { effect: 'read', request: { id: 'params.transfer_id' }, reply: {}, absent: shown.absent },
    'open-transfer': { ...opening, where: { 'body.way': AT_BANK } },
    'list-banks': { effect: 'read', request: {}, reply: {} },
    'get-transfer': { effect: 'read', request: { id: 'params.transfer_id' }, ...shown },
    'find-transfer': { effect: 'read', request: { merchantReference: 'params.our_id' }, ...shown },
  },
  hidden: ['body.otp'],
  words: { settled: 'done', pending: 'opened', declined: 'refused' },
  notification: {
    url: 'body.report_to',
    body: (payment, { id: event }) => ({
      event,
      transfer_id: payment.id,
      our_id: payment.merchantReference,
      state: payment.status,
      amount: payment.amount,
      currency: payment.currency,
    }),
  },
};
