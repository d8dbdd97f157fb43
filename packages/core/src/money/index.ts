export { addMoney, compareMoney, isZero, subtractMoney } from './arithmetic.ts';
export { currencies, currenciesAsOf, type Currency, currency } from './currencies.ts';
export { currencyNumber } from './currency-numbers.ts';
export { JsonNumberLiteral } from './json-number.ts';
export {
  formatDecimals,
  type Money,
  type MoneyProblem,
  money,
  moneyOfMinor,
  type ParsedMoney,
  parseMoney,
} from './money.ts';
export {
  decimal,
  fromDecimal,
  fromMinorUnits,
  jsonNumber,
  minorUnits,
  minorUnitsBigint,
  type MoneyFormat,
  twoDecimals,
  wholeUnits,
} from './provider-formats.ts';
