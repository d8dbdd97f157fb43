import type { Outcome } from '@railyard/core';
import type { Cause } from './cause.ts';

/** The data of a history entry: words and references, no personal data. */
export function eventData({ change, event }: Pick<Cause, 'change' | 'event'>): object {
  if (change.kind === 'deposit')
    return {
      event: event?.event.id,
      reference: change.providerReference,
      amount: change.amount.text,
      confirmed: change.confirmed,
    };
  if (change.kind !== 'outcome')
    return {
      event: event?.event.id,
      ...('result' in change && { result: change.result }),
      ...('facts' in change && { facts: Object.keys(change.facts) }),
      ...('amount' in change && { amount: change.amount.text, currency: change.amount.currency }),
      ...('via' in change && { via: change.via }),
    };
  const { status, providerReference: reference, provider } = change.outcome;
  return { status, reference, provider: historyWords(provider), via: change.via, event: event?.event.id };
}

/** The history is never erased, and a provider's message may name the payer. */
export const historyWords = ({ status, code }: NonNullable<Outcome['provider']> = {}) =>
  status === undefined && code === undefined ? undefined : { status, code };
