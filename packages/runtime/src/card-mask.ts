import { JsonNumberLiteral, type ProviderEvent } from '@railyard/core';
import { CardHandle, type CardPart, type Codec } from '@railyard/core/driver';
import { readBody, writeBody } from './codecs.ts';
import { plainJson, type PlainJson } from './plain-json.ts';
import type { Host } from './run.ts';

const MASK = '•••';

/** ISO/IEC 7812; a Maestro card has 12 at least. */
const NUMBER_LENGTH = { min: 12, max: 19 };

/**
 * Takes numbers out of a text however they are grouped, with one blank or hyphen between groups; with more digits on either side it is
 * another number. Each group is looked at as the end of the few numbers that can end with it, so that the time is in proportion to the text.
 */
function withoutNumbers(text: string, isNumber: (digits: string) => boolean): string {
  const pieces: string[] = [];
  let kept = 0;
  const window = createWindow();
  for (let at = 0; at < text.length; at += 1) {
    if (!isDigit(text, at)) continue;
    const start = at;
    while (isDigit(text, at)) at += 1;
    const goesOn = isDigit(text, start - 2) && (text[start - 1] === ' ' || text[start - 1] === '-');
    const from = window.add(text, start, at, goesOn, isNumber);
    if (from === undefined) continue;
    pieces.push(text.slice(kept, from), MASK);
    kept = at;
  }
  return kept === 0 ? text : pieces.join('') + text.slice(kept);
}

const isDigit = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
};

/** The last groups of digits, as far as a number may begin with them. */
function createWindow() {
  /** Where each group begins in the text, and how many digits of its line of groups stand before it. */
  let starts: number[] = [];
  let before: number[] = [];
  /** The first group with which a number may still begin. */
  let first = 0;
  /** The last digits, and how many are gone before them. */
  let digits = '';
  let gone = 0;
  const clear = () => {
    starts = [];
    before = [];
    first = 0;
    digits = '';
    gone = 0;
  };
  return {
    /** @returns where a number begins that ends with this group */
    add(text: string, start: number, end: number, goesOn: boolean, isNumber: (digits: string) => boolean) {
      const long = end - start > NUMBER_LENGTH.max;
      if (long || !goesOn) clear();
      if (long) return undefined;
      starts.push(start);
      before.push(gone + digits.length);
      digits += text.slice(start, end);
      const all = gone + digits.length;
      while (all - (before[first] ?? all) > NUMBER_LENGTH.max) first += 1;
      for (let each = first; all - (before[each] ?? all) >= NUMBER_LENGTH.min; each += 1) {
        if (!isNumber(digits.slice((before[each] ?? 0) - gone))) continue;
        const found = starts[each];
        clear();
        return found;
      }
      if (digits.length > 4 * NUMBER_LENGTH.max) {
        gone = all - NUMBER_LENGTH.max;
        digits = digits.slice(-NUMBER_LENGTH.max);
      }
      return undefined;
    },
  };
}

/** As long as most cards' numbers; a time in milliseconds has 13. */
const SHORTEST_LONG = 14;
const AS_LONG = /(?<!\d)\d(?:[ -]?\d){13,18}(?!\d)/g;

/**
 * A value for display, without any number as long as a card's: a payer's card may stand in a parameter that its connector takes
 * for an account's number, and made visible.
 */
export function withoutLongNumbers(value: unknown): unknown {
  if (typeof value === 'number') return withoutLongNumbers(String(value)) === String(value) ? value : MASK;
  if (typeof value === 'string') return value.length < SHORTEST_LONG ? value : value.replace(AS_LONG, MASK);
  if (Array.isArray(value)) return value.map(withoutLongNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name.replace(AS_LONG, MASK), withoutLongNumbers(each)]),
  );
}

/** A code as a word of its own: amounts, times and ids may hold the same digits. */
const codePattern = (code: string) => new RegExp(`(?<![\\w.,:-])${code}(?![\\w:-]|[.,]\\d)`, 'g');

/**
 * Names of fields that say a security code, in any case and with any marks: `cvv2`, `securityCode`, `card-security-code`. PCI DSS 3.3.1
 * forbids to keep it after the payment was authorised, so the digits are not known when a provider repeats them later.
 */
const CODE_NAME = /cv[vcn]|security_?code|card_?(?:verification_?)?code|verification_?value|(?:^|_)(?:cid|csc)(?:_|$)/i;

/** A code within an object of a card, as in `card.code` and `security.code`. */
const CODE_WITHIN = /(?:cards?|(?:^|_)security)_code$/i;

const inWords = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').replaceAll(/[^A-Za-z]+/g, '_');

/** @param within the name of the object that has the field */
const isCodeName = (name: string, within: string): boolean =>
  CODE_NAME.test(inWords(name)) || CODE_WITHIN.test(inWords(`${within}_${name}`));

/** Other values of such a field are results, as of `cvv_result` and `cvc_check`, and references. */
const isCode = (value: string): boolean => /^\s*\d{3,4}\s*$/.test(value);

/** A code behind its name in a sentence, JSON, a form or XML. The short names are left: parts of addresses have them. */
const NAMED_CODE =
  /(cv[vcn]2?|(?:cards?|security)[^A-Za-z0-9]{0,6}code|verification[ _-]?(?:code|value))([^A-Za-z0-9]{1,6})\d{3,4}(?!\w|[.,]\d)/gi;

