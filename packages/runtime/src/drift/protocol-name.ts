/** Stands for a name that may itself be data: the key of a map, an id, a card's number. */
export const DATA_KEY = '{key}';

/** Stands for all that an endpoint has beyond the most that is counted by name. */
export const MORE = '{more}';

/** A name of a protocol; an attribute of XML begins with `@`, its text is `#text` (`codecs.ts`). */
const NAME = /^[@#$]?[A-Za-z_][A-Za-z0-9_:-]{0,63}$/;
const WORD = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** More digits in a row than the number of a standard has in a name, `iso20022` being the longest. */
const LONG_NUMBER = /\d{6}/;
/** More digits than that in all. */
const MOST_DIGITS = 6;
/** Hexadecimal digits in a row, as of a digest, where one of them is a decimal digit. */
const HEXADECIMAL = /(?=[A-Fa-f]{0,9}\d)[A-Fa-f0-9]{10}/;
/** As in `a1B2c3`: a random text changes often between letters and digits, a name does so once or twice. */
const CHANGES = /[A-Za-z]\d/g;
const MOST_CHANGES = 2;
/** Letters between two places where a word of camel case or snake case may begin. */
const PIECES = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
/** Letters without vowels are no word, but an abbreviation; longer ones are written by chance. */
const LONGEST_ABBREVIATION = 8;
const LONGEST_WORD = 24;
const SHORTEST_TOKEN = 16;
const FEWEST_LETTERS = 2.5;

/**
 * A name of a provider's protocol, or `{key}` where it may be data. Names alone leave a reply, and in a map the names are data: payers'
 * addresses, numbers, tokens. What only looks like a word, such as a first name, cannot be told from a field.
 *
 * @example protocolName('expires_at') // 'expires_at'
 * @example protocolName('4111111111111111') // '{key}'
 */
export const protocolName = (name: string): string => (NAME.test(name) && !isData(name) ? name : DATA_KEY);

/** A status word as a provider writes it, or `{key}` where it may be data. */
export const protocolWord = (word: string): string => (WORD.test(word) && !isData(word) ? word : DATA_KEY);

function isData(name: string): boolean {
  if (LONG_NUMBER.test(name) || HEXADECIMAL.test(name)) return true;
  if (name.replace(/\D/g, '').length > MOST_DIGITS) return true;
  if ((name.match(CHANGES)?.length ?? 0) > MOST_CHANGES) return true;
  const pieces = name.match(PIECES) ?? [];
  if (pieces.some((piece) => piece.length > LONGEST_WORD || isConsonants(piece))) return true;
  const letters = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return letters >= SHORTEST_TOKEN && letters / pieces.length < FEWEST_LETTERS;
}

const isConsonants = (piece: string) => piece.length > LONGEST_ABBREVIATION && !/[aeiouy]/i.test(piece);

/** Whether a text can be the place of a sighting: for who reads one from a log. */
export const isDriftPlace = (text: string): boolean =>
  text.length <= 1024 && text.split(/[.,]/).every((name) => isSafe(name.replaceAll('[]', '')));

const isSafe = (name: string) => ['', DATA_KEY, MORE].includes(name) || protocolName(name) === name;
