import {
  call,
  decimal,
  declined,
  type FlowContext,
  type LookedUpModification,
  type LookedUpPayment,
  type Money,
  type OriginalPayment,
  type Outcome,
  type PaymentInput,
  type Steps,
  unknown,
} from '@railyard/core';
import type { exampleMethod } from '../methods.ts';
import { createPayment, createRefund, findPayment, findRefund, getPayment } from './endpoints.ts';
import { outcomeOf, wordsOf } from './replies.ts';
import type { Settings } from './settings.ts';

type Purchase = PaymentInput<(typeof exampleMethod)['operations']['purchase']>;

/** The payer is sent to the provider's page; a notification or a lookup reports the outcome. */
export function* purchase({ payment, urls }: FlowContext<Settings> & { readonly payment: Purchase }): Steps<Outcome> {
  const { account_name, statement_text } = payment.parameters;
  const answer = yield* call(createPayment, {
    reference: payment.merchantReference,
    amount: decimal(payment.amount),
    currency: payment.order.currency,
    description: payment.order.description,
    account_name,
    statement_text,
    return_url: urls.return,
    notify_url: urls.notify,
  });
  return answer.reply === 'created'
    ? outcomeOf(answer.body, { reference: payment.merchantReference })
    : declined('hard', 'declined_by_provider', wordsOf(answer.body));
}

/** Looks up a payment: by the provider's id, or by our reference where its reply was lost. */
export function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { providerReference: id, merchantReference: reference } = payment;
  const answer = id === undefined ? yield* call(findPayment, reference) : yield* call(getPayment, id);
  // Not found is no decline: the request may still be on its way.
  if (answer.reply === 'absent') return unknown('The provider does not know this payment.');
  return outcomeOf(answer.body, { reference, id });
}

/** Gives back the whole amount or a part of it. */
export function* refund({
  payment,
  id,
  amount,
}: {
  readonly payment: OriginalPayment;
  readonly id: string;
  readonly amount: Money;
}): Steps<Outcome> {
  const answer = yield* call(createRefund, {
    id: payment.providerReference,
    reference: id,
    amount: decimal(amount),
  });
  return answer.reply === 'created'
    ? outcomeOf(answer.body, { reference: id })
    : declined('hard', 'declined_by_provider', { reason: 'The provider refused the refund.', ...wordsOf(answer.body) });
}

/** Looks up a refund whose reply was lost. */
export function* modificationStatus({ modification }: { readonly modification: LookedUpModification }): Steps<Outcome> {
  const answer = yield* call(findRefund, modification.id);
  if (answer.reply === 'absent') return unknown('The provider does not know this refund.');
  return outcomeOf(answer.body, { reference: modification.id });
}
