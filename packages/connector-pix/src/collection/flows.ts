import {
  call,
  declined,
  type FlowContext,
  jsonNumber,
  type LookedUpPayment,
  ofThisPayment,
  type Outcome,
  type PaymentInput,
  type Steps,
  unknown,
  amountOf,
} from '@railyard/core';
import type * as z from 'zod';
import { type Answered, created, lookedUp } from '../code.ts';
import type { pixCollection } from '../methods.ts';
import { type Collection, createCollection, findCollection, getCollection } from './endpoints.ts';
import type { settings } from './settings.ts';
import { statuses } from './statuses.ts';

type Context = FlowContext<z.output<typeof settings>>;
type Purchase = PaymentInput<(typeof pixCollection)['operations']['purchase']>;

export function* purchase({ payment, settings, now, urls }: Context & { readonly payment: Purchase }): Steps<Outcome> {
  const {
    expiryDate = hoursAfter(now, settings.expiry_hours),
    callbackUrl,
    reference,
    ...account
  } = payment.parameters;
  // Validation knows the day, not the time; a code that is born expired is not asked for.
  if (Date.parse(expiryDate) <= Date.parse(now))
    return declined('hard', 'expired', { reason: 'expiryDate is in the past.' });
  const answer = yield* call(createCollection, {
    amount: jsonNumber(payment.amount),
    expiryDate,
    callbackUrl: callbackUrl ?? urls.notify,
    reference: reference ?? payment.merchantReference,
    ...account,
    currency: payment.order.currency,
  });
  if (answer.reply === 'created')
    return created(read(answer.body, { reference: reference ?? payment.merchantReference }));
  return declined('hard', 'declined_by_provider', {
    reason: 'The provider refused the request.',
    provider: { message: answer.body.error },
  });
}

export function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<Outcome> {
  const { providerReference } = payment;
  // Found by its id, a collection may carry a reference of the merchant's.
  const asked = providerReference === undefined ? { reference: payment.merchantReference } : { id: providerReference };
  const answer =
    providerReference === undefined
      ? yield* call(findCollection, payment.merchantReference)
      : yield* call(getCollection, providerReference);
  // Not found is no decline: the request may still be on its way, or carry a reference of the merchant's.
  if (answer.reply === 'found') return lookedUp(read(answer.body, asked), payment);
  return unknown('The provider does not know this payment.');
}

function read(collection: Collection, asked: { readonly reference?: string; readonly id?: string }): Answered {
  const amount = amountOf(collection);
  const said = statuses.read({ word: collection.status, providerReference: collection.id, amount });
  const outcome = ofThisPayment(said, [
    { asked: asked.reference, said: collection.reference },
    { asked: asked.id, said: collection.id },
  ]);
  const validUntil = collection.expiryDate === undefined ? undefined : inUtc(collection.expiryDate);
  return { outcome, code: { content: collection.qrCode, amount, validUntil } };
}

function hoursAfter(moment: string, hours: number): string {
  return new Date(Date.parse(moment) + hours * 3_600_000).toISOString();
}

function inUtc(moment: string): string {
  return new Date(Date.parse(moment)).toISOString();
}
