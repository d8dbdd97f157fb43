import type { ProviderEvent } from '@railyard/core';
import { outcomeOfPayment } from './outcomes.ts';
import { type AcquirerPayment, amountOf } from './replies.ts';
import { HAPPENINGS } from './statuses.ts';

/** The events in a payment of the acquirer: the same from a lookup and from a notification. */
export function eventsOf(payment: AcquirerPayment): readonly ProviderEvent[] {
  const { id, status, cres, reference } = payment;
  const event = {
    id: `${id}/${status}`,
    providerReference: id,
    provider: { status },
    ...(reference !== undefined && { merchantReference: reference }),
  };
  // The payer is back at the acquirer, whether or not the browser found its way to us.
  if (status === 'AUTHENTICATED' && cres !== undefined) return [{ ...event, kind: 'returned', values: { cres } }];
  const happening = HAPPENINGS.get(status);
  if (happening === 'told-otherwise') return [];
  if (happening !== undefined) return [{ ...event, kind: happening, amount: amountOf(payment) }];
  return [{ ...event, kind: 'payment', outcome: outcomeOfPayment(payment) }];
}
