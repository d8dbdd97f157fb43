import { TEXTS } from '@railyard/core';
import { WALLET_TEXTS } from '../../cards/wallet-attempt.ts';
import { CARD_TEXTS } from '../../cards/card-texts.ts';
import { AMBIGUOUS, REVIEW } from '../../sessions/payer-amount.ts';
import { LATIN_TEXT } from '../../sessions/payer-words.ts';

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

/** The messages in one language. */
export type Messages = Readonly<
  Record<Sentence, string> &
    Record<Counted, (value: string) => string> & { readonly between: (low: string, high: string) => string }
>;

const keysOf = <T extends object>(of: T) => Object.keys(of).filter((key): key is Extract<keyof T, string> => key in of);

const BY_SENTENCE: ReadonlyMap<string, Sentence> = new Map(keysOf(SENTENCES).map((key) => [SENTENCES[key], key]));

const SAMPLE = 4242;
const OTHER_SAMPLE = 7373;
/** A number or a day. */
const VALUE = String.raw`(\d[\d.-]*)`;

/** A message as a pattern, made from the message itself with samples in the places of its values. */
const patternOf = (written: string, ...samples: readonly number[]): RegExp =>
  new RegExp(
    `^${samples.reduce((text, sample) => text.replace(String(sample), VALUE), written.replaceAll('.', String.raw`\.`))}$`,
  );

/** One is written in the singular. */
const PATTERNS: readonly (readonly [Counted, RegExp])[] = keysOf(COUNTED).flatMap((key) =>
  [SAMPLE, 1].map((sample) => [key, patternOf(COUNTED[key](sample), sample)] as const),
);
const BETWEEN = patternOf(TEXTS.between(SAMPLE, OTHER_SAMPLE), SAMPLE, OTHER_SAMPLE);

/**
 * A message of core or this service in another language; `undefined` for any other. It is known by the table that it was written from, so
 * a sentence can be corrected there alone.
 */
export function translated(message: string, messages: Messages, number: (value: string) => string): string | undefined {
  const sentence = BY_SENTENCE.get(message);
  if (sentence !== undefined) return messages[sentence];
  const [, low, high] = BETWEEN.exec(message) ?? [];
  if (low !== undefined && high !== undefined) return messages.between(number(low), number(high));
  for (const [key, pattern] of PATTERNS) {
    const [, value] = pattern.exec(message) ?? [];
    if (value !== undefined) return messages[key](number(value));
  }
  return undefined;
}
