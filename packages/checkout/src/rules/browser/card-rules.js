// The rules for the fields of a card. The server's schema and the page's script both use these functions.
import { asciiDigits } from './digits.js';
import { isPlainLatinName } from './latin.js';

/** @typedef {import('./card-rules.js').Brand} Brand */
/** @typedef {import('./card-rules.js').CoBrands} CoBrands */

/** Cards of these networks carry a second one, whose digits their numbers begin with: ranges of the configuration tell them (`coBrands`). */
const NO_DIGITS = /(?!)/;

/**
 * The first that fits counts. Elo, Hipercard and UnionPay 8100–8171 as the tables of ActiveMerchant have them (credit_card_methods.rb), Verve
 * 507865–507964. `groups`: how the number stands on the card.
 * @type {readonly Brand[]}
 */
export const BRANDS = [
  { name: 'amex', title: 'American Express', starts: /^3[47]/, cvv: 4, groups: [4, 6, 5] },
  { name: 'diners', title: 'Diners Club', starts: /^3(?!841[046]0)(?:0[0-5]|095|[689])/, cvv: 3, groups: [4, 6, 4] },
  { name: 'jcb', title: 'JCB', starts: /^35(?:2[89]|[3-8])/, cvv: 3, groups: [4, 4, 4, 4] },
  { name: 'mir', title: 'Mir', starts: /^220[0-4]/, cvv: 3, groups: [4, 4, 4, 4] },
  {
    name: 'verve',
    title: 'Verve',
    starts: /^(?:50(?:78(?:6[5-9]|[7-9]\d)|79(?:[0-5]\d|6[0-4]))|506(?:0(?:99)|1\d\d)|6500(?:0[2-9]|1\d|2[0-7]))/,
    cvv: 3,
    groups: [4, 4, 4, 4],
  },
  { name: 'troy', title: 'Troy', starts: /^9792/, cvv: 3, groups: [4, 4, 4, 4] },
  {
    name: 'elo',
    title: 'Elo',
    starts:
      /^(?:401178|401179|431274|438935|451416|457393|457631|457632|504175|5067|509|627780|636297|636368|6504|6505|6507|6509|6516|650(?:03[1-3]|03[5-9]|04\d|05[01]|05[7-9]|0[67]\d|08[01])|6550)/,
    cvv: 3,
    groups: [4, 4, 4, 4],
  },
  {
    name: 'hipercard',
    title: 'Hipercard',
    starts: /^(?:3841[046]0|606282|637(?:095|568|599|609|612))/,
    cvv: 3,
    groups: [4, 4, 4, 4],
  },
  {
    name: 'rupay',
    title: 'RuPay',
    starts: /^(?:508[5-9]|60(?:80|85)|6521|6522|81(?:7[2-9]|[89])|82)/,
    cvv: 3,
    groups: [4, 4, 4, 4],
  },
  {
    name: 'unionpay',
    title: 'UnionPay',
    starts: /^(?:62|81(?:[0-6]|7[01]))/,
    cvv: 3,
    withoutCode: true,
    groups: [4, 4, 4, 4],
  },
  { name: 'discover', title: 'Discover', starts: /^(?:6011|64[4-9]|65)/, cvv: 3, groups: [4, 4, 4, 4] },
  {
    name: 'mastercard',
    title: 'Mastercard',
    starts: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    cvv: 3,
    groups: [4, 4, 4, 4],
  },
  {
    name: 'maestro',
    title: 'Maestro',
    starts: /^(?:50|5[6-9]|6)/,
    cvv: 3,
    withoutCode: true,
    shortest: 12,
    groups: [4, 4, 4, 4],
  },
  { name: 'visa', title: 'Visa', starts: /^4/, cvv: 3, groups: [4, 4, 4, 4] },
  { name: 'cartes_bancaires', title: 'Cartes Bancaires', starts: NO_DIGITS, cvv: 3, groups: [4, 4, 4, 4] },
  { name: 'bancontact', title: 'Bancontact', starts: NO_DIGITS, cvv: 3, withoutCode: true, groups: [4, 4, 4, 4] },
  { name: 'dankort', title: 'Dankort', starts: NO_DIGITS, cvv: 3, groups: [4, 4, 4, 4] },
];

/** Their names. */
export const ALL_BRANDS = BRANDS.map(({ name }) => name);

/** The names of those that no number shows. */
export const LOCAL_BRANDS = BRANDS.filter(({ starts }) => starts === NO_DIGITS).map(({ name }) => name);

/** The most characters of the name on a card. */
export const NAME_LENGTH = 32;

/** A number without what people put between its digits. @param {string} text */
export const digitsOf = (text) => asciiDigits(text).replaceAll(/[\s.\u00b7\u2010-\u2015\u2212-]/g, '');

/** Which network a number belongs to, as soon as its first digits show it. @param {string} digits */
export const brandOf = (digits) => BRANDS.find(({ starts }) => starts.test(digits));

/**
 * The networks among which the payer of a co-branded card chooses, the merchant's choice first.
 *
 * @param {string} digits
 * @param {readonly CoBrands[]} coBrands
 */
export const choiceOf = (digits, coBrands) =>
  coBrands.find(({ from, to }) => {
    const start = digits.slice(0, from.length);
    return start.length === from.length && from <= start && start <= to;
  })?.brands;

/**
 * The names of a number's networks, as soon as its first digits show them.
 *
 * @param {string} digits
 * @param {readonly CoBrands[]} coBrands
 */
