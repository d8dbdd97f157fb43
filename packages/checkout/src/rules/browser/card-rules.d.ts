/** A network of cards. */
export interface Brand {
  readonly name: string;
  readonly title: string;
  readonly starts: RegExp;
  /** Digits of its security code. */
  readonly cvv: 3 | 4;
  /** Some of its cards have no security code. */
  readonly withoutCode?: true;
  /** The fewest digits of its numbers. Default: 14. */
  readonly shortest?: number;
  readonly groups: readonly number[];
}

/** Numbers that carry several networks: those whose first digits lie between `from` and `to`, which are equally long. */
export interface CoBrands {
  readonly from: string;
  readonly to: string;
  /** Names of networks; the merchant's choice first. */
  readonly brands: readonly string[];
}

export interface Expiry {
  /** Two digits. */
  readonly month: string;
  /** Four digits. */
  readonly year: string;
}

/** The problem with an entry, whose text the server has. */
export type CardProblem = 'blank' | 'number' | 'brand' | 'expiry' | 'cvv' | 'name' | 'latin' | 'nameLength';

export const BRANDS: readonly Brand[];
export const ALL_BRANDS: readonly string[];
export const LOCAL_BRANDS: readonly string[];
export const NAME_LENGTH: number;
export function digitsOf(text: string): string;
export function brandOf(digits: string): Brand | undefined;
export function choiceOf(digits: string, coBrands: readonly CoBrands[]): readonly string[] | undefined;
export function brandsOf(digits: string, coBrands: readonly CoBrands[]): readonly string[];
export function grouped(digits: string): string;
export function numberProblem(
  text: string,
  taken: readonly string[],
  coBrands?: readonly CoBrands[],
): CardProblem | undefined;
export function datePart(text: string): readonly [month: string, year: string] | undefined;
export function readExpiry(text: string): Expiry | undefined;
/** @param now milliseconds since 1970 */
export function expiryProblem(text: string, now: number): CardProblem | undefined;
export function codeOf(text: string): string;
export function cvvProblem(text: string, brandName: string | undefined): CardProblem | undefined;
export function nameProblem(text: string, oneWord?: boolean): CardProblem | undefined;
