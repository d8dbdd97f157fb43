import type { CallbackWords } from '@railyard/core/payment';
import type { CallbackCard } from './callback-fields.ts';
import type { CallbackContentDeps } from './deps.ts';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { StoredCard, Payment } from '../../storage/index.ts';
import { maskedCard, openCardToken } from '../../cards/index.ts';

/** The card of a payment and its token, for callbacks to the merchant. */
export interface OpenedCard {
  readonly kept: StoredCard;
  readonly token: string | undefined;
  readonly payee: StoredCard | undefined;
}

/** @param held a card that the caller has just read */
export async function cardOfCallback(
  { stores, sealer }: CallbackContentDeps,
  { cardId, cardTokenHash, payeeCardId }: Payment,
  held?: StoredCard,
): Promise<OpenedCard | undefined> {
  const kept = cardId === null ? undefined : cardId === held?.id ? held : await stores.cards.find(cardId);
  if (kept === undefined) return undefined;
  const token = cardTokenHash === null ? undefined : await stores.cards.token(cardTokenHash);
  const payee = payeeCardId === null ? undefined : await stores.cards.find(payeeCardId);
  return { kept, token: token && openCardToken(sealer, token), payee };
}

/**
 * The card as one callback reports it. A debit's token is always reported; that of a purchase that asked for one, once it has
 * succeeded (protocol: Callback and status fields).
 */
export function cardForCallback(
  { kept, token, payee }: OpenedCard,
  { request }: OpenSession,
  { status }: CallbackWords,
): CallbackCard {
  const { operation, req_token, card_token } = request;
  const asked = operation === 'purchase' && req_token && card_token === undefined && status === 'success';
  return {
    ...maskedCard(kept),
    card_token: operation === 'debit' || asked ? token : undefined,
    payee_card: payee && maskedCard(payee).card,
  };
}
