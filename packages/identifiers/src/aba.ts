const WEIGHTS = [3, 7, 1] as const;

/**
 * Whether the text is a routing number of the American Bankers Association: nine digits whose sum, weighted 3, 7, 1 in turn, is a
 * multiple of ten. Nine zeros are none.
 *
 * @example isAba('111000025') // true
 */
export function isAba(text: string): boolean {
  if (!/^\d{9}$/.test(text) || text === '000000000') return false;
  const sum = Array.from(text, Number).reduce((total, digit, at) => total + digit * (WEIGHTS[at % 3] ?? 0), 0);
  return sum % 10 === 0;
}
