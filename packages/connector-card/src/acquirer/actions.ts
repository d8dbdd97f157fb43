import {
  call,
  declined,
  type FlowContext,
  type InitialPayment,
  type Money,
  type OriginalPayment,
  type Outcome,
  type RecurringPayment,
  type Steps,
} from '@railyard/core';
import { capturePayment, refundPayment, reverseAuthorization, voidPayment as takeBack } from './action-endpoints.ts';
import { authorizeAgreement, chargeAgreement } from './create-endpoints.ts';
import { outcomeOfAction, outcomeOfPayment, refusal } from './outcomes.ts';
import type { AcquirerAction, Problem } from './replies.ts';
import { newPayment } from './request-fields.ts';
import type { Settings } from './settings.ts';

type Context = FlowContext<Settings> & { readonly payment: OriginalPayment; readonly id: string };

export function* capture({ payment, id, amount }: Context & { readonly amount: Money }): Steps<Outcome> {
  return acted(yield* call(capturePayment, { payment: payment.providerReference, reference: id, amount }), id);
}

export function* refund({ payment, id, amount }: Context & { readonly amount: Money }): Steps<Outcome> {
  return acted(yield* call(refundPayment, { payment: payment.providerReference, reference: id, amount }), id);
}

/** A hold is reversed; money that is not cleared yet is voided. */
export function* voidPayment({ payment, id, held }: Context & { readonly held: boolean }): Steps<Outcome> {
  const endpoint = held ? reverseAuthorization : takeBack;
  return acted(yield* call(endpoint, { payment: payment.providerReference, reference: id }), id);
}

/** A later charge under the agreement that the first payment of the mandate made. */
export function* recurring({
  payment,
  initial,
  urls,
}: FlowContext<Settings> & {
  readonly payment: RecurringPayment;
  readonly initial: InitialPayment;
}): Steps<Outcome> {
  const { agreement } = initial.agreement;
  if (agreement === undefined)
    return declined('hard', 'not_supported', {
      reason: 'The first payment of the chain has no agreement for further charges.',
    });
  const fields = { stored_credential: { use: 'later', initiator: 'merchant' } };
  const answer = yield* call(payment.auth ? authorizeAgreement : chargeAgreement, {
    ...newPayment(payment, payment.amount, urls, fields),
    agreement,
  });
  return answer.reply === 'refused'
    ? refusal(answer.body)
    : outcomeOfPayment(answer.body, { reference: payment.merchantReference });
}

type Acted =
  | { readonly reply: 'done' | 'declined'; readonly body: AcquirerAction }
  | { readonly reply: 'refused'; readonly body: Problem };

function acted(answer: Acted, reference: string): Outcome {
  return answer.reply === 'refused' ? refusal(answer.body) : outcomeOfAction(answer.body, { reference });
}
