import { readPath } from '@railyard/core';
import type { SimulatedPayment, SimulatedRequest, Simulation } from '@railyard/core/simulation';
import { sampleAbsent, sampleCode, sampleData, samplePrompt, sampleSpent } from './gateway.samples.ts';

/** By the word of the request for what the payer is shown. A simulated app is a page too. */
function shownBy({ request, payerUrl }: SimulatedPayment) {
  switch (readPath(request, 'show')) {
    case 'widget':
      return { widget_url: payerUrl };
    case 'app':
      return { app_url: payerUrl };
    case 'code':
      return { code_text: sampleCode.code_text };
    case 'data':
      return { pay_with: sampleData.pay_with };
    case 'request':
      return { prompt: samplePrompt.prompt };
    case 'link':
      return { link_sent_by: readPath(request, 'method') === 'link-sms' ? 'sms' : 'email' };
    default:
      return { page_url: payerUrl };
  }
}

const answered = {
  reply: { id: 'payment_id', merchantReference: 'our_id', status: 'status', amount: 'amount', currency: 'currency' },
  absent: { status: 404, body: sampleAbsent },
};
const lookedUp = { ...answered, effect: 'read', compute: shownBy } as const;

const opening = (show: string) => ({
  ...answered,
  effect: 'charge' as const,
  where: { 'body.show': show },
  compute: shownBy,
  request: {
    merchantReference: 'body.our_id',
    key: 'headers.x-once',
    amount: 'body.amount',
    currency: 'body.currency',
  },
});

/** The challenge of one payment, which no other payment may be made with. */
const challengeOf = ({ body }: SimulatedRequest) => `ch_${String(readPath(body, 'our_id'))}`;

/** How a local provider plays the gateway. */
export const walletGatewaySimulation: Simulation & { readonly page: object } = {
  page: { returnUrl: 'body.come_back_to' },
  course: (request) =>
    readPath(request.body, 'method') === 'wallet-payin' &&
    readPath(request.body, 'challenge_id') !== challengeOf(request)
      ? { refused: { status: 422, body: sampleSpent } }
      : undefined,
  endpoints: {
    'ask-challenge': {
      effect: 'read',
      request: {},
      reply: {},
      answers: (request) => ({ challenge_id: challengeOf(request) }),
    },
    'open-page': opening('page'),
    'open-widget': opening('widget'),
    'open-app': opening('app'),
    'open-code': opening('code'),
    'open-data': opening('data'),
    'ask-payer': opening('request'),
    'send-link': opening('link'),
    'get-payment': { ...lookedUp, request: { id: 'params.payment_id' } },
    'find-payment': { ...lookedUp, request: { merchantReference: 'params.our_id' } },
  },
  words: { settled: 'paid', pending: 'waiting', declined: 'rejected' },
  notification: {
    url: 'body.tell',
    body: ({ id, merchantReference, status, amount, currency }, { id: event }) => ({
      notification_id: event,
      payment_id: id,
      our_id: merchantReference,
      status,
      amount,
      currency,
    }),
  },
};
