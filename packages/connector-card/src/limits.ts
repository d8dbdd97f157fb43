import { currencies, limitsTable, moneyOfMinor } from '@railyard/core';

const MOST_MINOR_UNITS = 999_999_999_999n;

/** Currencies that cards are charged in. */
export const cardCurrencies = [...currencies.values()].filter(({ kind }) => kind === 'fiat').map(({ code }) => code);

/** What a card message can carry. A zero amount is for the session's own rules: only verifications may have one. */
export const cardLimits = limitsTable(
  'ISO 8583, data element 4 (amount, transaction): 12 digits of minor units',
  cardCurrencies.map((currency) => ({ currency, max: moneyOfMinor(MOST_MINOR_UNITS, currency).text })),
);
