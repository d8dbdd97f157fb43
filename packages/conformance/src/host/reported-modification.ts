import { type ModificationFlowName, modificationFlows } from '@railyard/core/payment';
import type { ProviderEvent } from '@railyard/core';
import type { ModificationRecord, PaymentRecord } from './disk.ts';
import { REFERENCE } from './world.ts';

type ModificationEvent = Extract<ProviderEvent, { kind: ModificationFlowName }>;

/** A report of a capture, refund or void, which may name nothing of its payment but our own reference. */
export const isReportOfOurs = ({ kind, merchantReference }: ProviderEvent) =>
  modificationFlows().some((flow) => flow === kind) && merchantReference === REFERENCE;

/**
 * The change that an event of a capture, refund or void makes. Ours has its reference, or is the oldest one under way whose reference is not known:
 * it settles or fails, also after it had settled. An event that is not final, or that comes after a failure, changes nothing. One that the
 * provider made by itself, and that took place, is set aside; here no person deals with it.
 */
export function afterReport(
  { modifications, quarantined }: PaymentRecord,
  { kind, outcome }: ModificationEvent,
): Pick<PaymentRecord, 'modifications' | 'quarantined'> {
  const like = modifications.filter(({ modification }) => modification === kind);
  const own =
    like.find(({ reference }) => reference !== undefined && reference === outcome.providerReference) ??
    like.find(({ status, reference }) => reference === undefined && (status === 'pending' || status === 'unknown'));
  if (outcome.status !== 'settled' && outcome.status !== 'declined') return { modifications, quarantined };
  if (own === undefined)
    return {
      modifications,
      quarantined: outcome.status === 'settled' ? [...quarantined, `a ${kind} of the provider's own`] : quarantined,
    };
  if (own.status === 'declined') return { modifications, quarantined };
  const reference = outcome.providerReference ?? own.reference;
  const after: ModificationRecord = { ...own, status: outcome.status, reference };
  return { modifications: modifications.map((each) => (each === own ? after : each)), quarantined };
}
