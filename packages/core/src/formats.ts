export { type ProviderDecimals, providerDecimals, shortDecimal } from './formats/amounts.ts';
export {
  alphanumericId,
  compactId,
  fromAlphanumericId,
  fromCompactId,
  fromNumericId,
  numericId,
} from './formats/ids.ts';
export { factsAt } from './formats/facts-at.ts';
