import type { ProviderEvent } from '@railyard/core';
import { outcomeOfAction, outcomeOfPayment } from './outcomes.ts';
import { type AcquirerPayment, amountOf, type NotifiedAction } from './replies.ts';
import { postSettlementEvents } from './statuses.ts';

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
  const later = postSettlementEvents.get(status);
  if (later === 'reported-elsewhere') return [];
  if (later === undefined) return [{ ...event, kind: 'payment', outcome: outcomeOfPayment(payment) }];
  if (later.kind === 'hold-expired') return [{ ...event, kind: later.kind }];
  return [{ ...event, ...later, amount: amountOf(payment) }];
}

const KINDS = { capture: 'capture', void: 'void', reversal: 'void', refund: 'refund' } as const;

/** The event of a capture, void, reversal or refund: when it is done, and when it fails, also after it was done. */
export function eventsOfAction(payment: AcquirerPayment, action: NotifiedAction): readonly ProviderEvent[] {
  const { id, reference } = payment;
  return [
    {
      id: `${action.id}/${action.status}`,
      kind: KINDS[action.type],
      providerReference: id,
      ...(reference !== undefined && { merchantReference: reference }),
      provider: { status: action.status },
      outcome: outcomeOfAction(action, {}),
    },
  ];
}

/** The reference under which the schemes cleared a payment, which is known a day after its outcome. */
export const clearedEvent = ({ id, reference }: AcquirerPayment, facts: { readonly arn: string }): ProviderEvent => ({
  id: `${id}/cleared`,
  kind: 'facts',
  providerReference: id,
  ...(reference !== undefined && { merchantReference: reference }),
  facts,
});
