import { minutesAfter, type SimulatedPayment, type Simulation } from '@railyard/core/simulation';
import { readPath } from '@railyard/core';
import { sampleAbsent, sampleAccount, sampleDebit, sampleServicePayment } from './collection.samples.ts';

/** An account whose merchants show the widget, for tries. */
const HAS_WIDGET = 'widget';
const SERVICE = 'OFFLINE_SERVICE_PAYMENT';

/** A transfer is paid to an account or on the widget, a service by its code or there; a debit is authorised at the bank, or was by the code of an app. */
function wayToPay({ request, payerUrl, createdAt }: SimulatedPayment) {
  const asked = (name: string) => readPath(request, name);
  const shared = { expiryDate: asked('expiryDate') ?? minutesAfter(createdAt, 60), bankAccount: undefined };
  if (asked('type') === 'PULL')
    return { ...shared, payerMessage: asked('market') === 'AR' ? sampleDebit.payerMessage : undefined };
  if (asked('accountId') === HAS_WIDGET) return { ...shared, paymentCode: undefined, widgetUrl: payerUrl };
  return asked('type') === SERVICE
    ? { ...shared, paymentCode: sampleServicePayment.paymentCode }
    : { ...shared, bankAccount: sampleAccount };
}

const shown = {
  reply: { id: 'id', merchantReference: 'reference', status: 'status', amount: 'amount', currency: 'currency' },
  compute: wayToPay,
  absent: { status: 404, body: sampleAbsent },
};

const creating = {
  ...shown,
  effect: 'charge',
  request: {
    key: 'headers.idempotency-key',
    merchantReference: 'body.reference',
    currency: 'body.currency',
    amount: 'body.amount',
  },
} as const;

/** How a local provider plays the collection provider. Every code is right. */
export const bankCollectionSimulation: Simulation & { readonly page: object } = {
  page: { returnUrl: 'body.redirectUrl' },
  endpoints: {
    'create-transfer': { ...creating, where: { 'body.type': 'OFFLINE' } },
    'create-service-payment': { ...creating, where: { 'body.type': SERVICE } },
    'create-debit': { ...creating, where: { 'body.type': 'PULL' } },
    'get-collection': { ...shown, effect: 'read', request: { id: 'params.id' } },
    'find-collection': { ...shown, effect: 'read', request: { merchantReference: 'params.reference' } },
  },
  words: { settled: 'PAID', pending: 'CREATED', declined: 'REJECTED' },
  notification: {
    url: 'body.callbackUrl',
    body: ({ id, status, amount, currency, ...payment }) => ({
      collection: { id, reference: payment.merchantReference, status, amount, currency },
    }),
  },
};
