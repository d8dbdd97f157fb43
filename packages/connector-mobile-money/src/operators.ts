import type { PhoneCountry } from '@railyard/identifiers/phone';

/** A mobile money operator that payouts go to. */
export interface Operator {
  /** `<operator>-<country code>`, as requests name it. */
  readonly slug: string;
  readonly country: PhoneCountry;
  readonly currency: string;
  /** Least and most of one payout, decimals of `currency`, both included. */
  readonly min: string;
  readonly max: string;
}

type Rows = readonly (readonly [country: PhoneCountry, currency: string, min: string, max: string, names: string])[];

/**
 * The rows of the protocol's table (2-methods.md, Limits) with the names of the operators that they count
 * (reference/methods-facts.md, 1). The names are those of one provider's list, read on 2026-07-24. The most for Tanzania is the
 * protocol's; that provider pays out more.
 */
const ROWS: Rows = [
  ['GH', 'GHS', '1', '50000', 'airtel mtn tigo vodafone'],
  ['KE', 'KES', '10', '150000', 'safaricom airtel'],
  ['KE', 'KES', '10', '100000', 'equitel'],
  ['KE', 'KES', '50', '200000', 't-kash telcom'],
  ['CI', 'XOF', '2', '2000000', 'moov mtn orange wave'],
  ['CM', 'XAF', '2', '1000000', 'mtn'],
  ['CM', 'XAF', '2', '500000', 'orange'],
  ['TZ', 'TZS', '1000', '30000', 'airtel halopesa tigo vodacom'],
  ['EG', 'EGP', '1', '30000', 'aman etisalat orange vodafone'],
];

/** Every operator, in the order of the protocol's table. */
export const operators: readonly Operator[] = ROWS.flatMap(([country, currency, min, max, names]) =>
  names.split(' ').map((name) => ({ slug: `${name}-${country.toLowerCase()}`, country, currency, min, max })),
);

const bySlug: ReadonlyMap<string, Operator> = new Map(operators.map((each) => [each.slug, each]));

/** The operator with this slug. */
export const operatorOf = (slug: string): Operator | undefined => bySlug.get(slug);

/** The country whose numbers a currency is collected from: each currency of the table has one. */
export function countryOfCurrency(currency: string): PhoneCountry | undefined {
  return operators.find((each) => each.currency === currency)?.country;
}

/** Currencies of the operators, each once. */
export const operatorCurrencies: readonly string[] = [...new Set(operators.map(({ currency }) => currency))];

/** Countries of the operators, each once. */
export const operatorCountries: readonly string[] = [...new Set(operators.map(({ country }) => country))];
