import { createHash, randomInt } from 'node:crypto';

/** A number that no other card has, with its check digit. */
function uniqueNumber(): string {
  const digits = `37${String(randomInt(10 ** 12)).padStart(12, '0')}`;
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const twice = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (twice > 9 ? twice - 9 : twice);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const digest = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');

/** A number in every way in which it may be written by mistake. */
const forms = (text: string) => [
  text,
  `${text.slice(0, 4)} ${text.slice(4, 10)} ${text.slice(10)}`,
  Buffer.from(text).toString('hex'),
  digest('sha256', text),
  digest('sha1', text),
  digest('md5', text),
];

/** Runs that may be Base64, of either alphabet, long enough to hold four characters. */
const BASE64 = /[A-Za-z0-9+/_-]{6,}/g;

/** A text, and what any Base64 in it stands for, wherever in a word it begins. */
function readings(text: string): string[] {
  const decoded = (text.match(BASE64) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), 'base64').toString('latin1')),
  );
  return [text, ...decoded];
}

/** Finds a number in texts: as it is, in groups, as hexadecimal digits, in Base64, as a digest. */
export function numberIn(number: string): (text: string) => boolean {
  const written = forms(number);
  return (text) => readings(text).some((each) => written.some((form) => each.includes(form)));
}

/** A card that exists once, and what finds its secrets in texts: as they are, in groups, as hexadecimal digits, in Base64, as a digest. */
export function cardCanary() {
  const number = uniqueNumber();
  /** Four digits with a zero before them, which stand as a word of their own hardly anywhere. */
  const code = `0${randomInt(100, 999)}`;
  const codeWord = new RegExp(`(?<![\\w.:+/=-])${code}(?![\\w:+/=-]|\\.\\d)`);
  /** A code in Base64 is one that somebody put there: a part of a request, with what is written around it. */
  const codeIn = new RegExp(`[:="']\\s*["']?${code}["',}&\\s]`);
  return {
    number,
    code,
    fields: { 'card.number': number, 'card.expiry': '01/38', 'card.cvv': code, 'card.name': 'Canaria Amarela' },
    hasNumber: numberIn(number),
    /** Whether it stands there as the value of something. */
    hasCodeGiven: (text: string) => codeIn.test(text),
    hasCode: (text: string) => codeWord.test(text) || readings(text).some((each) => codeIn.test(each)),
    digest: (algorithm: string) => digest(algorithm, number),
  };
}

/** Whether a text holds a secret that is long enough to be found by itself, in Base64 too. */
export const holds = (text: string, secret: string): boolean =>
  secret !== '' && readings(text).some((each) => each.includes(secret));
