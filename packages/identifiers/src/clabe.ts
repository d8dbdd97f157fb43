const WEIGHTS = [3, 7, 1] as const;

/** `format`: not 18 digits. `checksum`: 18 digits, the last of which is not their check digit. */
export type ClabeCheck = { ok: true; clabe: string } | { ok: false; reason: 'format' | 'checksum' };

/**
 * Checks the number of a Mexican account: bank 3, place 3, account 11, check digit. The digits are weighted 3, 7, 1 in turn and only the
 * last digit of each product counts. Banks and places are not looked up.
 *
 * @example checkClabe('032180000118359719') // { ok: true, clabe: '032180000118359719' }
 */
export function checkClabe(text: string): ClabeCheck {
  if (!/^\d{18}$/.test(text)) return { ok: false, reason: 'format' };
  const sum = Array.from(text.slice(0, 17), Number).reduce(
    (total, digit, at) => total + ((digit * (WEIGHTS[at % 3] ?? 0)) % 10),
    0,
  );
  return (10 - (sum % 10)) % 10 === Number(text.at(-1)) ? { ok: true, clabe: text } : { ok: false, reason: 'checksum' };
}

/** Whether the text is 18 digits with a right check digit. */
export function isClabe(text: string): boolean {
  return checkClabe(text).ok;
}
