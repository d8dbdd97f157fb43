export { atMost } from './formats/at-most.ts';
export { type ProviderDecimals, providerDecimals, shortDecimal } from './formats/amounts.ts';
export {
  alphanumericId,
  compactId,
  fromAlphanumericId,
  fromCompactId,
  fromNumericId,
  numericId,
} from './formats/ids.ts';
export { factFields, factsAt } from './formats/facts-at.ts';
export { isoState } from './provider-states.ts';
export { inSnakeCase } from './formats/names.ts';
export { oneOrMany } from './formats/one-or-many.ts';
export { currencyNumber, currencyOfNumber } from './money/currency-numbers.ts';
