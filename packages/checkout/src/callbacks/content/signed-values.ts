import { cardDigits } from '@railyard/core/protocol';
import type { OpenSession } from '../../sessions/open-session.ts';
import type { StoredCard } from '../../storage/index.ts';

/** The part of a payment that the signatures of S2S CARD cover: as its request named it, and empty where there is none. */
export interface SignedValues {
  readonly payer_email: string;
  readonly card: string;
}

/** The e-mail and the card of a stored payment. A payout to a card is signed without an e-mail (reference: Signatures of S2S CARD, F6). */
export function signedValues(
  { request, command }: Pick<OpenSession, 'request' | 'command'>,
  kept: Pick<StoredCard, 'firstSix' | 'lastFour'> | undefined,
): SignedValues {
  return {
    payer_email: command?.action === 'CREDIT2CARD' ? '' : (request.customer?.email ?? ''),
    card: kept === undefined ? '' : cardDigits(kept.firstSix + kept.lastFour),
  };
}
