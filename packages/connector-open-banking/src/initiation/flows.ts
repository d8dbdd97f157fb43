import {
  call,
  collect,
  credential,
  decimal,
  field,
  type FlowContext,
  type LookedUpPayment,
  type Outcome,
  pending,
  type PaymentInput,
  type SpecOf,
  type Steps,
  unknown,
} from '@railyard/core';
import * as z from 'zod';
import { visitBank, wayToBank } from '../bank-visit.ts';
import type { openBanking } from '../methods.ts';
import { authenticate, createPayment, findPayment, getPayment, listBanks } from './endpoints.ts';
import { answeredOutcome, refusal } from './replies.ts';
import type { Settings } from './settings.ts';

type Purchase = FlowContext<Settings> & { readonly payment: PaymentInput<SpecOf<typeof openBanking, 'purchase'>> };

/** The payer agrees to the payment at their bank, which they choose here or on the provider's page. */
export function* purchase(context: Purchase): Steps<Outcome> {
  const { payment, settings, urls } = context;
  const { payee_name: name, payee_country: country, payee_identifications: identifications } = payment.parameters;
  const bank_id = settings.choose_bank ? yield* chosenBank(context) : undefined;
  const { access_token: token } = yield* credential(authenticate);
  const answer = yield* call(createPayment, {
    token,
    reference: payment.merchantReference,
    amount: decimal(payment.amount),
    currency: payment.order.currency,
    description: payment.order.description,
    bank_id,
    payer: { name: payment.customer?.name, email: payment.customer?.email },
    payee: { name, country, identifications },
    redirect_url: urls.return,
    notify_url: urls.notify,
  });
  if (answer.reply === 'refused') return refusal(answer.body);
  const { id, authorization_url: url } = answer.body;
  const outcome = answeredOutcome(answer.body, payment.merchantReference);
  return yield* visitBank({ outcome, url, id, returned: 'payment_id' }, () =>
    afterVisit(payment.merchantReference, id),
  );
}

const bankField = z.strictObject({ bank: field(z.string(), { label: { en: 'Your bank', pt: 'Seu banco' } }) });

/** Nothing where there are no banks to choose from: the provider asks. */
function* chosenBank({ payment }: Purchase): Steps<string | undefined> {
  const { access_token: token } = yield* credential(authenticate);
  const country = payment.billing_address?.country ?? payment.parameters.payee_country;
  const { banks } = yield* call(listBanks, { token, country, currency: payment.order.currency });
  if (banks.length === 0) return undefined;
  const options = { bank: banks.map(({ id, name }) => ({ value: id, label: name })) };
  const { bank } = yield* collect({ step: 'bank', fields: bankField, options });
  return bank;
}

function* afterVisit(reference: string, id: string): Steps<Outcome> {
  const { access_token: token } = yield* credential(authenticate);
  const answer = yield* call(getPayment, { token, id });
  return answer.reply === 'found' ? answeredOutcome(answer.body, reference, id) : pending(id);
}

/** The state of a payment, looked up by the provider's id, or by our reference where its reply was lost. */
export function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { access_token: token } = yield* credential(authenticate);
  const { providerReference: id, merchantReference: reference } = payment;
  const answer =
    id === undefined ? yield* call(findPayment, { token, reference }) : yield* call(getPayment, { token, id });
  // Not found is no decline: the request may still be on its way.
  if (answer.reply === 'absent') return unknown('The provider does not know this payment.');
  const show = id === undefined ? wayToBank(answer.body.authorization_url) : undefined;
  return answeredOutcome(answer.body, reference, id, show);
}