/** A parameter of a query, as it is written there. */
const PARAMETER = /(?<=[?&])([^=&#]*)=([^&#]*)/g;

/** An address without the codes of its query, by the names that a text may say. */
export const urlWithoutCodes = (url: string): string =>
  url.replaceAll(PARAMETER, (written: string, name: string) => {
    const [[read, value] = ['', '']] = new URLSearchParams(written);
    const masked = withoutTold(`${read}=${value}`, () => false);
    return masked === `${read}=${value}` ? written : `${name}=${MASK}`;
  });

/** Without the numbers that are recognised, and the codes that their names tell, whether a card is held or not. */
const withoutTold = (text: string, isNumber: (digits: string) => boolean): string =>
  withoutNumbers(text, isNumber).replaceAll(NAMED_CODE, `$1$2${MASK}`);

/** Masks numbers, texts and names of fields, and the values of fields that say a security code. */
function maskedIn(
  value: unknown,
  isNumber: (digits: string) => boolean,
  { name: withoutCards, text }: { readonly name: (text: string) => string; readonly text: (text: string) => string },
  ofCode = false,
  within = '',
): unknown {
  const masked = (each: unknown, isNamed: boolean, place: string) =>
    maskedIn(each, isNumber, { name: withoutCards, text }, isNamed, place);
  if (typeof value === 'number' || JsonNumberLiteral.is(value)) {
    const digits = typeof value === 'number' ? String(value) : value.literal;
    return (digits.length >= NUMBER_LENGTH.min && isNumber(digits)) || (ofCode && isCode(digits)) ? MASK : value;
  }
  if (typeof value === 'string') return ofCode && isCode(value) ? MASK : text(value);
  if (Array.isArray(value)) return value.map((each) => masked(each, ofCode, within));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      withoutCards(name),
      masked(each, ofCode || isCodeName(name, within), name),
    ]),
  );
}

/** Shorter ones may be words of everyday texts. */
const SHORTEST_WORD = 16;

/** The Base64 of a wallet's proof or token, word by word: who repeats a token writes the signs between them in another way. */
const wordsOf = (proof: string): string[] =>
  proof.split(/[^A-Za-z0-9+/=_-]+/).filter((word) => word.length >= SHORTEST_WORD);

/** Takes a run's cards out of what a provider answers: some repeat in their messages what they were sent. */
export interface CardMask {
  /** A text that is only shown. */
  readonly text: (text: string) => string;
  /** A reply that is kept and worked with: the number wherever it stands, the code, which is short, within sentences and where its name stands before it. */
  readonly reply: (reply: PlainJson) => PlainJson;
}

/** The mask for the cards of a run, as far as it is held now. */
export function cardMask(host: Pick<Host, 'openCard' | 'isCardNumber'>): CardMask {
  const open = (part: CardPart) => host.openCard?.(new CardHandle(part));
  const code = open('cvv');
  const numbers = [open('number'), open('payee-number')].filter((number) => number !== undefined);
  const isNumber = (digits: string) => numbers.includes(digits) || host.isCardNumber?.(digits) === true;
  const proofs = [open('cryptogram'), open('wallet-token')].flatMap((proof) => wordsOf(proof ?? ''));
  const withoutProofs = (text: string) => proofs.reduce((rest, proof) => rest.replaceAll(proof, MASK), text);
  const withoutNumber = (text: string) => withoutProofs(withoutTold(text, isNumber));
  const withoutCode = (text: string) => (code === undefined ? text : text.replace(codePattern(code), MASK));
  const shown = (text: string) => withoutCode(withoutNumber(text));
  const kept = (text: string) => (/\s/.test(text) ? shown(text) : withoutNumber(text));
  const reply = (value: PlainJson) =>
    plainJson(maskedIn(value, isNumber, { name: withoutNumber, text: kept }), 'A reply');
  return { text: shown, reply };
}

/** An event that was not read from a reply: the same without its payment's cards, in texts and in names of fields. */
export function eventWithoutCards<E extends ProviderEvent>(event: E, isCardNumber: (digits: string) => boolean): E {
  const withoutCards = (text: string) => withoutTold(text, isCardNumber);
  const copy: E = { ...event };
  for (const [name, value] of Object.entries(copy))
    Reflect.set(copy, name, maskedIn(value, isCardNumber, { name: withoutCards, text: withoutCards }));
  return copy;
}

/**
 * The body of a notification without the numbers that are recognised and the values of fields that say a code; the same text where it has none.
 * One that is not of the codec's form is masked as a text.
 */
export function bodyWithoutCards(body: string, codec: Codec, isCardNumber: (digits: string) => boolean): string {
  const withoutCards = (text: string) => withoutTold(text, isCardNumber);
  const read = readBody(body, codec);
  if (read === undefined) return withoutCards(body);
  const write = (value: unknown) => (codec === 'form' ? writeFlatForm(value) : writeBody(value, codec));
  const written = write(maskedIn(read, isCardNumber, { name: withoutCards, text: withoutCards }));
  return written === write(read) ? body : written;
}

/** A form as it was read: values under one name have that name again, not one in brackets each. */
const writeFlatForm = (fields: unknown): string =>
  new URLSearchParams(
    Object.entries(fields ?? {}).flatMap(([name, value]: [string, unknown]) =>
      [value].flat().map((each): [string, string] => [name, String(each)]),
    ),
  ).toString();
