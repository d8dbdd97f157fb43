import { jsonNumber, minorUnits, money, readPath } from '@railyard/core';
import type { SimulatedEffect, SimulatedEndpoint, SimulatedPayment, Simulation } from '@railyard/core/simulation';
import * as samples from './acquirer.samples.ts';
import { factsOfPayment, factsOfRefund } from './acquirer.simulated-facts.ts';
import { agreementOf, courseOfCard, expiryOf, hasNoBrowser, givesAgreement } from './acquirer.test-cards.ts';

const absent = { status: 404, body: samples.unknown };
const refused = { status: 409, body: samples.notAllowed };

const reported = {
  reply: { id: 'id', merchantReference: 'reference', status: 'status', amount: 'amount', currency: 'currency' },
  compute: more,
} satisfies Partial<SimulatedEndpoint>;

const opening = (effect: SimulatedEffect): SimulatedEndpoint => ({
  effect,
  request: {
    merchantReference: 'body.reference',
    key: 'body.reference',
    amount: 'body.amount',
    currency: 'body.currency',
  },
  ...reported,
  example: 'created',
  examples: { declined: 'declined' },
});

const action = {
  reply: {
    id: 'payment_id',
    modification: 'id',
    modificationReference: 'reference',
    modificationStatus: 'status',
    amount: 'amount',
    currency: 'currency',
  },
  absent,
} satisfies Partial<SimulatedEndpoint>;

const modifying = (effect: SimulatedEffect): SimulatedEndpoint => ({
  effect,
  request: {
    id: 'params.id',
    amount: 'body.amount',
    key: 'headers.idempotency-key',
    modificationReference: 'body.reference',
  },
  ...action,
  refused,
  example: 'done',
  examples: { declined: 'declined' },
});

/** Wallets and the card of December lead to a redirect. */
const isRedirect = (request: unknown): boolean =>
  readPath(request, 'wallet_type') !== undefined || expiryOf(request).startsWith('12/');

/** Where the payer is sent: to a redirect, to 3-D Secure on the acquirer's own page where their browser is not described, or to a challenge. */
function actionOf({ id, request, payerUrl: url }: SimulatedPayment) {
  if (isRedirect(request)) return { type: 'redirect', url };
  return { type: 'three_d_secure', url, ...(!hasNoBrowser(request) && { fields: { creq: `creq_${id}` } }) };
}

const cresOf = ({ id }: SimulatedPayment) => `cres_${id}`;

function more(payment: SimulatedPayment): Readonly<Record<string, unknown>> {
  const { id, request, status } = payment;
  const isDeclined = status === 'DECLINED';
  return {
    action: status === 'CHALLENGE' ? actionOf(payment) : undefined,
    cres: status === 'AUTHENTICATED' ? cresOf(payment) : undefined,
    agreement_id: givesAgreement(request) && !isDeclined ? agreementOf(id) : undefined,
    response_code: isDeclined ? '05' : '00',
    response_message: isDeclined ? 'Declined by processing.' : undefined,
    ...factsOfPayment(payment),
  };
}

function notificationOf(payment: SimulatedPayment, event: { readonly id: string; readonly now: string }) {
  const { id, merchantReference: reference, status, amount, currency } = payment;
  const { action: _action, ...beside } = more(payment);
  return {
    event_id: event.id,
    created_at: event.now,
    payment: {
      id,
      reference,
      status,
      amount: jsonNumber(money(amount, currency), minorUnits),
      currency,
      ...beside,
    },
  };
}

const ACTION_TYPES = { capture: 'capture', void: 'reversal', cancel: 'void', refund: 'refund' } as const;

/** How a local provider plays the acquirer. */
export const acquirerSimulation: Simulation = {
  amounts: 'minor-units',
  endpoints: {
    'create-sale': opening('charge'),
    'create-authorization': opening('authorize'),
    'create-debit': opening('charge'),
    'create-verification': opening('charge'),
    'create-payout': opening('payout'),
    'create-transfer': opening('charge'),
    'create-wallet-payment': opening('charge'),
    'charge-agreement': opening('charge'),
    'authorize-agreement': opening('authorize'),
    'complete-payment': {
      effect: 'complete',
      request: { id: 'params.id', key: 'headers.idempotency-key' },
      ...reported,
      absent,
      refused: { status: 422, body: samples.notAllowed },
      example: 'created',
      examples: { declined: 'declined' },
    },
    'capture-payment': modifying('capture'),
    'void-payment': modifying('cancel'),
    'reverse-authorization': modifying('void'),
    'refund-payment': { ...modifying('refund'), compute: factsOfRefund },
    'get-payment': { effect: 'read', request: { id: 'params.id' }, ...reported, absent },
    'find-payment': { effect: 'read', request: { merchantReference: 'params.reference' }, ...reported, absent },
    'get-action': { effect: 'read', request: { modification: 'params.id' }, ...action },
    'find-action': { effect: 'read', request: { modificationReference: 'params.reference' }, ...action },
  },
  words: {
    settled: 'APPROVED',
    pending: 'PENDING',
    declined: 'DECLINED',
    authorized: 'AUTHORISED',
    challenged: 'CHALLENGE',
    authenticated: 'AUTHENTICATED',
    released: 'REVERSED',
    cancelled: 'VOIDED',
    disputed: 'CHARGED_BACK',
    won: 'CHARGEBACK_WON',
    lost: 'CHARGEBACK_LOST',
    lapsed: 'HOLD_EXPIRED',
  },
  course: courseOfCard,
  hidden: [
    'body.card.number',
    'body.card.cvv',
    'body.payee.card.number',
    'body.wallet.token',
    'body.wallet.cryptogram',
    'body.three_d_secure.cryptogram',
  ],
  page: {
    returnUrl: 'body.return_url',
    values: (payment) =>
      isRedirect(payment.request) || hasNoBrowser(payment.request)
        ? { payment_id: payment.id }
        : { cres: cresOf(payment) },
  },
  notification: {
    url: 'body.notification_url',
    body: notificationOf,
    modification: ({ id, effect, merchantReference, status, amount, currency }, payment, event) => ({
      ...notificationOf(payment, event),
      action: {
        id,
        type: ACTION_TYPES[effect],
        reference: merchantReference,
        status,
        amount: jsonNumber(money(amount, currency), minorUnits),
        currency,
        response_code: status === 'DECLINED' ? '05' : '00',
        ...(effect === 'refund' && factsOfRefund(payment)),
      },
    }),
  },
};
