import { confirmOnDevice, declined, type Outcome, type Show } from '@railyard/core';
import { maskedPhone } from '@railyard/identifiers/phone';

interface Prompt {
  /** E.164. Not known in a lookup. */
  readonly number?: string | undefined;
  /** The provider's text for the payer. */
  readonly message?: string | undefined;
  /** ISO 8601 with a zone. */
  readonly expiresAt?: string | undefined;
}

/** The request on the payer's phone, as the page shows it. */
export function promptOn({ number, message, expiresAt }: Prompt): Show {
  return confirmOnDevice({
    channel: 'stk',
    ...(number !== undefined && { number: maskedPhone(number) }),
    ...(message !== undefined && { message }),
    ...(expiresAt !== undefined && { validUntil: new Date(Date.parse(expiresAt)).toISOString() }),
  });
}

/**
 * The outcome of a lookup, where a provider has a word for a request that the payer did not confirm. That word is in no status
 * table, so a reply or a notification with it makes the payment unknown, and it is looked up: the payer may have confirmed in the last
 * second. Only the lookup declines (reference/methods-facts.md, 3).
 */
export function afterLookup(outcome: Outcome, timedOut: string): Outcome {
  if (outcome.status !== 'unknown' || outcome.provider?.status !== timedOut) return outcome;
  const { providerReference: reference, provider } = outcome;
  return declined('soft', 'timed_out', {
    reason: 'The request was not confirmed on the phone in time.',
    ...(reference !== undefined && { providerReference: reference }),
    provider,
  });
}
