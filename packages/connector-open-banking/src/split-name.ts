/** A name in two parts, as providers want it. */
export interface SplitName {
  readonly first: string;
  readonly last: string;
}

/**
 * The last word is the last name; one word is both (reference/methods-catalogue.md, A32).
 *
 * @example splitName('Ada King Lovelace') // { first: 'Ada King', last: 'Lovelace' }
 */
export function splitName(name: string): SplitName {
  const words = name.trim().split(/\s+/);
  const last = words.at(-1) ?? '';
  return { first: words.length > 1 ? words.slice(0, -1).join(' ') : last, last };
}