export function brandsOf(digits, coBrands) {
  const brand = brandOf(digits);
  return choiceOf(digits, coBrands) ?? (brand === undefined ? [] : [brand.name]);
}

/** The digits as they stand on the card. @param {string} digits */
export function grouped(digits) {
  const { groups } = brandOf(digits) ?? { groups: [4, 4, 4, 4] };
  const parts = [];
  let at = 0;
  for (const length of [...groups, digits.length]) {
    if (at >= digits.length) break;
    parts.push(digits.slice(at, at + length));
    at += length;
  }
  return parts.join(' ');
}

/**
 * The problem with a card's number: it has 14 to 19 digits with their check digit (Luhn), of an accepted network; Maestro's begin at 12
 * (ISO/IEC 7812; ActiveMerchant). No issuer has numbers that begin with 0 (ISO/IEC 7812).
 *
 * @param {string} text
 * @param {readonly string[]} taken names of networks
 * @param {readonly CoBrands[]} [coBrands]
 */
export function numberProblem(text, taken, coBrands = []) {
  const digits = digitsOf(text);
  if (digits === '') return 'blank';
  const brand = brandOf(digits);
  if (!/^[1-9]\d{0,18}$/.test(digits) || digits.length < (brand?.shortest ?? 14) || !hasCheckDigit(digits))
    return 'number';
  return brandsOf(digits, coBrands).some((name) => taken.includes(name)) ? undefined : 'brand';
}

/** @param {string} digits */
function hasCheckDigit(digits) {
  let sum = 0;
  for (const [index, digit] of [...digits].entries()) {
    // Counted from the end, every second digit is doubled.
    const twice = Number(digit) * (1 + ((digits.length - 1 - index) % 2));
    sum += twice > 9 ? twice - 9 : twice;
  }
  return sum % 10 === 0;
}

/** The separators that payers put between month and year. */
const DATE_MARKS = /[\s/.,|\\\u2044\u2215\u2010-\u2015\u2212-]+/g;

/** A date with one slash for every mark in it. @param {string} text */
const slashed = (text) => asciiDigits(text).trimStart().replaceAll(DATE_MARKS, '/');

/**
 * Month and year of a date that begins with its month, as far as it is typed.
 *
 * @param {string} text
 * @returns {readonly [month: string, year: string] | undefined}
 */
export function datePart(text) {
  const [, month = '', year = ''] =
    /^(0?[1-9]|1[0-2])\/(\d{0,4})\/?$/.exec(slashed(text)) ?? /^(0[1-9]|1[0-2])(\d{0,4})\/?$/.exec(slashed(text)) ?? [];
  return month === '' ? undefined : [month, year];
}

/**
 * The month and year of an expiry date as people and browsers write it: `12/30`, `1230`, `12 / 2030`, `2030-12`.
 *
 * @param {string} text
 */
export function readExpiry(text) {
  const [, isoYear = '', isoMonth = ''] = /^(20\d\d)\/(0[1-9]|1[0-2])$/.exec(slashed(text.trim())) ?? [];
  const [month, year] = isoYear === '' ? (datePart(text) ?? ['', '']) : [isoMonth, isoYear];
  return /^(?:20)?\d\d$/.test(year) ? { month: month.padStart(2, '0'), year: `20${year.slice(-2)}` } : undefined;
}

/** The last place on earth reaches a new month half a day after Greenwich. */
const LAST_ZONE_MS = 12 * 3_600_000;

/**
 * The problem with an expiry date. A card is valid until its month is over everywhere.
 *
 * @param {string} text
 * @param {number} now milliseconds since 1970
 */
export function expiryProblem(text, now) {
  if (text.trim() === '') return 'blank';
  const expiry = readExpiry(text);
  const month = new Date(now - LAST_ZONE_MS).toISOString().slice(0, 7);
  return expiry !== undefined && `${expiry.year}-${expiry.month}` >= month ? undefined : 'expiry';
}

/** The digits of a security code. @param {string} text */
export const codeOf = (text) => asciiDigits(text).replaceAll(/\s/g, '');

/**
 * The problem with a security code. Debit cards of Maestro and UnionPay may have none (ActiveMerchant, Adyen).
 *
 * @param {string} text
 * @param {string | undefined} brandName of the card, as far as it is known
 */
export function cvvProblem(text, brandName) {
  const code = codeOf(text);
  const brand = BRANDS.find(({ name }) => name === brandName);
  if (code === '') return brand?.withoutCode === true ? undefined : 'blank';
  const fits = brand === undefined ? /^\d{3,4}$/.test(code) : /^\d+$/.test(code) && code.length === brand.cvv;
  return fits ? undefined : 'cvv';
}

/**
 * The problem with the name on a card: it has words of letters that have Latin ones, marks, apostrophes, hyphens and dots. A company's may
 * have an ampersand between them.
 *
 * @param {string} text
 * @param {boolean} [oneWord] whether one word may be the whole name, as for many people in Indonesia; default: two words or more
 */
export function nameProblem(text, oneWord = false) {
  const name = text.trim();
  if (name === '') return 'blank';
  if ([...name].length > NAME_LENGTH) return 'nameLength';
  const words = name.split(/\s+(?:&\s+)?/);
  const sound =
    words.length >= (oneWord ? 1 : 2) && words.every((word) => /^[\p{M}'’.-]*\p{L}[\p{L}\p{M}'’.-]*$/u.test(word));
  if (!sound) return 'name';
  return isPlainLatinName(name.replaceAll(' & ', ' ')) ? undefined : 'latin';
}
