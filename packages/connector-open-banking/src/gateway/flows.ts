import {
  call,
  decimal,
  type FlowContext,
  type LookedUpPayment,
  type Outcome,
  pending,
  type PaymentInput,
  type SpecOf,
  type Steps,
  unknown,
} from '@railyard/core';
import { visitBank, wayToBank } from '../bank-visit.ts';
import type { onlineBankTransfer } from '../methods.ts';
import { splitName } from '../split-name.ts';
import { findTransaction, getTransaction, openTransaction } from './endpoints.ts';
import { answeredOutcome, refusal } from './replies.ts';
import type { Settings } from './settings.ts';

type Purchase = FlowContext<Settings> & {
  readonly payment: PaymentInput<SpecOf<typeof onlineBankTransfer, 'purchase'>>;
};

/** The payer pays at their bank, to which the gateway's page leads. */
export function* purchase({ payment, urls }: Purchase): Steps<Outcome> {
  const { first: firstname, last: lastname } = splitName(payment.needed['customer.name']);
  const answer = yield* call(openTransaction, {
    merchant_reference: payment.merchantReference,
    amount: decimal(payment.amount),
    currency: payment.order.currency,
    description: payment.order.description,
    firstname,
    lastname,
    email: payment.customer?.email,
    return_url: urls.return,
    notify_url: urls.notify,
  });
  if (answer.reply === 'refused') return refusal(answer.body);
  const { transaction_id: id, redirect_url: url } = answer.body;
  const outcome = answeredOutcome(answer.body, payment.merchantReference);
  return yield* visitBank({ outcome, url, id, returned: 'transaction_id' }, () =>
    afterVisit(payment.merchantReference, id),
  );
}

function* afterVisit(reference: string, id: string): Steps<Outcome> {
  const answer = yield* call(getTransaction, id);
  return answer.reply === 'found' ? answeredOutcome(answer.body, reference, id) : pending(id);
}

/** The state of a transaction, looked up by the provider's id, or by our reference where its reply was lost. */
export function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { providerReference: id, merchantReference: reference } = payment;
  const answer = id === undefined ? yield* call(findTransaction, reference) : yield* call(getTransaction, id);
  // Not found is no decline: the request may still be on its way.
  if (answer.reply === 'absent') return unknown('The provider does not know this payment.');
  const show = id === undefined ? wayToBank(answer.body.redirect_url) : undefined;
  return answeredOutcome(answer.body, reference, id, show);
}
