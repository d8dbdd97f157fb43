import type { TransitionDeps } from './deps.ts';
import type { Payment } from '../../storage/index.ts';

/** A hint leads to a lookup in so long; see `pollSoon`. */
const HEARD_MS = 1000;

/** Has the provider asked soon about a payment that a hint says has changed. */
export async function lookUpSoon({ stores, wake }: TransitionDeps, paymentId: string): Promise<void> {
  await stores.payments.pollSoon(paymentId);
  wake('lookups', HEARD_MS);
}

/** The same for hints that came before their payment was known. */
export async function lookUpIfHeard(
  context: TransitionDeps,
  { id, connectorId, midId }: Payment,
  references: readonly { readonly providerReference: string }[],
): Promise<void> {
  const heard = references.filter(({ providerReference: reference }) =>
    context.earlyHints.take({ connectorId, midId, providerReference: reference }),
  );
  if (heard.length > 0) await lookUpSoon(context, id);
}
