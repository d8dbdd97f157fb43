const ALPHABET = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';
const FORM = /^[A-Z]{4}\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[HMX][A-Z]{5}[0-9A-Z]\d$/;
const STATES =
  'AS BC BS CC CH CL CM CS DF DG GR GT HG JC MC MN MS NE NL NT OC PL QR QT SL SP SR TC TL TS VZ YN ZS'.split(' ');

/**
 * Whether the text is a population number of Mexico (CURP) in capitals: four letters, a day, sex, state, three letters, a
 * character, and a right check digit. Names are not looked at.
 *
 * @example isCurp('BOXW310820HNERXN09') // true
 */
export function isCurp(text: string): boolean {
  if (!FORM.test(text) || !STATES.includes(text.slice(11, 13))) return false;
  const sum = Array.from(text.slice(0, 17)).reduce(
    (total, character, at) => total + ALPHABET.indexOf(character) * (18 - at),
    0,
  );
  return (10 - (sum % 10)) % 10 === Number(text.at(-1));
}
