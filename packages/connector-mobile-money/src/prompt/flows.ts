import {
  call,
  decimal,
  type FlowContext,
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
import type { mobileMoneyBeninA, mobileMoneyOtp } from '../methods.ts';
import { createRequest, findRequest, getRequest, resendCode, sendCode } from './endpoints.ts';
import { answeredOutcome, type PhoneRequest, refusal, showOf } from './replies.ts';
import type { Settings } from './settings.ts';
import { CODE_NEEDED, TIMED_OUT } from './statuses.ts';

type Context = FlowContext<Settings>;
/** The networks of Benin and Togo take the same. */
type NetworkPurchase = Context & { readonly payment: PaymentInput<SpecOf<typeof mobileMoneyBeninA, 'purchase'>> };
type CodePurchase = Context & { readonly payment: PaymentInput<SpecOf<typeof mobileMoneyOtp, 'purchase'>> };

/** Makes the flow of a network whose payers confirm on their phones. */
export function purchaseAt(network: string) {
  return function* purchase(context: NetworkPurchase): Steps<Outcome> {
    const { mobile_number: number } = context.payment.parameters;
    const answer = yield* call(createRequest, requestOf(context, { network, confirmation: 'prompt' }));
    return answer.reply === 'refused'
      ? refusal(answer.body)
      : answeredOutcome(answer.body, context.payment.merchantReference, showOf(answer.body, number));
  };
}

/** The payer enters the code that the provider sends to the phone, and may have to confirm there. */
export function* purchaseByCode(context: CodePurchase): Steps<Outcome> {
  const { mobile_number: number, receiver_number: receiver } = context.payment.parameters;
  const answer = yield* call(createRequest, requestOf(context, { network: 'any', confirmation: 'code', receiver }));
  if (answer.reply === 'refused') return refusal(answer.body);
  const confirmed = yield* askCode(answer.body, codeSteps(answer.body.id));
  if (confirmed.kind === 'over') return confirmed.outcome;
  const { merchantReference: reference } = context.payment;
  return answeredOutcome(confirmed.payment, reference, showOf(confirmed.payment, number), answer.body.id);
}

interface Asked {
  readonly network: string;
  readonly confirmation: 'prompt' | 'code';
  /** E.164. */
  readonly receiver?: string | undefined;
}

function requestOf({ payment, urls }: NetworkPurchase | CodePurchase, { network, confirmation, receiver }: Asked) {
  return {
    reference: payment.merchantReference,
    network,
    amount: decimal(payment.amount),
    currency: payment.order.currency,
    description: payment.order.description,
    number: withoutPlus(payment.parameters.mobile_number),
    receiver: receiver === undefined ? undefined : withoutPlus(receiver),
    confirmation,
    notify_url: urls.notify,
  };
}

function codeSteps(id: string): CodeSteps<PhoneRequest> {
  return {
    waits: ({ status }) => status === CODE_NEEDED,
    *send(code) {
      const answer = yield* call(sendCode, { id, code });
      if (answer.reply === 'accepted') return { kind: 'accepted', payment: answer.body };
      return answer.reply === 'wrong' ? { kind: 'wrong' } : { kind: 'over', outcome: refusal(answer.body) };
    },
    *resend() {
      const answer = yield* call(resendCode, id);
      return answer.reply === 'sent' ? undefined : NOT_SENT;
    },
  };
}

/** The state of a request, looked up by the provider's id, or by our reference where its reply was lost. */
export function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { providerReference, merchantReference: reference } = payment;
  const answer =
    providerReference === undefined ? yield* call(findRequest, reference) : yield* call(getRequest, providerReference);
  // Not found is no decline: the request may still be on its way.
  if (answer.reply === 'absent') return unknown('The provider does not know this payment.');
  const show = providerReference === undefined ? showOf(answer.body) : undefined;
  return afterLookup(answeredOutcome(answer.body, reference, show, providerReference), TIMED_OUT);
}
