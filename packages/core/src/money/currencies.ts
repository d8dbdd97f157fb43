import { foldedCodes } from '../folded-codes.ts';

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
 * ISO 4217, as codes under the number of decimals (the exponent), folded: AED AFN is `aedfn`.
 * Source: list one of 2024-06-25 with the amendments since: XCG took the place of ANG on 2025-03-31,
 * BGN left for the euro on 2026-01-01. Codes for which ISO gives no minor unit (metals, testing, "no
 * currency") are left out, because no amount can be written in them.
 * Not taken from Intl: it counts 0 decimals for currencies where ISO says 2 or 3.
 */
const iso4217: ReadonlyMap<number, string> = new Map([
  [0, 'bif clp djf gnf isk jpy kmfrw pyg rwf ugxyi vnduv xafofpf'],
  [
    2,
    `aedfnllmdoarsudwgzn bambddtmdndobovrlsdtnwpynzd caddfhehfhwnyopourcucupvezk dkkopzd egprntbur fjdkp
gbpelhsipmdtqyd hkdnltguf idrlsnrrr jmd kesgshrpwydzt lakbpkrrdsl maddlgakdmkntopruurvrwkxnxvyrzn nadgniookprzd
pabengkhpkrln qar ronsdub sarbdcrdgekgdhpleosrdsptnvcypzl thbjsmtoprytdwdzs uahsdsnyuzs vedes wst xcdcg yer
zarmwwg`,
  ],
  [3, 'bhd iqd jod kwd lyd omr tnd'],
  [4, 'clf uyw'],
]);

/**
 * Crypto assets, in lower case under the number of decimals of the asset on its own chain.
 * A token that exists on several chains has the decimals of its first one (USDT and USDC: 6).
 */
const cryptoAssets: ReadonlyMap<number, string> = new Map([
  [6, 'ada algo atom eurc pyusd trx usdc usdt xrp xtz'],
  [7, 'xlm'],
  [8, 'bch bsv btc btg dash doge ltc wbtc zec'],
  [9, 'sol ton'],
  [10, 'dot'],
  [12, 'xmr'],
  [18, 'aave arb avax bnb busd dai etc eth fdusd link matic pepe pol shib tusd uni usde'],
]);

type Codes = (text: string) => readonly string[];

function entries(rows: ReadonlyMap<number, string>, kind: Currency['kind'], codesOf: Codes): [string, Currency][] {
  return [...rows].flatMap(([exponent, text]) =>
    codesOf(text).map((code): [string, Currency] => [code, { code, exponent, kind }]),
  );
}

/** Every currency an order may name, by its code. A Map, so that `constructor` is not a currency. */
export const currencies: ReadonlyMap<string, Currency> = new Map([
  ...entries(iso4217, 'fiat', (text) => foldedCodes(3, text)),
  ...entries(cryptoAssets, 'crypto', (text) => text.toUpperCase().split(' ')),
]);

/**
 * The currency with this exact code, upper case.
 *
 * @example currency('KWD') // { code: 'KWD', exponent: 3, kind: 'fiat' }
 */
export function currency(code: string): Currency | undefined {
  return currencies.get(code);
}
