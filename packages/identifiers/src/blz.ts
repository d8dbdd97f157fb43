/** How many digits the bank code of a country has that calls it Bankleitzahl. */
const LENGTHS: ReadonlyMap<string, number> = new Map([
  ['DE', 8],
  ['AT', 5],
]);

/** Digits of a Bankleitzahl: five in Austria, eight in Germany and wherever the country is not known. @param country ISO 3166-1 alpha-2 */
export function blzLength(country?: string): number {
  return LENGTHS.get(country ?? 'DE') ?? 8;
}

/** Whether the text is a Bankleitzahl of the country. @example isBlz('37040044') // true */
export function isBlz(text: string, country?: string): boolean {
  return /^\d+$/.test(text) && text.length === blzLength(country);
}
