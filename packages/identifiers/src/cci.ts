const PAIRS = [
  [0, 6],
  [6, 18],
] as const;

/** As Luhn, from the left: every other digit twice, of which the digits count. */
function checkDigit(digits: string): number {
  const sum = Array.from(digits, Number).reduce((total, digit, at) => {
    const weighted = digit * (at % 2 === 0 ? 1 : 2);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

/**
 * Whether the text is an account between banks in Peru with right check digits: bank 3, office 3, account 12, and a check digit of each
 * of both halves. No official text of the rule was found; it follows two published accounts, so a caller warns and does not refuse.
 *
 * @example isCci('01136600010003254221') // true
 */
export function isCci(text: string): boolean {
  return (
    /^\d{20}$/.test(text) && PAIRS.map(([from, to]) => checkDigit(text.slice(from, to))).join('') === text.slice(18)
  );
}
