import { CardHandle, type CardPart } from '@railyard/core';
import type { PlainJson } from './plain-json.ts';
import type { Host } from './run.ts';

const MASK = '•••';

/** A card's number however it is grouped; with more digits on either side it is another number. */
const numberPattern = (number: string) => new RegExp(`(?<!\\d)${[...number].join('[ -]?')}(?!\\d)`, 'g');

/** A code as a word of its own: amounts, times and ids may hold the same digits. */
const codePattern = (code: string) => new RegExp(`(?<![\\w.,:-])${code}(?![\\w:-]|[.,]\\d)`, 'g');

/** Takes a run's cards out of what a provider answers: some repeat in their messages what they were sent. */
export interface CardMask {
  /** A text that is only shown. */
  readonly text: (text: string) => string;
  /** A reply that is kept and worked with: the number wherever it stands, the code, which is short, only within sentences. */
  readonly reply: (reply: PlainJson) => PlainJson;
}

/** The mask for the cards of a run, as far as it is held now. */
export function cardMask(host: Pick<Host, 'openCard'>): CardMask {
  const open = (part: CardPart) => host.openCard?.(new CardHandle(part));
  const code = open('cvv');
  const numbers = [open('number'), open('payee-number')].filter((number) => number !== undefined);
  const withoutNumber = (text: string) =>
    numbers.reduce((clean, number) => clean.replace(numberPattern(number), MASK), text);
  const withoutCode = (text: string) => (code === undefined ? text : text.replace(codePattern(code), MASK));
  const reply = (value: PlainJson): PlainJson => {
    if (typeof value === 'number') return numbers.includes(String(value)) ? MASK : value;
    if (typeof value === 'string') return /\s/.test(value) ? withoutCode(withoutNumber(value)) : withoutNumber(value);
    if (isList(value)) return value.map(reply);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, reply(each)]));
  };
  return { text: (text) => withoutCode(withoutNumber(text)), reply };
}

const isList = (value: PlainJson): value is readonly PlainJson[] => Array.isArray(value);
