import { currencies, limitsTable } from '@railyard/core';

const DIGITS = 12;

const fiat = [...currencies.values()].filter(({ kind }) => kind === 'fiat');

/** Currencies that cards are charged in. */
export const cardCurrencies = fiat.map(({ code }) => code);

/** The largest amount of a card message. A zero amount is for the session's own rules: only verifications may have one. */
export const cardLimits = limitsTable(
  `ISO 8583, data element 4 (amount, transaction): ${DIGITS} digits of minor units`,
  // Nines alone; the decimals of a currency without minor units are zeros.
  fiat.map(({ code, exponent }) => ({
    currency: code,
    max: `${'9'.repeat(DIGITS - exponent)}.${'9'.repeat(exponent) || '00'}`,
  })),
);
