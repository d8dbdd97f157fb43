import {
  call,
  type FlowContext,
  jsonNumber,
  type LookedUpPayment,
  type Outcome,
  type PaymentInput,
  type SpecOf,
  type Steps,
  unknown,
} from '@railyard/core';
import { withoutPlus } from '@railyard/identifiers/phone';
import { askCode, type CodeSteps, NOT_SENT } from '../ask-code.ts';
import { afterLookup } from '../handset.ts';
import type { mobileMoney } from '../methods.ts';
import { createCharge, createPayout, getCharge, getPayout, resendCode, sendCode } from './endpoints.ts';
import { answeredOutcome, type Charge, confirmation, refusal, showOf } from './replies.ts';
import type { Settings } from './settings.ts';
import { statuses, TIMED_OUT } from './statuses.ts';

type Context = FlowContext<Settings>;
type Purchase = Context & { readonly payment: PaymentInput<SpecOf<typeof mobileMoney, 'purchase'>> };
type Credit = Context & { readonly payment: PaymentInput<SpecOf<typeof mobileMoney, 'credit'>> };

const SHORTEST_REFERENCE = 8;

/** The provider wants at least eight characters. Ours is unique for ever, an order's number is not. */
export function referenceFor({ merchantReference: reference }: Pick<LookedUpPayment, 'merchantReference'>): string {
  return reference.padStart(SHORTEST_REFERENCE, '0');
}

/** Collects from a phone: by a prompt on it, after a code, or on a page of the provider's. */
export function* purchase({ payment, settings, urls }: Purchase): Steps<Outcome> {
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
export function* credit({ payment, urls }: Credit): Steps<Outcome> {
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
export function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const reference = referenceFor(payment);
  if (payment.operation === 'credit') {
    const answer = yield* call(getPayout, reference);
    return answer.reply === 'absent' ? notThere() : answeredOutcome(answer.body.data, reference);
  }
  const answer = yield* call(getCharge, reference);
  if (answer.reply === 'absent') return notThere();
  const { data } = answer.body;
  // The payer keeps seeing what is shown; only after a lost reply nothing is shown yet.
  const show = payment.providerReference === undefined ? showOf(data) : undefined;
  return afterLookup(answeredOutcome(data, reference, show), TIMED_OUT);
}

/** Not found is no decline: the request may still be on its way. */
const notThere = (): Outcome => unknown('The provider does not know this payment.');
