import { TEXTS } from '@railyard/core';
import type { CardProblem } from '../rules/browser/card-rules.js';

/** The texts of the reference (Checkout page) and, for what is left empty, of the protocol. */
export const CARD_TEXTS = {
  blank: TEXTS.blank,
  number: 'Invalid card number',
  brand: 'Bad Request. Brand of card does not support.',
  expiry: 'The expiration date of card is expired and not valid.',
  cvv: 'Invalid security code',
  name: 'The name on card field Must contain at least 2 words: first name and last name.',
  latin: 'Write the name in Latin letters, as on the card.',
  nameLength: 'Write the name in 32 characters or less, as on the card.',
} as const satisfies Record<CardProblem, string>;
