import {
  call,
  type LookedUpModification,
  type LookedUpPayment,
  type Outcome,
  type StatusReport,
  type Steps,
  unknown,
} from '@railyard/core';
import { eventsOf } from './events.ts';
import { findAction, findPayment, getAction, getPayment } from './lookup-endpoints.ts';
import { isOther, outcomeOfAction, outcomeOfPayment } from './outcomes.ts';
import { postSettlementEvents } from './statuses.ts';

export function* status({ payment }: { readonly payment: LookedUpPayment }): Steps<StatusReport> {
  const { providerReference, merchantReference: reference } = payment;
  const answer =
    providerReference === undefined ? yield* call(findPayment, reference) : yield* call(getPayment, providerReference);
  // Not found is no decline: the request may still be on its way.
  if (answer.reply === 'absent') return unknown('The acquirer does not know this payment.');
  const asked = { id: providerReference, reference };
  if (isOther(answer.body, asked)) return outcomeOfPayment(answer.body, asked);
  const { status } = answer.body;
  const isNews = status === 'AUTHENTICATED' || postSettlementEvents.has(status);
  return isNews ? { events: eventsOf(answer.body) } : outcomeOfPayment(answer.body);
}

export function* modificationStatus({ modification }: { readonly modification: LookedUpModification }): Steps<Outcome> {
  const { providerReference, id } = modification;
  const answer =
    providerReference === undefined ? yield* call(findAction, id) : yield* call(getAction, providerReference);
  return answer.reply === 'absent'
    ? unknown('The acquirer does not know this modification.')
    : outcomeOfAction(answer.body, { id: providerReference, reference: id });
}
