import type { Outcome } from '@railyard/core';
import { DECLINE_REASONS } from '@railyard/core/driver';
import { isFinal, type PaymentState } from '@railyard/core/payment';
import type { Payment, PaymentUpdate } from '../../storage/index.ts';
import { EXPIRED } from './callbacks-for.ts';
import { shownBy } from './payable.ts';
import { nextPollMs } from './poll-plan.ts';

type Next = PaymentState;

/** The sums of a payment and what is known of it, as they are written. */
export function sumsOf(next: Next): Omit<PaymentUpdate, 'state' | 'unknown'> {
  const { received, held, refunded, reserved, modifying, facts } = next;
  return {
    received:
      received === undefined ? null : { text: received.text, minor: received.minor, currency: received.currency },
    ...(held && { authorizedMinor: held.minor }),
    ...(held && { capturedMinor: received?.minor ?? 0n }),
    refundedMinor: refunded?.minor ?? 0n,
    reservedMinor: reserved?.minor ?? 0n,
    modifying: modifying ?? null,
    facts,
  };
}

/** The columns of a payment that a change writes. */
export function updateOf(payment: Payment, next: Next, outcome: Outcome | undefined): PaymentUpdate {
  const done = isFinal(next.state);
  const show = shownBy(outcome, payment);
  return {
    state: next.state,
    unknown: next.unknown,
    ...sumsOf(next),
    decidedBy: next.decidedBy ?? null,
    ...(outcome?.status === 'declined' && {
      reason: outcome.reason,
      declineKind: outcome.kind,
      declineCode: outcome.code,
    }),
    ...(outcome?.status === 'unknown' && { reason: outcome.why }),
    ...(next.state === 'expired' && { reason: EXPIRED, declineCode: 'expired' }),
    ...givenBack(payment, next),
    ...(payment.asideText !== null && !next.aside && { aside: null }),
    ...(next.current !== undefined && { providerReference: next.current }),
    ...(outcome?.provider && { provider: outcome.provider }),
    ...(show && { show }),
    ...((done || next.state === 'partially_approved') && { show: null }),
    ...(outcome?.agreement && { agreement: { ...payment.agreement, ...outcome.agreement } }),
    ...(outcome?.connectorState && { connectorState: { ...payment.connectorState, ...outcome.connectorState } }),
    ...pollOf(payment, next),
  };
}

/** A partial approval is handled at once. A used-up plan keeps the lookup that is planned for the end of the payable time. */
function pollOf(payment: Payment, { state, unknown: isUnknown }: Next): Pick<PaymentUpdate, 'pollInMs'> {
  if (state === 'partially_approved') return { pollInMs: 0 };
  if (isFinal(state) || state === 'authorized') return { pollInMs: null };
  const pollInMs = nextPollMs(payment.polls, isUnknown);
  return pollInMs === null ? {} : { pollInMs };
}

/** A partial approval that was given back ends as a soft decline, after which another attempt may succeed. */
export const givenBack = (payment: Payment, next: Pick<Next, 'state'>): Partial<PaymentUpdate> =>
  payment.state === 'partially_approved' && next.state === 'declined'
    ? { reason: DECLINE_REASONS.given_back, declineKind: 'soft', declineCode: 'given_back' }
    : {};
