import type { StoredCard } from '../storage/index.ts';

/** A card as it is shown outside: `411111******1111` and `12/2030` (reference: Callback, Fields). */
export function maskedCard({ firstSix, lastFour, expiryMonth, expiryYear }: StoredCard) {
  return {
    card: `${firstSix}******${lastFour}`,
    ...(expiryMonth !== null && { card_expiration_date: `${expiryMonth}/${expiryYear}` }),
  };
}
