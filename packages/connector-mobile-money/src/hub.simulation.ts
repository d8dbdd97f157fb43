import { jsonNumber, money } from '@railyard/core';
import {
  minutesAfter,
  type SimulatedEndpoint,
  type SimulatedPayment,
  type Simulation,
} from '@railyard/core/simulation';
import { sampleAbsent } from './hub.samples.ts';

const absent = { status: 404, body: sampleAbsent };
const reply = {
  id: 'data.reference',
  merchantReference: 'data.payment_reference',
  status: 'data.status',
  amount: 'data.amount',
  currency: 'data.currency',
};
const made = {
  merchantReference: 'body.reference',
  amount: 'body.amount',
  currency: 'body.currency',
  key: 'body.reference',
};
const named = { merchantReference: 'params.reference' };

/** As in the provider's sandbox: Ghana asks for a code, the franc for a page, the others for a PIN on the phone. */
function confirmationIn({ currency, payerUrl, createdAt }: SimulatedPayment): Readonly<Record<string, unknown>> {
  const shared = { 'data.expires_at': minutesAfter(createdAt, 2) };
  if (currency === 'GHS') return { ...shared, 'data.auth_model': 'OTP' };
  if (currency === 'XOF') return { ...shared, 'data.auth_model': 'REDIRECT', 'data.redirect_url': payerUrl };
  return { ...shared, 'data.auth_model': 'STK_PROMPT' };
}

const prompted = {
  reply,
  compute: ({ createdAt }: SimulatedPayment) => ({ 'data.expires_at': minutesAfter(createdAt, 2) }),
};

/** How a local provider plays the hub. Every code is taken. */
export const hubSimulation: Simulation & { readonly page: { readonly returnUrl: string } } = {
  page: { returnUrl: 'body.redirect_url' },
  endpoints: {
    'create-charge': { effect: 'charge', request: made, reply, compute: confirmationIn },
    'send-code': { effect: 'read', request: named, ...prompted, absent },
    'resend-code': { effect: 'read', request: named, reply: { id: reply.id, status: reply.status }, absent },
    'get-charge': { effect: 'read', request: named, ...prompted, absent },
    'create-payout': { effect: 'payout', request: made, reply },
    'get-payout': { effect: 'read', request: named, reply, absent },
  } satisfies Readonly<Record<string, SimulatedEndpoint>>,
  words: { settled: 'success', pending: 'processing', declined: 'failed' },
  notification: {
    url: 'body.notification_url',
    body: ({ id, merchantReference: reference, status, amount, currency }) => ({
      event: 'payment.updated',
      data: {
        reference: id,
        payment_reference: reference,
        status,
        amount: jsonNumber(money(amount, currency)),
        currency,
      },
    }),
  },
};
