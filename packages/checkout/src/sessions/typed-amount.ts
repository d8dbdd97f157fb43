import { type Money, moneyOfMinor, parseMoney } from '@railyard/core';
import type { MoneyProblem } from '@railyard/core/protocol';
import { asciiDigits } from '../rules/browser/digits.js';

/** `ambiguous`: one mark that may part thousands as well as decimals. */
export type TypedAmount =
  | { readonly ok: true; readonly money: Money }
  | { readonly ok: false; readonly reason: MoneyProblem | 'ambiguous' };

/** Arabic has marks of its own, which mean one thing each. */
const DECIMALS_ONLY = '٫';
const THOUSANDS_ONLY = /['’٬\s]/g;

/** Longer texts are no amounts. */
const MOST = 100;

/**
 * Reads an amount as a payer types it: `250,5`, `1.250,50`, `R$ 1,250.50`, in digits of any script. It becomes a decimal text without ever
 * being a number. One mark before three digits parts thousands where it does so in the payer's locale, and is ambiguous otherwise.
 *
 * @param locale a BCP 47 tag
 * @example readTypedAmount('1.250,50', 'EUR', 'de') // money of 1250.50
 */
export function readTypedAmount(text: string, currency: string, locale: string): TypedAmount {
  if (text.length > MOST) return { ok: false, reason: 'grammar' };
  const bare = withoutCurrency(asciiDigits(text), currency, locale).replaceAll(THOUSANDS_ONLY, '');
  const decimal = decimalOf(bare, currency, locale);
  if (decimal === 'ambiguous') return { ok: false, reason: 'ambiguous' };
  const parsed = parseMoney(decimal ?? text.trim(), currency);
  return parsed.ok ? { ok: true, money: moneyOfMinor(parsed.money.minor, currency) } : parsed;
}

/** An amount in the protocol's format as a payer of this locale would type it. */
export function asTyped(text: string, locale: string): string {
  return marksOf(locale).decimal === ',' ? text.replace('.', ',') : text;
}

/** Takes off the currency's code or one of its signs, before or behind the amount. */
function withoutCurrency(text: string, currency: string, locale: string): string {
  const trimmed = text.trim();
  const signs = [currency, ...signsOf(currency, locale)].toSorted((one, other) => other.length - one.length);
  for (const sign of signs) {
    const found = trimmed.toUpperCase();
    if (found.startsWith(sign.toUpperCase())) return trimmed.slice(sign.length).trim();
    if (found.endsWith(sign.toUpperCase())) return trimmed.slice(0, -sign.length).trim();
  }
  return trimmed;
}

function signsOf(currency: string, locale: string): string[] {
  if (!/^[A-Z]{3}$/.test(currency)) return [];
  return (['symbol', 'narrowSymbol'] as const).flatMap((currencyDisplay) =>
    [locale, 'en'].flatMap((each) =>
      new Intl.NumberFormat(each, { style: 'currency', currency, currencyDisplay })
        .formatToParts(0)
        .flatMap(({ type, value }) => (type === 'currency' ? [value.normalize('NFKC')] : [])),
    ),
  );
}

/** The decimal text with a point; `undefined` where it is none. */
function decimalOf(text: string, currency: string, locale: string): string | 'ambiguous' | undefined {
  if (!/^[\d.,٫]+$/.test(text) || !/\d/.test(text)) return undefined;
  const marks = [...text.matchAll(/[.,٫]/g)].map(([mark]) => mark);
  const last = marks.at(-1);
  if (last === undefined) return plain(text, '');
  const at = text.lastIndexOf(last);
  const [whole, decimals] = [text.slice(0, at), text.slice(at + 1)];
  if (marks.length === 1 && last !== DECIMALS_ONLY && mayPartThousands(whole, decimals)) {
    const { thousands, decimal } = marksOf(locale);
    if (last === decimal && fractionDigits(currency) >= decimals.length) return plain(whole, decimals);
    return last === thousands ? plain(whole + decimals, '') : 'ambiguous';
  }
  // Several marks of one kind part thousands; of two kinds the last one parts the decimals.
  if (marks.length > 1 && new Set(marks).size === 1) return last === DECIMALS_ONLY ? undefined : ungrouped(text, last);
  const before = new Set(marks.slice(0, -1));
  const [group] = before;
  if (before.has(last) || before.size > 1) return undefined;
  const joined = group === undefined ? whole : ungrouped(whole, group);
  return joined === undefined ? undefined : plain(joined, decimals);
}

const mayPartThousands = (whole: string, decimals: string): boolean =>
  decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole);

/** Groups of three, of which India's last alone is one: `12,50,000`. */
function ungrouped(text: string, mark: string): string | undefined {
  const [first = '', ...groups] = text.split(mark);
  const inner = groups.slice(0, -1);
  const isGrouped = /^\d{1,3}$/.test(first) && groups.at(-1)?.length === 3;
  const isEven = inner.every(({ length }) => length === 3) || inner.every(({ length }) => length === 2);
  return isGrouped && isEven ? first + groups.join('') : undefined;
}

const plain = (whole: string, decimals: string): string => {
  const digits = whole.replace(/^0+(?=\d)/, '') || '0';
  return decimals === '' ? digits : `${digits}.${decimals}`;
};

function marksOf(locale: string): { readonly thousands: string | undefined; readonly decimal: string | undefined } {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1_234_567.5);
  const of = (type: string) => parts.find((part) => part.type === type)?.value;
  return { thousands: of('group'), decimal: of('decimal') };
}

const fractionDigits = (currency: string): number => moneyOfMinor(0n, currency).exponent;
