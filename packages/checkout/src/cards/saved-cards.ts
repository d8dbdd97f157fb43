import type { StoredCard } from '../storage/index.ts';
import type { CardDeps } from './deps.ts';
import type { OpenSession } from '../sessions/open-session.ts';
import { expiryProblem } from '../rules/browser/card-rules.js';

/** A saved card that a session offers. */
export interface SavedCard {
  /** Its place in the request's `card_token`: the page never shows a token. */
  readonly key: string;
  readonly tokenHash: string;
  readonly brand: string;
  readonly kept: StoredCard;
}

/**
 * The cards behind a session's tokens, in their order. An expired one can only be paid out to, because a payout asks for the date
 * anew.
 */
export async function savedCards(context: CardDeps, { stored, request }: OpenSession): Promise<SavedCard[]> {
  const hashes = (request.card_token ?? []).map((token) => context.vault.tokenHash(token));
  const found = new Map((await context.stores.cards.ofTokens(stored, hashes)).map((card) => [card.tokenHash, card]));
  return hashes.flatMap((tokenHash, index): SavedCard[] => {
    const kept = found.get(tokenHash);
    if (kept === undefined) return [];
    const over = expiryProblem(`${kept.expiryMonth}/${kept.expiryYear}`, context.now()) !== undefined;
    return over && request.operation !== 'credit' ? [] : [{ key: String(index), tokenHash, brand: kept.brand, kept }];
  });
}
