/** A currency or crypto asset. */
export interface Currency {
  readonly code: string;
  /** Decimals of the minor unit: 0 for JPY, 2 for USD, 3 for KWD, 8 for BTC. */
  readonly exponent: number;
  readonly kind: 'fiat' | 'crypto';
}

/** When the ISO part was last compared with the list of the maintenance agency. */
export const currenciesAsOf = '2026-11-21';

/**
 * ISO 4217, as codes under the number of decimals (the exponent).
 * Source: list one of 2024-06-25 with the amendments since: XCG took the place of ANG on 2025-03-31,
 * BGN left for the euro on 2026-01-01. Codes for which ISO gives no minor unit (metals, testing, "no
 * currency") are left out, because no amount can be written in them.
 * Not taken from Intl: it counts 0 decimals for currencies where ISO says 2 or 3.
 */
const iso4217: ReadonlyMap<number, string> = new Map([
  [0, `BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF`],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP
COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR
IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD
NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP
SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, `BHD IQD JOD KWD LYD OMR TND`],
  [4, `CLF UYW`],
]);

/**
 * Crypto assets, written as `code` under the number of decimals of the asset on its own chain.
 * A token that exists on several chains has the decimals of its first one (USDT and USDC: 6).
 */
const cryptoAssets: ReadonlyMap<number, string> = new Map([
  [6, 'ADA ALGO ATOM EURC PYUSD TRX USDC USDT XRP XTZ'],
  [7, 'XLM'],
  [8, 'BCH BSV BTC BTG DASH DOGE LTC WBTC ZEC'],
  [9, 'SOL TON'],
  [10, 'DOT'],
  [12, 'XMR'],
  [18, 'AAVE ARB AVAX BNB BUSD DAI ETC ETH FDUSD LINK MATIC PEPE POL SHIB TUSD UNI USDE'],
]);

function entries(rows: ReadonlyMap<number, string>, kind: Currency['kind']): [string, Currency][] {
  return [...rows].flatMap(([exponent, codes]) =>
    codes.split(/\s+/u).map((code): [string, Currency] => [code, { code, exponent, kind }]),
  );
}

/** Every currency an order may name, by its code. A Map, so that `constructor` is not a currency. */
export const currencies: ReadonlyMap<string, Currency> = new Map([
  ...entries(iso4217, 'fiat'),
  ...entries(cryptoAssets, 'crypto'),
]);

/**
 * The currency with this exact code, upper case.
 *
 * @example currency('KWD') // { code: 'KWD', exponent: 3, kind: 'fiat' }
 */
export function currency(code: string): Currency | undefined {
  return currencies.get(code);
}
