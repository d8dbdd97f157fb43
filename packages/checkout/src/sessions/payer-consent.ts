import type { SessionRequest } from '@railyard/core/protocol';
import type { OpenSession } from './open-session.ts';

/** The page's checkbox with which the payer agrees to later payments. */
export const CONSENT_FIELD = 'recurring_consent';

type Consent = Pick<SessionRequest, 'recurring_init' | 'recurring_consent_required'>;

/** Whether an attempt is a one-time purchase, because its payer was asked for consent to later payments and did not give it. */
export const isOneTime = ({ recurring_init, recurring_consent_required }: Consent): boolean =>
  recurring_consent_required && !recurring_init;

/**
 * The session as an attempt of it is: without consent a one-time purchase, which begins no agreement (reference: recurring_consent_required).
 *
 * @param answers the payer's entries on the page
 */
export function withConsent(session: OpenSession, answers: Readonly<Record<string, string>>): OpenSession {
  const { request } = session;
  if (!request.recurring_consent_required || answers[CONSENT_FIELD] === 'true') return session;
  return { ...session, request: { ...request, recurring_init: false } };
}
