import {
  call,
  credential,
  declined,
  type FlowContext,
  fromMinorUnits,
  type LookedUpPayment,
  minorUnits,
  ofThisPayment,
  type Outcome,
  type PaymentInput,
  redirect,
  type Steps,
  unknown,
  unlessTakenBefore,
} from '@railyard/core';
import type * as z from 'zod';
import { type Answered, created, lookedUp } from '../code.ts';
import { bareDocument } from '../documents.ts';
import type { pixDocument, pixPersonal } from '../methods.ts';
import { authenticate, createPayment, findPayment, getPayment, type ProviderPayment } from './endpoints.ts';
import type { settings } from './settings.ts';
import { statuses, TAKEN_BEFORE } from './statuses.ts';

type Context = FlowContext<z.output<typeof settings>>;
type DocumentPayment = PaymentInput<(typeof pixDocument)['operations']['purchase']>;
type PersonalPayment = PaymentInput<(typeof pixPersonal)['operations']['purchase']>;

/** Pix with the payer's document number: the code is shown on our page. */
export function purchaseByDocument({ payment, ...context }: Context & { readonly payment: DocumentPayment }) {
  return purchase({ ...context, payment }, 'code', payment.parameters.document_number);
}

/** Pix with the payer's personal id: the provider shows the code on its own page. */
export function purchaseByPersonalId({ payment, ...context }: Context & { readonly payment: PersonalPayment }) {
  return purchase({ ...context, payment }, 'page', idOf(payment.parameters));
}

/** The id is left out for payers of other countries, who have none. */
function idOf({ personal_id }: { readonly personal_id?: string }): string | undefined {
  return personal_id;
}

function* purchase(
  { payment, urls }: Context & { readonly payment: DocumentPayment | PersonalPayment },
  presentation: 'code' | 'page',
  document: string | undefined,
): Steps<Outcome> {
  const { access_token: token } = yield* credential(authenticate);
  const answer = yield* call(createPayment, {
    token,
    reference: payment.merchantReference,
    cents: minorUnits(payment.amount),
    description: payment.order.description,
    presentation,
    document: document === undefined ? undefined : bareDocument(document),
    name: payment.customer?.name,
    notifyUrl: urls.notify,
    returnUrl: urls.return,
  });
  if (answer.reply === 'created') return created(read(answer.body, payment.merchantReference));
  const { code, message } = answer.body.error;
  const refused = declined('hard', 'declined_by_provider', {
    reason: 'The provider refused the request.',
    provider: { code, ...(message !== undefined && { message }) },
  });
  return unlessTakenBefore(refused, TAKEN_BEFORE);
}

export function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { access_token: token } = yield* credential(authenticate);
  const { providerReference, merchantReference: reference } = payment;
  const answer =
    providerReference === undefined
      ? yield* call(findPayment, { token, reference })
      : yield* call(getPayment, { token, id: providerReference });
  // Not found is no decline: the request may still be on its way.
  if (answer.reply === 'found') return lookedUp(read(answer.body, reference, providerReference), payment);
  return unknown('The provider does not know this payment.');
}

function read(found: ProviderPayment, reference: string, id?: string): Answered {
  const amount = fromMinorUnits(found.amount, found.currency);
  const said = statuses.read({
    word: found.status,
    providerReference: found.id,
    amount,
    ...(found.payment_url !== undefined && { show: redirect({ url: found.payment_url }) }),
  });
  const outcome = ofThisPayment(said, [
    { asked: reference, said: found.reference },
    { asked: id, said: found.id },
  ]);
  return { outcome, code: { content: found.pix_code, amount, validUntil: found.expires_at } };
}
