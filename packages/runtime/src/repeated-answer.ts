import { type Outcome, unknown } from '@railyard/core';

/**
 * A decline that rests on the answer to a repeat says nothing about the send before it, which may have arrived: the outcome is
 * unknown, and it is looked up by our own reference. The reference of the decline is not kept, because it may belong to another
 * resource.
 *
 * @param step the last step that may move money, if its reply answers a repeat
 */
export function unlessOfRepeat(outcome: Outcome, step: string | undefined): Outcome {
  if (outcome.status !== 'declined' || step === undefined) return outcome;
  const { provider } = outcome;
  return unknown(
    `"${step}" was declined when it was sent again; the send before it has no reply.`,
    provider && { provider },
  );
}
