import { TEXTS, isZero, money, moneyOfMinor, parseMoney, type Money } from '@railyard/core';
import { countriesWithStates } from '@railyard/core/payer';
import { amountText, issue, type Issue, type MoneyProblem, type SessionRequest } from '@railyard/core/protocol';
import type { MerchantConfig } from '../deployment/catalogue.ts';
import { isPlainLatinName, plainLatin } from '../rules/browser/latin.js';
import { countryNamed, stateNamed } from './place-names.ts';
import type { MethodProfile } from '@railyard/core/registry';
import type { Payment } from '../storage/index.ts';
import type { OpenSession } from './session.ts';
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

/** The page's input for the amount, and the path of its problems. */
export const AMOUNT_FIELD = 'order.amount';

/** In an address of the page: the payer wants to enter another amount than in an earlier try. */
export const CHANGE_AMOUNT = 'change-amount';

/** In an address of the page: the amount beside it is as the page wrote it. */
export const REVIEWED = 'reviewed';

/**
 * Whether the payer says on the page how much: of a transfer. The request's amount is there to begin with and may be changed; with `-1`
 * there is none (protocol: Amount format, 2; reference: Amounts).
 */
export const payerSaysAmount = ({ operation }: Pick<SessionRequest, 'operation'>): boolean => operation === 'transfer';

/** Why an amount is shown to the payer before anything is paid. Where it can be read the page shows it as it was understood, and not this. */
export const REVIEW = 'Please check the amount.';

/** The language of amounts in the protocol's format, in which a point never parts thousands. */
export const WRITTEN_IN = 'en';

/** Nothing was taken: the provider turned the request away. */
export const PROVIDER_BUSY = 'The payment provider is busy. Please try again in a moment.';

/** Why a mark in an amount is not taken for either. */
export const AMBIGUOUS = 'Please write the amount without thousands separators, for example 1250.00.';

/**
 * The amount that a payer typed, or its problem.
 *
 * @param locale a BCP 47 tag
 */
export function readAmount(
  { request }: Pick<OpenSession, 'request'>,
  typed: string,
  locale: string,
): { readonly text: string } | { readonly problem: string } {
  const { currency } = request.order;
  const read = readTypedAmount(typed, currency, locale);
  if (!read.ok)
    return { problem: read.reason === 'ambiguous' ? AMBIGUOUS : amountText(typed.trim(), currency, read.reason) };
  return isZero(read.money) ? { problem: TEXTS.greaterThanZero } : { text: read.money.text };
}

/**
 * The session with the amount that the payer has seen on the page, or the amount's problem. The page sends it in the protocol's format; any
 * other text was typed and is shown first as it was understood.
 */
export function withEnteredAmount(
  session: OpenSession,
  answers: Readonly<Record<string, string>>,
): { readonly session: OpenSession; readonly issues: readonly Issue[] } {
  const { request } = session;
  if (!payerSaysAmount(request)) return { session, issues: [] };
  const refused = (message: string) => ({ session, issues: [issue(AMOUNT_FIELD, message)] });
  const entered = answers[AMOUNT_FIELD];
  // A field that the payer emptied is no amount: neither the request's amount nor an earlier try's replaces it.
  if (entered === undefined) return refused(TEXTS.blank);
  const { currency } = request.order;
  const parsed = parseMoney(entered, currency);
  if (!parsed.ok || moneyOfMinor(parsed.money.minor, currency).text !== entered) return refused(REVIEW);
  if (isZero(parsed.money)) return refused(TEXTS.greaterThanZero);
  return { session: withAmount(session, entered), issues: [] };
}

/** The session as an attempt of it is: with the amount that its payer said. */
export function asAttempted(
  session: OpenSession,
  payment: Pick<Payment, 'amountOpen' | 'amountText'> | undefined,
): OpenSession {
  if (payment === undefined || payment.amountOpen || payment.amountText === null) return session;
  return payerSaysAmount(session.request) ? withAmount(session, payment.amountText) : session;
}

