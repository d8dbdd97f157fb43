import type { TransitionDeps } from './deps.ts';
import type { HintKey } from './unmatched-hints.ts';
import type { Payment } from '../../storage/index.ts';

/** A hint leads to a lookup in so long; see `pollSoon`. */
const HINT_DELAY_MS = 1000;

/** Has the provider asked soon about a payment that a hint says has changed, and about its modifications under way. */
export async function scheduleSync({ stores, wake }: TransitionDeps, paymentId: string): Promise<void> {
  await stores.payments.pollSoon(paymentId);
  wake('lookups', HINT_DELAY_MS);
  wake('modification-lookups', HINT_DELAY_MS);
}

/** The same for an open payment that a provider names by its reference. @returns whether there is one */
export async function syncNamed({ stores, wake }: TransitionDeps, hint: HintKey): Promise<boolean> {
  const { ofOpenPayment, ofModifications } = await stores.payments.pollNamedSoon(hint);
  if (ofOpenPayment) wake('lookups', HINT_DELAY_MS);
  if (ofModifications) wake('modification-lookups', HINT_DELAY_MS);
  return ofOpenPayment;
}

/** The same for hints that came before their payment was known. */
export async function syncIfHinted(
  context: TransitionDeps,
  { id, connectorId, midId }: Payment,
  references: readonly { readonly providerReference: string }[],
): Promise<void> {
  const hinted = references.filter(({ providerReference: reference }) =>
    context.unmatchedHints.take({ connectorId, midId, providerReference: reference }),
  );
  if (hinted.length > 0) await scheduleSync(context, id);
}
