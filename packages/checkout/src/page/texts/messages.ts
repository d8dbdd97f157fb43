import { TEXTS } from '@railyard/core';
import { WALLET_TEXTS } from '../../cards/wallet.ts';
import { CARD_TEXTS } from '../../cards/card.ts';
import { AMBIGUOUS, PROVIDER_BUSY, REVIEW } from '../../sessions/payer-input.ts';
import { LATIN_TEXT } from '../../sessions/payer-input.ts';
import type { Say } from './say.ts';

/** The messages about an entry that a payer may read, as core and this service write them. */
const SENTENCES = {
  blank: TEXTS.blank,
  choice: TEXTS.choice,
  greaterThanZero: TEXTS.greaterThanZero,
  notValid: TEXTS.notValid,
  notCorrect: TEXTS.notCorrect,
  url: TEXTS.url,
  email: TEXTS.email,
  date: TEXTS.date,
  datetime: TEXTS.datetime,
  time: TEXTS.time,
  country: TEXTS.country,
  uuid: TEXTS.uuid,
  unexpected: TEXTS.unexpected,
  characters: TEXTS.characters,
  wholeAmount: TEXTS.wholeAmount,
  cardNumber: CARD_TEXTS.number,
  cardBrand: CARD_TEXTS.brand,
  cardExpiry: CARD_TEXTS.expiry,
  cardCode: CARD_TEXTS.cvv,
  cardName: CARD_TEXTS.name,
  cardNameInLatin: CARD_TEXTS.latin,
  cardNameLength: CARD_TEXTS.nameLength,
  nameInLatin: LATIN_TEXT,
  walletRefused: WALLET_TEXTS.refused,
  walletOnlySales: WALLET_TEXTS.onlySales,
  walletNetwork: WALLET_TEXTS.network,
  reviewAmount: REVIEW,
  ambiguousAmount: AMBIGUOUS,
  providerBusy: PROVIDER_BUSY,
} as const;

/** Those with a number in them. */
const COUNTED = {
  tooShort: TEXTS.tooShort,
  tooLong: TEXTS.tooLong,
  exactLength: TEXTS.exactLength,
  atLeast: TEXTS.atLeast,
  atMost: TEXTS.atMost,
  above: TEXTS.above,
  below: TEXTS.below,
  multipleOf: TEXTS.multipleOf,
  decimals: TEXTS.decimals,
} as const;

type Sentence = keyof typeof SENTENCES;
type Counted = keyof typeof COUNTED;

/** The messages in one language: those with a number have it as `{value}`, `between` as `{low}` and `{high}`. */
export type Messages = Readonly<Record<Sentence | Counted | 'between', string>>;

const keysOf = <T extends object>(of: T) => Object.keys(of).filter((key): key is Extract<keyof T, string> => key in of);

const BY_SENTENCE: ReadonlyMap<string, Sentence> = new Map(keysOf(SENTENCES).map((key) => [SENTENCES[key], key]));

const SAMPLE = 4242;
const OTHER_SAMPLE = 7373;

/** The text before, between and after the values of a message, read from the message itself with samples in their places. */
const partsOf = (written: string, ...samples: readonly number[]): readonly string[] =>
  samples.reduce<readonly string[]>(
    (parts, sample) => [...parts.slice(0, -1), ...(parts.at(-1) ?? '').split(String(sample))],
    [written],
  );

/** The values of a message, numbers or days, where these are its parts. */
function valuesIn(message: string, parts: readonly string[]): readonly string[] | undefined {
  const values: string[] = [];
  let rest = message;
  for (const [index, part] of parts.entries()) {
    const at = index === parts.length - 1 && part !== '' ? rest.lastIndexOf(part) : rest.indexOf(part);
    if (at < 0 || (index === 0 && at > 0)) return undefined;
    if (index > 0) values.push(rest.slice(0, at));
    rest = rest.slice(at + part.length);
  }
  return rest === '' && values.every((value) => /^\d[\d.-]*$/.test(value)) ? values : undefined;
}

/** One is written in the singular. */
const PARTS: readonly (readonly [Counted, readonly string[]])[] = keysOf(COUNTED).flatMap((key) =>
  [SAMPLE, 1].map((sample) => [key, partsOf(COUNTED[key](sample), sample)] as const),
);
const BETWEEN = partsOf(TEXTS.between(SAMPLE, OTHER_SAMPLE), SAMPLE, OTHER_SAMPLE);

/**
 * A message of core or this service in another language; `undefined` for any other. It is known by the table that it was written from, so
 * a sentence can be corrected there alone.
 */
export function translated(
  message: string,
  messages: Partial<Messages>,
  { say, number }: { readonly say: Say; readonly number: (value: string) => string },
): string | undefined {
  const filled = (key: Counted | 'between', values: Readonly<Record<string, string>>) => {
    const text = messages[key];
    return text && say(text, values);
  };
  const sentence = BY_SENTENCE.get(message);
  if (sentence !== undefined) return messages[sentence];
  const [low, high] = valuesIn(message, BETWEEN) ?? [];
  if (low !== undefined && high !== undefined) return filled('between', { low: number(low), high: number(high) });
  for (const [key, parts] of PARTS) {
    const [value] = valuesIn(message, parts) ?? [];
    if (value !== undefined) return filled(key, { value: number(value) });
  }
  return undefined;
}
