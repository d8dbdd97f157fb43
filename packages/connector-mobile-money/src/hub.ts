import {
  amountOf,
  call,
  type ContextOf,
  declined,
  defineConnector,
  jsonNumber,
  type LookedUpPayment,
  notFound,
  notificationsFor,
  ofThisPayment,
  type Outcome,
  type RawNotification,
  redirect,
  type Show,
  type Steps,
  unlessTakenBefore,
} from '@railyard/core';
import { withoutPlus } from '@railyard/identifiers/phone';
import * as z from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { askCode, type CodeSteps, NOT_SENT } from './ask-code.ts';
import { afterLookup, promptOn } from './handset.ts';
import {
  api,
  type Charge,
  confirmation,
  createCharge,
  createPayout,
  getCharge,
  getPayout,
  notifiedData,
  type problemBody,
  reasons,
  resendCode,
  sendCode,
  settings,
  type Settings,
  SOURCE,
  statuses,
  TAKEN_BEFORE,
  TIMED_OUT,
  type ChargeReply,
} from './hub-endpoints.ts';
import { samplePayout } from './hub.samples.ts';
import { mobileMoney } from './methods.ts';

// Meaning of replies.

/** The outcome of a charge or a payout that was looked up by our reference. */
function answeredOutcome(reply: ChargeReply, merchantReference: string, show?: Show): Outcome {
  return ofThisPayment(statuses.read({ ...factsOf(reply), show }), { merchantReference }, reply.payment_reference);
}

const factsOf = ({ reference, status, failure_code: code, ...amount }: ChargeReply) => ({
  word: status,
  providerReference: reference,
  amount: amountOf(amount),
  code,
});

/** The display for the payer. An unknown word shows nothing: the page waits. */
function showOf(charge: Charge, number?: string): Show | undefined {
  const { message, redirect_url: url, expires_at: expiresAt } = charge;
  switch (confirmation(charge)) {
    case 'STK_PROMPT':
      return promptOn({ number, message, expiresAt });
    case 'REDIRECT':
      return url === undefined ? undefined : redirect({ url });
    default:
      return undefined;
  }
}

/** A request that the provider did not take: the same one is not taken again, whatever its code is for one that fails later. */
function refusal({ error: { code, message } }: z.output<typeof problemBody>): Outcome {
  const known =
    reasons.get(code) ?? ({ code: 'declined_by_provider', reason: 'The provider refused the request.' } as const);
  const refused = declined('hard', known.code, {
    ...(known.reason !== undefined && { reason: known.reason }),
    provider: { code, ...(message !== undefined && { message }) },
  });
  return unlessTakenBefore(refused, TAKEN_BEFORE);
}

/** Nothing but the event's name stands outside of `data`. */
const FRAME = /^\{"event":"[a-z._]{1,64}","data":(\{[^]*\})\}$/;

/**
 * The provider signs the JSON of `data` alone, byte for byte. Another frame around it is not its own: no text is signed by an empty one.
 * The event's name is not signed, so nothing depends on it.
 */
function signedData({ body }: RawNotification): string {
  return FRAME.exec(body)?.[1] ?? '';
}

const notifications = notificationsFor(settings)({
  verify: {
    scheme: 'hmac',
    algorithm: 'sha256',
    header: 'x-signature',
    encoding: 'hex',
    key: ({ webhook_secret }) => webhook_secret,
    over: signedData,
  },
  vectors: { none: 'The provider is made up for this project, and no library but ours signs for it.' },
  codec: 'json',
  body: z.object({ data: notifiedData }),
  // The provider numbers no events; a charge or a payout takes each status once.
  events: ({ data }) => statuses.events(`${data.reference}/${data.status}`, data.payment_reference, factsOf(data)),
  // Anything but 200 is sent again, for three days.
  acknowledge: { status: 200 },
  examples: [
    {
      body: {
        event: 'payout.updated',
        data: { ...samplePayout, payment_reference: '0b5cdb2e-0d6c-4a0f-9b57-6c2f0d8e4a11', status: 'success' },
      },
      source: SOURCE,
    },
  ],
});

// The connector.

