import type { PageDeps } from './deps.ts';
import { openRunInput } from '../../payments/state/run-input.ts';
import { isFailed } from '../../payments/operations/status-body.ts';
import type { LoadedSession } from './load-session.ts';

/**
 * The payer's entries in the last attempt if it failed, by path, so that nothing is typed twice; of a card only the name:
 * a date that stays would be taken for that of the next card.
 */
export async function enteredBefore(
  context: PageDeps,
  { attempts: [payment], payment: shown, runs: ofShown }: LoadedSession,
): Promise<ReadonlyMap<string, string>> {
  const runs = payment === undefined || payment === shown ? ofShown : await context.stores.runs.ofPayment(payment.id);
  const run = runs.find(({ purpose }) => purpose === payment?.operation);
  if (payment === undefined || !isFailed(payment) || run === undefined) return new Map();
  const { answers = {} } = openRunInput(context, run);
  const entered = new Map(Object.entries(answers));
  const card = payment.cardId === null ? undefined : await context.stores.cards.find(payment.cardId);
  if (card === undefined || card.fromToken) return entered;
  const holder = context.vault.openHolder(card);
  if (holder !== undefined) entered.set('card.name', holder);
  return entered;
}
