import { type Outcome, redirect, type Show, type Steps, visit } from '@railyard/core';
import * as z from 'zod';

interface Opened {
  /** The provider's first reply to the payment. */
  readonly outcome: Outcome;
  /** Where the payer goes on. */
  readonly url: string | undefined;
  /** The provider's reference. */
  readonly id: string;
  /** The name under which the provider brings its reference back. */
  readonly returned: string;
}

/**
 * Sends the payer to the bank and asks how it went: what the browser brings back is a hint, and no proof. The payer of a payment
 * that is decided already, or has no page, is not sent anywhere.
 *
 * @param ask what the provider says after the visit
 */
export function* visitBank({ outcome, url, id, returned }: Opened, ask: () => Steps<Outcome>): Steps<Outcome> {
  if (outcome.status !== 'pending' || url === undefined) return outcome;
  yield* visit({ purpose: 'pay', url, reference: id, until: z.object({ [returned]: z.string() }) });
  return yield* ask();
}

/** The way to the bank for a payer who has not been sent there: the reply with the address was lost. */
export function wayToBank(url: string | undefined): Show | undefined {
  return url === undefined ? undefined : redirect({ url });
}