type Purchase = ContextOf<Settings, typeof mobileMoney, 'purchase'>;
type Credit = ContextOf<Settings, typeof mobileMoney, 'credit'>;

const SHORTEST_REFERENCE = 8;

/** The provider wants at least eight characters. Ours is unique for ever, an order's number is not. */
function referenceFor({ merchantReference: reference }: Pick<LookedUpPayment, 'merchantReference'>): string {
  return reference.padStart(SHORTEST_REFERENCE, '0');
}

/** Collects from a phone: by a prompt on it, after a code, or on a page of the provider's. */
function* purchase({ payment, settings, urls }: Purchase): Steps<Outcome> {
  const { mobile_number: number } = payment.parameters;
  const reference = referenceFor(payment);
  const answer = yield* call(createCharge, {
    reference,
    amount: jsonNumber(payment.amount),
    currency: payment.order.currency,
    description: payment.order.description,
    customer: { email: payment.needed['customer.email'], name: payment.customer?.name },
    mobile_money: { number: withoutPlus(number) },
    merchant_bears_cost: settings.merchant_bears_fees,
    notification_url: urls.notify,
    redirect_url: urls.return,
  });
  if (answer.reply === 'refused') return refusal(answer.body);
  const confirmed = yield* askCode(answer.body.data, codeSteps(reference));
  if (confirmed.kind === 'over') return confirmed.outcome;
  return answeredOutcome(confirmed.payment, reference, showOf(confirmed.payment, number));
}

/** After the code there is a prompt or a page: the provider's reply says which. */
function codeSteps(reference: string): CodeSteps<Charge> {
  return {
    waits: (charge) => statuses.rows[charge.status] === 'pending' && confirmation(charge) === 'OTP',
    *send(code) {
      const answer = yield* call(sendCode, { reference, code });
      if (answer.reply === 'accepted') return { kind: 'accepted', payment: answer.body.data };
      return answer.reply === 'wrong' ? { kind: 'wrong' } : { kind: 'over', outcome: refusal(answer.body) };
    },
    *resend() {
      const answer = yield* call(resendCode, reference);
      return answer.reply === 'sent' ? undefined : NOT_SENT;
    },
  };
}

/** Pays out to a phone. */
function* credit({ payment, urls }: Credit): Steps<Outcome> {
  const { mobile_money_operator, mobile_number, customer_email, customer_name } = payment.parameters;
  const { 'payee.name': name, 'payee.email': email } = payment.needed;
  const reference = referenceFor(payment);
  const answer = yield* call(createPayout, {
    reference,
    amount: jsonNumber(payment.amount),
    currency: payment.order.currency,
    narration: payment.order.description,
    mobile_money: { operator: mobile_money_operator, mobile_number: withoutPlus(mobile_number) },
    customer: { email: customer_email, name: customer_name ?? name },
    payee: { email, name },
    notification_url: urls.notify,
  });
  return answer.reply === 'refused' ? refusal(answer.body) : answeredOutcome(answer.body.data, reference);
}

/** The state of a charge or a payout, looked up by our reference. */
function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const reference = referenceFor(payment);
  if (payment.operation === 'credit') {
    const answer = yield* call(getPayout, reference);
    return answer.reply === 'absent' ? notFound(answer.body.error) : answeredOutcome(answer.body.data, reference);
  }
  const answer = yield* call(getCharge, reference);
  if (answer.reply === 'absent') return notFound(answer.body.error);
  const { data } = answer.body;
  // The payer keeps seeing what is shown; only after a lost reply nothing is shown yet.
  const show = payment.providerReference === undefined ? showOf(data) : undefined;
  return afterLookup(answeredOutcome(data, reference, show), TIMED_OUT);
}

/** Mobile money of six countries at one provider: collections and payouts. */
export const hubConnector = defineConnector({
  id: 'mobile-money-hub',
  contract: 1,
  version: manifest.version,
  title: 'Mobile money, hub provider',
  settings,
  baseUrl: (settings) => settings.base_url,
  endpoints: api.endpoints,
  statuses,
  notifications,
  serves: (serve) => [serve(mobileMoney, { purchase, credit, status })],
});