/** The session with an amount that its payer said, in the protocol's format. */
export function withAmount(session: OpenSession, text: string): OpenSession {
  const { order } = session.request;
  const request = { ...session.request, order: { ...order, amount: text }, amount: money(text, order.currency) };
  return { ...session, request };
}

/** The page's checkbox with which the payer agrees to later payments. */
export const CONSENT_FIELD = 'recurring_consent';

type Consent = Pick<SessionRequest, 'recurring_init' | 'recurring_consent_required'>;

/** Whether an attempt is a one-time purchase, because its payer was asked for consent to later payments and did not give it. */
export const isOneTime = ({ recurring_init, recurring_consent_required }: Consent): boolean =>
  recurring_consent_required && !recurring_init;

/**
 * The session as an attempt of it is: without consent a one-time purchase, which begins no agreement (reference: recurring_consent_required).
 *
 * @param answers the payer's entries on the page
 */
export function withConsent(session: OpenSession, answers: Readonly<Record<string, string>>): OpenSession {
  const { request } = session;
  if (!request.recurring_consent_required || answers[CONSENT_FIELD] === 'true') return session;
  return { ...session, request: { ...request, recurring_init: false } };
}

type Answers = Readonly<Record<string, string>>;
type Request = Pick<SessionRequest, 'billing_address'>;

const NAME = 'customer.name';
export const COUNTRY = 'billing_address.country';
export const STATE = 'billing_address.state';
export const POSTCODE = 'billing_address.zip';

/**
 * Countries whose addresses have no postcode, by the formats that Google and Unicode keep of addresses (libaddressinput: those without `%Z`),
 * as far as their posts have introduced none since. Payers there cannot give one.
 */
export const withoutPostcodes: ReadonlySet<string> = new Set(
  (
    'AE AG AO AW BF BI BJ BO BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GH GM GQ GY HK JM KI KM KN KP ML MO MR MW NR NU QA RW ' +
    'SB SC SL SR SS ST SX SY TD TG TK TL TO TV UG VU YE ZW'
  ).split(' '),
);

/** The profile of a method for an address in this country: where there are no postcodes, none is required. */
export function requiredIn(profile: MethodProfile, country: string | undefined): MethodProfile {
  const { required } = profile;
  return required === undefined || country === undefined || !withoutPostcodes.has(country)
    ? profile
    : { ...profile, required: required.filter((name) => name !== POSTCODE) };
}

/** Why a name was not taken. */
export const LATIN_TEXT = 'Write the name in Latin letters.';

type Names = MerchantConfig['names'];

/** A name in the letters that the merchant's mapping wants. */
export const nameIn = (names: Names, name: string): string => (names === 'latin' ? plainLatin(name) : name.trim());

/** The payer's entries as protocol values: `Brasil` is `BR`, `California` is `CA`, `José` is `Jose` where names are in Latin letters. Others stay as they are. */
export function understood(answers: Answers, request: Request, names: Names): Answers {
  const words: Record<string, string> = { ...answers };
  const { [NAME]: name, [COUNTRY]: country, [STATE]: state } = answers;
  if (name !== undefined) words[NAME] = nameIn(names, name);
  if (country !== undefined) words[COUNTRY] = countryNamed(country) ?? country;
  const of = request.billing_address?.country ?? words[COUNTRY];
  if (state === undefined || of === undefined) return words;
  // Other addresses have none (protocol: billing_address.state).
  if (countriesWithStates.has(of)) words[STATE] = stateNamed(of, state) ?? state;
  else delete words[STATE];
  return words;
}

/** Problems with the converted entries, beyond the checks of the method's fields. */
export function answerIssues(answers: Answers, request: Request, names: Names): Issue[] {
  const { [NAME]: name, [COUNTRY]: country, [STATE]: state } = answers;
  const of = request.billing_address?.country ?? country;
  const issues: Issue[] = [];
  if (names === 'latin' && name !== undefined && !isPlainLatinName(name)) issues.push(issue(NAME, LATIN_TEXT));
  if (state !== undefined && of !== undefined && stateNamed(of, state) === undefined)
    issues.push(issue(STATE, TEXTS.choice));
  return issues;
}
