import * as z from 'zod';
import { openText, sealedAt, type Sealer } from '../secrets/index.ts';
import type { CardEntry, SavedCard } from './index.ts';

/**
 * The card that a payer has entered into a merchant's form, until a payment begins with it: a new one, or a saved one by its place in the
 * request. Nothing of its code is here.
 */
const enteredSchema = z.object({
  saved: z.string().exactOptional(),
  number: z.string(),
  /** The network that it is paid with. */
  brand: z.string(),
  /** The payer chose it. */
  chosen: z.literal(true).exactOptional(),
  /** `01/2038` */
  expiry: z.string(),
  /** Of a network that has cards without a code. */
  withoutCode: z.literal(true).exactOptional(),
  /** The address of the browser that sent it. */
  from: z.string().exactOptional(),
});

export type EnteredCard = z.output<typeof enteredSchema>;

/** A card that was read, as it is kept. @param from the address of the browser that sent it */
export function enteredCard(
  { card, cvv }: CardEntry,
  saved: SavedCard | undefined,
  from: string | undefined,
): EnteredCard {
  const more = {
    brand: card.brand,
    ...(card.brandChosenBy === 'payer' && { chosen: true as const }),
    ...(cvv === undefined && { withoutCode: true as const }),
    ...(from !== undefined && { from }),
  };
  if (saved !== undefined) return { saved: saved.key, number: '', expiry: '', ...more };
  return { number: card.number, expiry: `${card.expiryMonth}/${card.expiryYear}`, ...more };
}

/** Seals a card for the row of its session. */
export const sealEntered = (sealer: Sealer, sessionId: string, card: EnteredCard): string =>
  sealer.seal(JSON.stringify(card), sealedAt.enteredCard(sessionId));

export const openEntered = (sealer: Sealer, sessionId: string, text: string): EnteredCard =>
  enteredSchema.parse(JSON.parse(openText(sealer, text, sealedAt.enteredCard(sessionId))));

/** The network that the payer chose. */
export const chosenIn = ({ brand, chosen }: EnteredCard): string | undefined => (chosen === true ? brand : undefined);

/** A kept card as the page's form has it. */
export function enteredFields(entered: EnteredCard): [string, string][] {
  const { saved, number, expiry } = entered;
  const brand = chosenIn(entered) ?? '';
  return saved === undefined
    ? [
        ['card.saved', NEW_CARD],
        ['card.number', number],
        ['card.brand', brand],
        ['card.expiry', expiry],
      ]
    : [
        ['card.saved', saved],
        ['card.brand', brand],
      ];
}

/** In place of the key of a saved card. */
export const NEW_CARD = 'new';
