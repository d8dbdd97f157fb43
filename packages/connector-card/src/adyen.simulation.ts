import { jsonNumber, money, readPath } from '@railyard/core';
import { compactId, providerDecimals } from '@railyard/core/formats';
import type { SimulatedEffect, SimulatedEndpoint, SimulatedPayment, Simulation } from '@railyard/core/simulation';
import { DECIMALS } from './adyen-endpoints.ts';
import * as samples from './adyen.samples.ts';

const { minorUnits } = providerDecimals(DECIMALS);
const refused = { status: 422, body: samples.problem };

/** A token is named after the payment that made it. */
function more({ request, status, payerUrl, id, merchantReference }: SimulatedPayment) {
  const shopper = readPath(request, 'storePaymentMethod') === true && status === 'Authorised';
  return {
    action: status === 'RedirectShopper' ? { type: 'redirect', method: 'GET', url: payerUrl } : undefined,
    ...(status === 'Refused' && { refusalReason: 'Not enough balance', refusalReasonCode: '12' }),
    ...(shopper && {
      additionalData: {
        authCode: '044925',
        'tokenization.storedPaymentMethodId': `T${id}`,
        'tokenization.shopperReference': merchantReference,
      },
    }),
  };
}

const result = {
  reply: {
    id: 'pspReference',
    merchantReference: 'merchantReference',
    status: 'resultCode',
    amount: 'amount.value',
    currency: 'amount.currency',
  },
  compute: more,
  refused,
  example: 'answered',
} satisfies Partial<SimulatedEndpoint>;

const modifying = (effect: SimulatedEffect, amount: Partial<typeof AMOUNT> = {}): SimulatedEndpoint => ({
  effect,
  request: {
    id: 'params.paymentPspReference',
    ...(amount.amount !== undefined && { amount: `body.${amount.amount}`, currency: `body.${amount.currency}` }),
    modificationReference: 'body.reference',
    key: 'headers.idempotency-key',
  },
  reply: { id: 'paymentPspReference', modification: 'pspReference', modificationReference: 'reference', ...amount },
  absent: refused,
  refused,
});

const AMOUNT = { amount: 'amount.value', currency: 'amount.currency' };
/** Of a payment that is open there is no event about money. */
const EVENTS: Readonly<Record<string, string>> = {
  Authorised: 'AUTHORISATION',
  Refused: 'AUTHORISATION',
  CHARGEBACK: 'CHARGEBACK',
  CHARGEBACK_REVERSED: 'CHARGEBACK_REVERSED',
  EXPIRE: 'EXPIRE',
};
const CODES = { capture: 'CAPTURE', void: 'CANCELLATION', cancel: 'CANCEL_OR_REFUND', refund: 'REFUND' } as const;

/** The card of the description's example of 3-D Secure by redirect. */
const REDIRECTED = '4212345678901237';

/** How a local provider plays Adyen. */
export const adyenSimulation: Simulation = {
  amounts: 'minor-units',
  decimals: DECIMALS,
  id: (uuid) => compactId(uuid).slice(0, 16).toUpperCase(),
  endpoints: {
    'create-payment': {
      effect: 'charge',
      cases: [{ where: { 'body.additionalData.manualCapture': 'true' }, effect: 'authorize' }],
      request: {
        merchantReference: 'body.reference',
        amount: 'body.amount.value',
        currency: 'body.amount.currency',
        key: 'headers.idempotency-key',
      },
      ...result,
    },
    'payment-details': {
      effect: 'complete',
      request: { id: 'body.details.redirectResult', key: 'headers.idempotency-key' },
      ...result,
      absent: refused,
    },
    capture: modifying('capture', AMOUNT),
    refund: modifying('refund', AMOUNT),
    cancel: modifying('void'),
    reverse: modifying('cancel'),
    'list-payment-methods': { effect: 'read', request: {}, reply: {} },
  },
  words: {
    settled: 'Authorised',
    authorized: 'Authorised',
    pending: 'Received',
    declined: 'Refused',
    challenged: 'RedirectShopper',
    authenticated: 'Pending',
    disputed: 'CHARGEBACK',
    won: 'CHARGEBACK_REVERSED',
    lapsed: 'EXPIRE',
  },
  course: ({ body }) =>
    readPath(body, 'paymentMethod.number') === REDIRECTED && readPath(body, 'mpiData.cavv') === undefined
      ? { starts: 'challenged', leadsTo: 'settled', finishedBy: 'merchant' }
      : undefined,
  hidden: [
    'body.paymentMethod.number',
    'body.paymentMethod.cvc',
    'body.mpiData.cavv',
    'body.mpiData.tokenAuthenticationVerificationValue',
  ],
  page: { returnUrl: 'body.returnUrl', values: ({ id }) => ({ redirectResult: id }) },
  notification: {
    body: ({ id: pspReference, merchantReference, status, amount, currency }) =>
      samples.notification({
        pspReference,
        merchantReference,
        amount: { currency, value: jsonNumber(money(amount, currency), minorUnits) },
        eventCode: EVENTS[status] ?? 'AUTHENTICATION',
        success: String(status !== 'Refused'),
      }),
    modification: ({ id: pspReference, effect, amount, currency, status }, payment) =>
      samples.notification({
        pspReference,
        originalReference: payment.id,
        merchantReference: payment.merchantReference,
        amount: { currency, value: jsonNumber(money(amount, currency), minorUnits) },
        eventCode: CODES[effect],
        success: String(status !== 'Refused'),
      }),
  },
};
